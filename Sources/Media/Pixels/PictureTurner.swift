package import Platform
internal import CLibAV

/// A turner that rotates and mirrors pictures with planar or packed whole pixels. Use from one thread at a
/// time.
package struct PictureTurner: ~Copyable {
  private let orientation: Orientation
  private var pool = PicturePool()

  /// Creates a turner to this orientation.
  package init(_ orientation: Orientation) { self.orientation = orientation }

  /// Returns the picture in its display orientation; the same one if it already has it.
  ///
  /// - Throws: `unsupported` if pixels share samples in one plane, or no layout has the resulting chroma: see
  ///   ``PixelLayout/turned``.
  package mutating func turn(_ picture: Picture) throws(OvercrankError) -> Picture {
    guard orientation != .upright else { return picture }
    let size = picture.layout.bytesPerUnit
    let layout = orientation.isTurned ? picture.layout.turned : picture.layout
    guard let size, let layout else {
      throw OvercrankError(
        .unsupported, "a picture of \(picture.layout) cannot be turned without conversion.")
    }
    let (width, height) = orientation.turned(width: picture.width, height: picture.height)
    let target = try pool.picture(layout: layout, width: width, height: height, color: picture.color)
    for (index, plane) in (layout.planes(width: width, height: height) ?? []).enumerated() {
      guard let from = picture.planeBases[index], let to = target.planeBases[index] else { continue }
      let walk = Walk(
        orientation, columns: plane.bytesPerRow / size, rows: plane.rows, sampleSize: size,
        sourceStride: Int(picture.planeStrides[index]), targetStride: Int(target.planeStrides[index]))
      switch size {
      case 1: walk.copy(from, to)
      case 2: walk.copyDeep(UnsafeRawPointer(from), UnsafeMutableRawPointer(to))
      default: walk.copy(UnsafeRawPointer(from), UnsafeMutableRawPointer(to), bytes: size)
      }
    }
    return target
  }

  /// A traversal of a plane of the picture in the order of the turned picture's samples.
  private struct Walk {
    let columns: Int
    let rows: Int
    let targetStride: Int
    /// The bytes from the plane's first sample to the turned picture's first one.
    let start: Int
    /// The bytes to the sample of the next column.
    let across: Int
    /// The bytes to the sample of the next row.
    let down: Int

    /// The rows and columns per block, small enough that reading one way and writing the other stays in the
    /// cache.
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

    func copy(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, bytes: Int) {
      forEachRun { row, columns in
        let (line, first) = (target + row * targetStride, start + row * down)
        for column in columns {
          (line + column * bytes).copyMemory(from: source + first + column * across, byteCount: bytes)
        }
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
  /// The layout of such a picture after rows and columns are exchanged; `nil` if there is none, because
  /// horizontally subsampled chroma becomes vertically subsampled.
  public var turned: PixelLayout? {
    guard let descriptor = av_pix_fmt_desc_get(format), bytesPerUnit != nil else { return nil }
    if descriptor.pointee.log2_chroma_w == descriptor.pointee.log2_chroma_h || isGray { return self }
    let name = description
    if name.contains("422p") { return PixelLayout(name: name.replacing("422p", with: "440p")) }
    if name.contains("440p") { return PixelLayout(name: name.replacing("440p", with: "422p")) }
    return nil
  }

  /// This layout, or the one with full chroma resolution if its own differs across and down, so that a
  /// picture in it can be turned and then converted to this layout.
  public var turnable: PixelLayout {
    turned == self ? self : PixelLayout(name: description.replacing("422p", with: "444p")) ?? .yuv444p
  }

  /// The bytes that move as one: a sample of a planar picture, 1 or 2, or a whole packed pixel; `nil` if
  /// pixels share samples in one plane.
  var bytesPerUnit: Int? {
    guard let descriptor = av_pix_fmt_desc_get(format), !isMosaic,
      descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM) == 0
    else { return nil }
    let step = Int(descriptor.pointee.comp.0.step)
    let planes = av_pix_fmt_count_planes(format)
    if planes == Int32(descriptor.pointee.nb_components) { return [1, 2].contains(step) ? step : nil }
    let isWhole = descriptor.pointee.log2_chroma_w == 0 && descriptor.pointee.log2_chroma_h == 0
    return planes == 1 && isWhole && (2...8).contains(step) ? step : nil
  }
}
