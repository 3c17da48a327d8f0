internal import CLibAV

/// Turns and mirrors planar pictures. Use from one thread at a time.
public struct PictureTurner: ~Copyable {
  private let orientation: Orientation
  private var pool = PicturePool()

  /// One that brings pictures into this orientation.
  public init(_ orientation: Orientation) { self.orientation = orientation }

  /// The picture as it is to be shown; the same one where it is so already.
  ///
  /// - Throws: ``MediaError/Code/unsupported`` where its layout is not planar, or would have chroma that no layout has:
  ///   see ``PixelLayout/turned``.
  public mutating func turn(_ picture: Picture) throws(MediaError) -> Picture {
    guard orientation != .upright else { return picture }
    let size = picture.layout.bytesPerPlanarSample
    let layout = orientation.isTurned ? picture.layout.turned : picture.layout
    guard let size, let layout else {
      throw MediaError(.unsupported, "a picture of \(picture.layout) cannot be turned as it lies.")
    }
    let (width, height) = orientation.turned(width: picture.width, height: picture.height)
    let target = try pool.picture(layout: layout, width: width, height: height, color: picture.color)
    for (index, plane) in (layout.planes(width: width, height: height) ?? []).enumerated() {
      guard let from = picture.planeBases[index], let to = target.planeBases[index] else { continue }
      let walk = Walk(
        orientation, columns: plane.bytesPerRow / size, rows: plane.rows, sampleSize: size,
        sourceStride: Int(picture.planeStrides[index]), targetStride: Int(target.planeStrides[index]))
      if size == 1 {
        walk.copy(from, to)
      } else {
        walk.copyDeep(UnsafeRawPointer(from), UnsafeMutableRawPointer(to))
      }
    }
    return target
  }

  /// The way through a plane of the picture in the order in which the turned one has its samples.
  private struct Walk {
    let columns: Int
    let rows: Int
    let targetStride: Int
    /// Bytes from the picture's first sample to that of the first row and column.
    let start: Int
    /// Bytes to the sample of the next column.
    let across: Int
    /// Bytes to the sample of the next row.
    let down: Int

    /// Rows and columns at a time, so that what is read in one direction and written in the other stays in the cache.
    private static let block = 32

    init(
      _ orientation: Orientation, columns: Int, rows: Int, sampleSize: Int, sourceStride: Int,
      targetStride: Int
    ) {
      let stepAcross = orientation.isTurned ? sourceStride : sampleSize
      let stepDown = orientation.isTurned ? sampleSize : sourceStride
      start =
        (orientation.isMirroredAcross ? (columns - 1) * stepAcross : 0)
        + (orientation.isMirroredDown ? (rows - 1) * stepDown : 0)
      across = orientation.isMirroredAcross ? -stepAcross : stepAcross
      down = orientation.isMirroredDown ? -stepDown : stepDown
      self.columns = columns
      self.rows = rows
      self.targetStride = targetStride
    }

    private func forEachRun(_ body: (_ row: Int, _ columns: Range<Int>) -> Void) {
      for top in stride(from: 0, to: rows, by: Self.block) {
        for left in stride(from: 0, to: columns, by: Self.block) {
          for row in top..<min(top + Self.block, rows) { body(row, left..<min(left + Self.block, columns)) }
        }
      }
    }

    func copy(_ source: UnsafeMutablePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>) {
      forEachRun { row, columns in
        let (line, first) = (target + row * targetStride, start + row * down)
        for column in columns { line[column] = source[first &+ column &* across] }
      }
    }

    func copyDeep(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) {
      forEachRun { row, columns in
        let (line, first) = (target + row * targetStride, start + row * down)
        for column in columns {
          line.storeBytes(
            of: source.load(fromByteOffset: first &+ column &* across, as: UInt16.self),
            toByteOffset: 2 &* column, as: UInt16.self)
        }
      }
    }
  }
}

extension PixelLayout {
  /// The layout of such a picture once its rows are columns; `nil` where there is none, as chroma of two samples in a row
  /// becomes chroma of two rows.
  public var turned: PixelLayout? {
    guard let descriptor = av_pix_fmt_desc_get(format), bytesPerPlanarSample != nil else { return nil }
    if descriptor.pointee.log2_chroma_w == descriptor.pointee.log2_chroma_h || isGray { return self }
    let name = description
    if name.contains("422p") { return PixelLayout(name: name.replacing("422p", with: "440p")) }
    if name.contains("440p") { return PixelLayout(name: name.replacing("440p", with: "422p")) }
    return nil
  }

  /// This layout, or the one with a chroma sample for each pixel where its own differ in a row and down, so that a
  /// picture of it can be turned and then be made one of this layout.
  public var turnable: PixelLayout {
    turned == self ? self : PixelLayout(name: description.replacing("422p", with: "444p")) ?? .yuv444p
  }

  /// Bytes of a sample, 1 or 2; `nil` where samples of several kinds share a plane.
  var bytesPerPlanarSample: Int? {
    guard let descriptor = av_pix_fmt_desc_get(format), !isMosaic,
      descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM) == 0,
      av_pix_fmt_count_planes(format) == Int32(descriptor.pointee.nb_components)
    else { return nil }
    let step = Int(descriptor.pointee.comp.0.step)
    return [1, 2].contains(step) ? step : nil
  }
}
