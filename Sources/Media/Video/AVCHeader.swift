/// The header of a file with H.264 without start codes: `AVCDecoderConfigurationRecord` of ISO/IEC 14496-15.
enum AVCHeader {
  /// A header of frames that contain their parameter sets; the lengths of units have four bytes.
  ///
  /// Profile and level, here those of the simplest streams, are in the sets too, and decoders take them from there.
  static let withoutSets: [UInt8] = [1, 66, 0, 30, 0xff, 0xe0, 0]

  /// Returns a header with the parameter sets of `frame`, for players that read only the header; `nil` if it has none.
  static func collected(from frame: UnsafeRawBufferPointer) -> [UInt8]? {
    func sets(_ type: UInt8) -> [UnsafeRawBufferPointer] {
      LengthPrefixedUnits(frame).map { UnsafeRawBufferPointer(rebasing: frame[$0]) }.filter {
        $0[0] & 0x1f == type && $0.count <= Int(UInt16.max)
      }
    }
    func listed(_ sets: some Collection<UnsafeRawBufferPointer>) -> [UInt8] {
      sets.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xff)] + $0 }
    }
    // The header counts them in five bits, and in eight.
    let (sequence, picture) = (sets(7).prefix(31), sets(8).prefix(255))
    guard let first = sequence.first, first.count >= 4, !picture.isEmpty else { return nil }
    let header = [1, first[1], first[2], first[3], 0xff, 0xe0 | UInt8(sequence.count)] + listed(sequence)
    // The High profile's header states its chroma and depth, which is 4:2:0 and 8 bits in that profile.
    return header + [UInt8(picture.count)] + listed(picture) + (first[1] == 100 ? [0xfd, 0xf8, 0xf8, 0] : [])
  }
}
