/// Samples of fewer bits than two bytes, as a stream of bits, in groups that begin at a byte.
struct SampleStream: Hashable, Sendable {
  /// The bits of a sample, from 9 to 16.
  let bits: Int
  /// Whether the first bit is the highest of the first byte; otherwise it is the lowest.
  let isHighFirst: Bool
  /// The samples of a group.
  let samplesPerGroup: Int
  /// The bytes of a group, with its padding.
  let bytesPerGroup: Int

  /// Returns the bytes of a row of `width` samples, without padding at its end.
  func byteCount(of width: Int) -> Int {
    let (groups, rest) = width.quotientAndRemainder(dividingBy: samplesPerGroup)
    return groups * bytesPerGroup + (rest * bits + 7) / 8
  }

  /// Unpacks a row of `width` samples to little-endian words that use all 16 bits.
  func unpack(_ row: UnsafePointer<UInt8>, width: Int, to target: UnsafeMutablePointer<UInt8>) {
    for column in 0..<width {
      let (group, index) = column.quotientAndRemainder(dividingBy: samplesPerGroup)
      let (byte, bit) = (index * bits).quotientAndRemainder(dividingBy: 8)
      let start = row + group * bytesPerGroup + byte
      var number: UInt32 = 0
      for place in 0..<(bit + bits + 7) / 8 {
        number |= UInt32(start[place]) << UInt32(isHighFirst ? 16 - 8 * place : 8 * place)
      }
      let shift = isHighFirst ? 24 - bit - bits : bit
      let sample = (number >> UInt32(shift)) << UInt32(16 - bits)
      target[2 * column] = UInt8(truncatingIfNeeded: sample)
      target[2 * column + 1] = UInt8(truncatingIfNeeded: sample >> 8)
    }
  }
}
