package import Platform
internal import CLibAV
internal import CPixels

/// The field of an interlaced frame that was captured first.
public enum FieldOrder: String, Hashable, Sendable {
  /// The first field has the first, third and further lines.
  case top
  /// The first field has the second, fourth and further lines.
  case bottom
}

extension VideoTrack {
  /// The field that is shown first; `nil` if its frames are not interlaced, or it is unknown.
  public var fieldOrder: FieldOrder? {
    // The first letter counts, as in libav's rawdec.c and yuv4mpegenc.c and in Matroska: ffmpeg writes TB and
    // BT if the lines of both fields alternate, and the comments in libav's header apply to other files.
    switch parameters?.values.field_order {
    case AV_FIELD_TT, AV_FIELD_TB: .top
    case AV_FIELD_BB, AV_FIELD_BT: .bottom
    default: firstFieldOrder
    }
  }
}

extension FieldOrder? {
  /// libav's value for it.
  var libav: AVFieldOrder {
    switch self {
    case .top: AV_FIELD_TT
    case .bottom: AV_FIELD_BB
    case nil: AV_FIELD_UNKNOWN
    }
  }
}

/// A deinterlacer that makes a whole picture of each field: twice as many pictures per second.
///
/// In areas with little motion, the other field's lines come from the adjacent fields; elsewhere, they are
/// interpolated from the field's own lines by w3fdif's filters. Use from one thread at a time.
package struct Deinterlacer: ~Copyable {
  private let order: FieldOrder
  private var pool = PicturePool()
  private var converter: PictureConverter?

  /// - Parameter order: the field that was captured first.
  package init(_ order: FieldOrder) { self.order = order }

  /// Returns `picture` in planar form, as ``fields(of:after:before:)`` requires.
  ///
  /// - Throws: `unsupported` if libswscale cannot read its layout.
  package mutating func prepare(_ picture: Picture) throws(OvercrankError) -> Picture {
    guard !picture.layout.hasPlaneForEachComponent else { return picture }
    let layout = picture.layout.planar
    if converter == nil {
      converter = PictureConverter(
        width: picture.width, height: picture.height, color: picture.color, layout: layout)
    }
    return try converter?.convert(picture) ?? picture
  }

  /// Returns the two pictures of `picture`, in the order of their capture.
  ///
  /// - Parameters:
  ///   - picture: a frame.
  ///   - previous: the frame before it; `picture` if there is none.
  ///   - next: the frame after it; `picture` if there is none.
  /// - Throws: `OvercrankError` if memory runs out.
  /// - Precondition: all three have been prepared.
  package mutating func fields(
    of picture: Picture, after previous: Picture, before next: Picture
  ) throws(OvercrankError) -> [Picture] {
    func isLike(_ other: Picture) -> Bool {
      other.layout == picture.layout && other.width == picture.width && other.height == picture.height
    }
    let (previous, next) = (isLike(previous) ? previous : picture, isLike(next) ? next : picture)
    var fields: [Picture] = []
    for isFirst in [true, false] {
      let target = try pool.picture(
        layout: picture.layout, width: picture.width, height: picture.height, color: picture.color)
      let planes = picture.layout.planes(width: picture.width, height: picture.height) ?? []
      for (index, plane) in planes.enumerated() {
        guard let made = target.planeBases[index], var before = previous.plane(index, plane),
          var now = picture.plane(index, plane), var after = next.plane(index, plane)
        else { continue }
        cpixels_deinterlace(
          &before, &now, &after, isFirst == (order == .top), isFirst, made, Int(target.planeStrides[index]))
      }
      fields.append(target)
    }
    return fields
  }
}

extension Picture {
  fileprivate func plane(_ index: Int, _ plane: PixelLayout.Plane) -> cpixels_plane? {
    guard let base = planeBases[index] else { return nil }
    let bits = layout.bitsPerSample
    return cpixels_plane(
      base: base, stride: Int(planeStrides[index]),
      width: Int32(clamping: plane.bytesPerRow / (bits > 8 ? 2 : 1)), height: Int32(clamping: plane.rows),
      bits: bits)
  }
}

extension PixelLayout {
  /// Whether each component has its own plane, in this machine's byte order.
  fileprivate var hasPlaneForEachComponent: Bool {
    guard let descriptor = av_pix_fmt_desc_get(format) else { return false }
    let others = AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT
    return descriptor.pointee.flags & UInt64(others) == 0 && descriptor.pointee.comp.0.shift == 0
      && av_pix_fmt_count_planes(format) == Int32(descriptor.pointee.nb_components)
  }

  /// The planar layout with the same chroma resolution, so that lines are not mixed.
  fileprivate var planar: PixelLayout {
    guard let descriptor = av_pix_fmt_desc_get(format) else { return .yuv444p }
    let depth: Int32 = bitsPerSample <= 10 ? 10 : bitsPerSample <= 12 ? 12 : 16
    let bits = bitsPerSample > 8 ? "\(depth)le" : ""
    let name =
      switch (
        isRGB, descriptor.pointee.nb_components, descriptor.pointee.log2_chroma_w,
        descriptor.pointee.log2_chroma_h
      )
      {
      case (true, _, _, _): "gbrp"
      case (_, 1...2, _, _): "gray"
      case (_, _, 1, 1): "yuv420p"
      case (_, _, 1, 0): "yuv422p"
      case (_, _, 2, 0): "yuv411p"
      default: "yuv444p"
      }
    return PixelLayout(name: name + bits) ?? PixelLayout(name: name) ?? .yuv444p
  }
}
