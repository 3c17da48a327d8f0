package import Platform
internal import CLibAV
internal import CPixels

/// Which of an interlaced frame's two fields was filmed first.
public enum FieldOrder: String, Hashable, Sendable {
  /// The first, third and further lines.
  case top
  /// The second, fourth and further lines.
  case bottom
}

extension VideoTrack {
  /// Which field is shown first; `nil` where its frames are not interlaced, or nobody said.
  public var fieldOrder: FieldOrder? {
    // The first letter counts, as libav's rawdec.c and yuv4mpegenc.c and Matroska have it: ffmpeg writes TB and BT where
    // the lines of both fields alternate, and the comments in libav's header are of other files.
    switch parameters?.values.field_order {
    case AV_FIELD_TT, AV_FIELD_TB: .top
    case AV_FIELD_BB, AV_FIELD_BT: .bottom
    default: firstFieldOrder
    }
  }
}

extension FieldOrder? {
  /// libav's word for it.
  var libav: AVFieldOrder {
    switch self {
    case .top: AV_FIELD_TT
    case .bottom: AV_FIELD_BB
    case nil: AV_FIELD_UNKNOWN
    }
  }
}

/// Makes a whole picture of each field of interlaced frames: twice as many pictures a second.
///
/// Where little moves, the other field's lines are those of the moments around it; where more does, they are made of the
/// field's own lines by w3fdif's filters. Use from one thread at a time.
package struct Deinterlacer: ~Copyable {
  private let order: FieldOrder
  private var pool = PicturePool()
  private var converter: PictureConverter?

  /// - Parameter order: which field was filmed first.
  package init(_ order: FieldOrder) { self.order = order }

  /// `picture` as ``fields(of:after:before:)`` needs it: planar.
  ///
  /// - Throws: `unsupported` where libswscale cannot read its layout.
  package mutating func prepare(_ picture: Picture) throws(OvercrankError) -> Picture {
    guard !picture.layout.hasPlaneForEachComponent else { return picture }
    let layout = picture.layout.planar
    if converter == nil {
      converter = PictureConverter(
        width: picture.width, height: picture.height, color: picture.color, layout: layout)
    }
    return try converter?.convert(picture) ?? picture
  }

  /// The two pictures of `picture`, in the order they were filmed.
  ///
  /// - Parameters:
  ///   - picture: a frame.
  ///   - previous: the frame before it; `picture` where there is none.
  ///   - next: the frame after it; `picture` where there is none.
  /// - Throws: `OvercrankError` without memory.
  /// - Precondition: all have been prepared.
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
  /// Whether each of its components lies in a plane of its own, in this machine's order.
  fileprivate var hasPlaneForEachComponent: Bool {
    guard let descriptor = av_pix_fmt_desc_get(format) else { return false }
    let others = AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT
    return descriptor.pointee.flags & UInt64(others) == 0 && descriptor.pointee.comp.0.shift == 0
      && av_pix_fmt_count_planes(format) == Int32(descriptor.pointee.nb_components)
  }

  /// The planar layout whose chroma is as fine, so that no line is mixed with another.
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
