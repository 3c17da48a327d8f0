/// Writes frames as H.264 in Annex B, without loss: every macroblock is either copied from the frame before or stored
/// as it is (I_PCM). So it needs no encoder, and frames depend on others as those of a camera do.
///
/// The clauses are those of ITU-T H.264 (08/2021).
struct H264Writer {
  /// The size of the picture in pixels.
  let width: Int
  let height: Int
  /// The frames from one key frame to the next.
  static let keyframeInterval: UInt32 = 30

  private var columns: Int { (width + 15) / 16 }
  private var rows: Int { (height + 15) / 16 }

  /// The maximum size of a frame in bytes. Every third byte may be one that prevents a start code.
  var largestByteCount: Int { (columns * rows * 390 + 256) / 2 * 3 }

  private var chromaWidth: Int { (width + 1) / 2 }
  private var chromaHeight: Int { (height + 1) / 2 }

  /// Writes frame `number` to `target`, and returns the number of bytes.
  ///
  /// - Parameters:
  ///   - frame: its pixels, in planar 4:2:0.
  ///   - former: those of the frame before it; not used for a key frame.
  func write(
    _ number: UInt32, _ frame: UnsafePointer<UInt8>, after former: UnsafePointer<UInt8>,
    to target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var bits = NALWriter(target)
    let index = number % Self.keyframeInterval
    let isKeyframe = index == 0
    if isKeyframe { writeParameterSets(&bits) }
    // 7.3.3: the slice header.
    bits.begin(isKeyframe ? 0x65 : 0x41)
    bits.unsigned(0)
    bits.unsigned(isKeyframe ? 7 : 5)
    bits.unsigned(0)
    bits.put(index, 16)
    if isKeyframe { bits.unsigned(number / Self.keyframeInterval % 2) }
    // A P slice neither overrides the number of references nor reorders them; neither kind marks any.
    bits.put(0, isKeyframe ? 2 : 3)
    bits.unsigned(0)
    bits.unsigned(1)
    // 7.3.4: the macroblocks.
    var skipped: UInt32 = 0
    for row in 0..<rows {
      for column in 0..<columns {
        if !isKeyframe {
          guard differs(column, row, frame, former) else {
            skipped += 1
            continue
          }
          bits.unsigned(skipped)
          skipped = 0
        }
        bits.unsigned(isKeyframe ? 25 : 30)
        bits.align()
        store(column, row, of: frame, &bits)
      }
    }
    if skipped > 0 { bits.unsigned(skipped) }
    bits.end()
    return bits.next - target
  }

  private func writeParameterSets(_ bits: inout NALWriter) {
    // 7.3.2.1.1: Constrained Baseline, level 5.1, without a limit of its own on the picture.
    bits.begin(0x67)
    bits.put(66, 8)
    bits.put(0xc0, 8)
    bits.put(51, 8)
    bits.unsigned(0)
    // Frame numbers of 16 bits; frames are shown in the order in which they are decoded.
    bits.unsigned(12)
    bits.unsigned(2)
    bits.unsigned(1)
    bits.put(0, 1)
    bits.unsigned(UInt32(columns - 1))
    bits.unsigned(UInt32(rows - 1))
    bits.put(0b11, 2)
    let (right, bottom) = (columns * 16 - width, rows * 16 - height)
    bits.put(right + bottom > 0 ? 1 : 0, 1)
    if right + bottom > 0 {
      bits.unsigned(0)
      bits.unsigned(UInt32(right / 2))
      bits.unsigned(0)
      bits.unsigned(UInt32(bottom / 2))
    }
    bits.put(0, 1)
    bits.end()
    // 7.3.2.2: CAVLC, with control of the deblocking filter, which slices switch off.
    bits.begin(0x68)
    bits.unsigned(0)
    bits.unsigned(0)
    bits.put(0, 2)
    bits.unsigned(0)
    bits.unsigned(0)
    bits.unsigned(0)
    bits.put(0, 3)
    for _ in 0..<3 { bits.unsigned(0) }
    bits.put(0b100, 3)
    bits.end()
  }

  /// The planes: offset, width and height in samples, and the side of a macroblock in it.
  private func plane(_ index: Int) -> (offset: Int, width: Int, height: Int, side: Int) {
    if index == 0 { return (0, width, height, 16) }
    return (width * height + (index - 1) * chromaWidth * chromaHeight, chromaWidth, chromaHeight, 8)
  }

  private func differs(
    _ column: Int, _ row: Int, _ frame: UnsafePointer<UInt8>, _ former: UnsafePointer<UInt8>
  ) -> Bool {
    for index in 0..<3 {
      let plane = plane(index)
      let (left, top) = (column * plane.side, row * plane.side)
      let count = min(plane.side, plane.width - left)
      for line in top..<min(top + plane.side, plane.height) {
        let start = plane.offset + line * plane.width + left
        for place in start..<start + count where frame[place] != former[place] { return true }
      }
    }
    return false
  }

  /// Writes the samples of a macroblock; beyond the picture's edges, those at the edges.
  private func store(
    _ column: Int, _ row: Int, of frame: UnsafePointer<UInt8>, _ bits: inout NALWriter
  ) {
    for index in 0..<3 {
      let plane = plane(index)
      for line in row * plane.side..<(row + 1) * plane.side {
        let start = frame + plane.offset + min(line, plane.height - 1) * plane.width
        for place in column * plane.side..<(column + 1) * plane.side {
          bits.byte(start[min(place, plane.width - 1)])
        }
      }
    }
  }
}

/// A writer of the bits of NAL units.
private struct NALWriter {
  /// The place of the next byte.
  private(set) var next: UnsafeMutablePointer<UInt8>
  private var pending: UInt8 = 0
  private var pendingCount = 0
  /// The zero bytes directly before the next one.
  private var zeroCount = 0

  init(_ target: UnsafeMutablePointer<UInt8>) { next = target }

  /// Begins a NAL unit with its start code.
  mutating func begin(_ header: UInt8) {
    for index in 0..<4 { write(index == 3 ? 1 : 0) }
    write(header)
    zeroCount = 0
  }

  /// Ends a NAL unit with its trailing bits.
  mutating func end() {
    put(1, 1)
    align()
  }

  /// Writes the low `count` bits of `value`, the highest first.
  mutating func put(_ value: UInt32, _ count: Int) {
    for bit in stride(from: count - 1, through: 0, by: -1) {
      pending = pending << 1 | UInt8(truncatingIfNeeded: value >> UInt32(bit) & 1)
      pendingCount += 1
      if pendingCount == 8 { flush() }
    }
  }

  /// Writes `value` in an Exp-Golomb code: ue(v) of clause 9.1.
  mutating func unsigned(_ value: UInt32) {
    let length = 32 - (value + 1).leadingZeroBitCount
    put(0, length - 1)
    put(value + 1, length)
  }

  /// Writes zeros up to the next byte.
  mutating func align() { if pendingCount > 0 { put(0, 8 - pendingCount) } }

  /// Writes a byte at the beginning of one.
  mutating func byte(_ value: UInt8) {
    // 7.4.1: no start code may occur inside.
    if zeroCount >= 2, value <= 3 { write(3) }
    write(value)
  }

  private mutating func flush() {
    byte(pending)
    (pending, pendingCount) = (0, 0)
  }

  private mutating func write(_ value: UInt8) {
    next.pointee = value
    next += 1
    zeroCount = value == 0 ? zeroCount + 1 : 0
  }
}
