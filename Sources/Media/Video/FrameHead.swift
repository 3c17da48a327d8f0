/// The first bits of a frame, for codecs that state a frame's role there.
struct FrameHead {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(_ frame: UnsafeRawBufferPointer) { bytes = frame }

  /// Takes the next `count` bits, the first one as the highest. Bits after the frame's end are 1, which states no key
  /// frame in any of the codecs.
  private mutating func next(_ count: Int) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      let byte = place / 8 < bytes.count ? bytes[place / 8] : 0xff
      value = value << 1 | UInt32(byte >> (7 - UInt8(place % 8)) & 1)
      place += 1
    }
    return value
  }

  /// RFC 6386, 9.1: a key frame has a start code after its tag.
  static func vp8(_ frame: UnsafeRawBufferPointer) -> FrameRole {
    guard frame.count > 5, frame[0] & 1 == 0 else { return .dependent }
    return frame[3...5].elementsEqual([0x9d, 0x01, 0x2a]) ? .entry : .dependent
  }

  /// VP9 Bitstream Specification, 6.2: the uncompressed header. Of a superframe, the first frame counts.
  static func vp9(_ frame: UnsafeRawBufferPointer) -> FrameRole {
    var head = FrameHead(frame)
    guard head.next(2) == 2 else { return .dependent }
    if head.next(2) == 3 { _ = head.next(1) }
    // It shows an earlier frame again, or is not a key frame; the rest of the byte is read before the start code.
    guard head.next(1) == 0, head.next(1) == 0, head.next(2) <= 3 else { return .dependent }
    return head.next(24) == 0x49_8342 ? .entry : .dependent
  }

  /// ITU-T H.263, 5.1: the picture's type, also in the extended form of 5.1.4.
  static func h263(_ frame: UnsafeRawBufferPointer) -> FrameRole {
    var head = FrameHead(frame)
    // The start code, and the picture's time.
    guard head.next(22) == 0x20, head.next(8) <= 0xff, head.next(2) == 2 else { return .dependent }
    _ = head.next(3)
    guard head.next(3) == 7 else { return head.next(1) == 0 ? .entry : .dependent }
    if head.next(3) == 1 { _ = head.next(18) }
    return head.next(3) == 0 ? .entry : .dependent
  }
}
