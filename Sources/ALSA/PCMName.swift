/// A name by which libasound opens a device, limited to the part of its language that can only name devices.
///
/// To libasound a name is a kind of program: `file:FILE='|id',FORMAT=raw` runs a shell,
/// `plug:SLAVE='file:...'` does so in quotes, and braces contain a whole configuration. Accepted are a word
/// and, after a colon, values: letters, digits, `_`, `-` and `.`, or a Bluetooth address.
/// ``PCMConfiguration`` checks what the word stands for.
package struct PCMName: Hashable, Sendable {
  /// The whole name, such as `plughw:CARD=Mic,DEV=0`.
  let text: String

  /// The maximum length of a name.
  private static let longest = 256

  /// Reads a name.
  ///
  /// - Throws: `ALSAError` with `badName` if it contains anything else.
  package init(_ text: String) throws(ALSAError) {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    let isName =
      text.utf8.count <= Self.longest && Self.isWord(parts[0])
      && (parts.count == 1
        || parts[1].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).allSatisfy(
          Self.isArgument))
    guard isName else {
      throw ALSAError(
        refusing: text,
        "is not the name of a microphone: it may contain letters, digits and \"_\", \"-\" and \".\", and \"=\" and \",\" after a colon."
      )
    }
    self.text = text
  }

  private static func isWord(_ text: Substring.UTF8View) -> Bool {
    !text.isEmpty && text.allSatisfy { isLetterOrDigit($0) || "_-".utf8.contains($0) }
  }

  /// Returns whether `text` is a value, or a key with one: `0`, `CARD=Mic`, `DEV=00:11:22:AA:BB:CC`.
  private static func isArgument(_ text: Substring.UTF8View) -> Bool {
    let sides = text.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard let value = sides.last, sides.count == 1 || isWord(sides[0]) else { return false }
    return isValue(value) || isBluetoothAddress(value)
  }

  private static func isValue(_ text: Substring.UTF8View) -> Bool {
    !text.isEmpty && text.allSatisfy { isLetterOrDigit($0) || "_-.".utf8.contains($0) }
  }

  private static func isBluetoothAddress(_ text: Substring.UTF8View) -> Bool {
    let bytes = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return bytes.count == 6 && bytes.allSatisfy { $0.count == 2 && $0.allSatisfy(isHexDigit) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }
}
