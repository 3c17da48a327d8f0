public import Platform
internal import CLibAV

/// The coverage of each pixel of a rectangle by ink, and by ink with its dark edge.
public struct TextMask: Hashable, Sendable {
  /// The pixels per row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The coverage by ink, from 0 to 255.
  private(set) var ink: [UInt8]
  /// The coverage by ink and edge, from 0 to 255.
  private(set) var edge: [UInt8]

  /// Creates an empty mask.
  init(width: Int, height: Int) {
    (self.width, self.height) = (max(0, width), max(0, height))
    ink = Array(repeating: 0, count: self.width * self.height)
    edge = ink
  }

  /// Sets the coverage of a pixel, from 0 to 1.
  mutating func set(_ x: Int, _ y: Int, ink: Double, edge: Double) {
    func byte(_ share: Double) -> UInt8 { UInt8(clamping: (min(max(share, 0), 1) * 255).rounded()) }
    self.ink[y * width + x] = byte(ink)
    self.edge[y * width + x] = byte(edge)
  }

  /// Adds the part of `other` that lies in this mask, with its upper left corner at (`x`, `y`).
  mutating func add(_ other: TextMask, x: Int, y: Int) {
    for row in max(0, -y)..<max(0, -y, min(other.height, height - y)) {
      for column in max(0, -x)..<max(0, -x, min(other.width, width - x)) {
        let (from, to) = (row * other.width + column, (y + row) * width + x + column)
        ink[to] = max(ink[to], other.ink[from])
        edge[to] = max(edge[to], other.edge[from])
      }
    }
  }
}

extension Picture {
  /// Draws `mask` on the picture in white and black, in place; on a copy if its memory is shared.
  ///
  /// - Parameters:
  ///   - mask: the text to draw.
  ///   - x: the pixels to the left of it, rounded down to an even number; anything outside the picture is
  ///     clipped.
  ///   - y: the rows above it, likewise.
  /// - Throws: `unsupported` for layouts that are not planar.
  public consuming func written(_ mask: TextMask, x: Int, y: Int) throws(OvercrankError) -> Picture {
    let layout = layout
    guard let descriptor = av_pix_fmt_desc_get(layout.format),
      descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PLANAR) != 0 || layout.isGray,
      let planes = layout.planes(width: width, height: height)
    else { throw OvercrankError(.unsupported, "text cannot be drawn on pictures of \(layout).") }
    guard av_frame_make_writable(frame) >= 0 else { throw OvercrankError.outOfMemory("a picture") }
    let bits = layout.bitsPerSample
    let isFull = color.range == .full || layout.isRGB
    let (black, white): (Int32, Int32) =
      isFull ? (0, 1 << bits - 1) : (16 << Int32(bits - 8), 235 << Int32(bits - 8))
    for (index, plane) in planes.enumerated() {
      guard let base = planeBases[index] else { continue }
      let isChroma = !layout.isRGB && (index == 1 || index == 2)
      let opaque: Int32? = index == 3 ? 1 << bits - 1 : nil
      let ink = Ink(
        mask: mask, x: x & ~1, y: y & ~1, columns: plane.bytesPerRow / (bits > 8 ? 2 : 1), rows: plane.rows,
        across: isChroma ? Int(descriptor.pointee.log2_chroma_w) : 0,
        down: isChroma ? Int(descriptor.pointee.log2_chroma_h) : 0,
        // Grey has neutral chroma: there, black and white are equal.
        black: opaque ?? (isChroma ? 1 << (bits - 1) : black),
        white: opaque ?? (isChroma ? 1 << (bits - 1) : white))
      if bits > 8 {
        ink.put(on: UnsafeMutableRawPointer(base), Int(planeStrides[index]), UInt16.self)
      } else {
        ink.put(on: UnsafeMutableRawPointer(base), Int(planeStrides[index]), UInt8.self)
      }
    }
    return self
  }
}

/// A mask with its place on a plane.
private struct Ink {
  let mask: TextMask
  let x: Int
  let y: Int
  let columns: Int
  let rows: Int
  /// The number of pixels that share a sample, as powers of two.
  let across: Int
  let down: Int
  let black: Int32
  let white: Int32

  func put<Sample: FixedWidthInteger>(
    on base: UnsafeMutableRawPointer, _ stride: Int, _ type: Sample.Type
  ) {
    let (left, top) = (x >> across, y >> down)
    let width = (mask.width + (1 << across) - 1) >> across
    let height = (mask.height + (1 << down) - 1) >> down
    mask.ink.withUnsafeBufferPointer { ink in
      mask.edge.withUnsafeBufferPointer { edge in
        for row in max(0, -top)..<max(0, -top, min(height, rows - top)) {
          let line = base + (top + row) * stride
          for column in max(0, -left)..<max(0, -left, min(width, columns - left)) {
            let dark = mean(edge, column, row)
            guard dark > 0 else { continue }
            let offset = (left + column) * MemoryLayout<Sample>.size
            var value = Int32(
              truncatingIfNeeded: Sample(littleEndian: line.load(fromByteOffset: offset, as: Sample.self)))
            value = mixed(value, with: black, dark)
            value = mixed(value, with: white, mean(ink, column, row))
            line.storeBytes(
              of: Sample(truncatingIfNeeded: value).littleEndian, toByteOffset: offset, as: Sample.self)
          }
        }
      }
    }
  }

  private func mixed(_ value: Int32, with other: Int32, _ share: Int32) -> Int32 {
    (value * (255 - share) + other * share + 127) / 255
  }

  /// Returns the mean of the pixels that share a sample.
  private func mean(_ shares: UnsafeBufferPointer<UInt8>, _ column: Int, _ row: Int) -> Int32 {
    if across == 0, down == 0 { return Int32(shares[row * mask.width + column]) }
    var sum: Int32 = 0
    for y in (row << down)..<min((row + 1) << down, mask.height) {
      for x in (column << across)..<min((column + 1) << across, mask.width) {
        sum += Int32(shares[y * mask.width + x])
      }
    }
    return sum >> Int32(across + down)
  }
}
