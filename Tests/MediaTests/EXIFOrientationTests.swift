import Testing

@testable import Media

@Suite("The orientation in EXIF data") struct EXIFOrientationTests {
  /// EXIF data of either byte order whose directory has a tag before the orientation.
  private func exif(_ number: UInt8, isBigEndian: Bool) -> [UInt8] {
    func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
      return isBigEndian ? bytes.reversed() : bytes
    }
    let other = bytes(0x0100, 2) + bytes(4, 2) + bytes(1, 4) + bytes(6, 4)
    let orientation = bytes(0x0112, 2) + bytes(3, 2) + bytes(1, 4) + bytes(UInt32(number), 2) + [0, 0]
    return Array((isBigEndian ? "MM" : "II").utf8) + bytes(42, 2) + bytes(8, 4) + bytes(2, 2) + other
      + orientation
      + bytes(0, 4)
  }

  @Test("is one of eight, in either byte order", arguments: [false, true])
  func all(_ isBigEndian: Bool) {
    // Whether rows become columns, and then whether left and right, and top and bottom, are swapped.
    let expected = [
      (false, false, false), (false, true, false), (false, true, true), (false, false, true),
      (true, false, false), (true, true, false), (true, true, true), (true, false, true),
    ]
    for (number, expected) in zip(UInt8(1)..., expected) {
      let orientation = Orientation.stated(inEXIF: exif(number, isBigEndian: isBigEndian))
      #expect(orientation?.isTurned == expected.0, "\(number)")
      #expect(orientation?.isMirroredAcross == expected.1, "\(number)")
      #expect(orientation?.isMirroredDown == expected.2, "\(number)")
    }
    #expect(Orientation.stated(inEXIF: exif(0, isBigEndian: isBigEndian)) == nil)
    #expect(Orientation.stated(inEXIF: exif(9, isBigEndian: isBigEndian)) == nil)
    for count in 0..<32 {
      #expect(Orientation.stated(inEXIF: Array(exif(6, isBigEndian: isBigEndian).prefix(count))) == nil)
    }
    #expect(Orientation.stated(inEXIF: Array("MM".utf8) + [UInt8](repeating: 0xff, count: 20)) == nil)
  }
}
