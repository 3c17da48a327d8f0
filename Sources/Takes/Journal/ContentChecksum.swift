/// A journal's checksum of the bytes of a frame or of audio, which tells them from any other content in their
/// place.
struct ContentChecksum: Hashable {
  /// The checksum itself.
  let value: UInt32
  /// Whether it covers only the first and last 32 bytes, as in earlier versions.
  let isOfEnds: Bool

  init(_ value: UInt32, isOfEnds: Bool) {
    self.value = value
    self.isOfEnds = isOfEnds
  }

  /// Computes the checksum of all of `bytes`.
  init(of bytes: UnsafeRawBufferPointer) { self.init(Self.whole(bytes), isOfEnds: false) }

  /// Returns whether `bytes` are those that were written.
  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    value
      == (isOfEnds
        ? Checksum.crc32(bytes.suffix(32), from: Checksum.crc32(bytes.prefix(32))) : Self.whole(bytes))
  }

  /// An odd number with well-mixed bits: the first prime of xxHash64.
  private static let prime: UInt64 = 0x9e37_79b1_85eb_ca87

  /// Computes the checksum in four lanes of words, to be as fast as memory is read: raw video has a gigabyte
  /// per second. Each step is invertible, so a lane in which one word differs ends with another value.
  private static func whole(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
      let product = (lane ^ word) &* prime
      return product ^ product >> 32
    }
    func word(_ place: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
    var (first, second, third, fourth) = (prime, ~prime, prime << 1, prime >> 1)
    var place = 0
    while place + 32 <= bytes.count {
      first = mixed(first, word(place))
      second = mixed(second, word(place + 8))
      third = mixed(third, word(place + 16))
      fourth = mixed(fourth, word(place + 24))
      place += 32
    }
    var sum = UInt64(bytes.count)
    while place < bytes.count {
      sum = mixed(sum, UInt64(bytes[place]))
      place += 1
    }
    sum = mixed(mixed(mixed(mixed(sum, first), second), third), fourth)
    return UInt32(truncatingIfNeeded: sum ^ sum >> 32)
  }
}
