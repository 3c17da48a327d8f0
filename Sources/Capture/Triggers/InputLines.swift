/// A splitter of bytes from standard input or a socket into lines.
package struct InputLines {
  /// The limit on a line's length in bytes, so that a line that never ends does not fill the memory.
  package static let longest = 1000

  private var line: [UInt8] = []

  package init() {}

  /// Returns the lines that end within `bytes`, without their newlines; each is truncated to ``longest``
  /// bytes.
  package mutating func take(_ bytes: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        if line.count < Self.longest { line.append(byte) }
        continue
      }
      lines.append(String(decoding: line, as: UTF8.self))
      line.removeAll(keepingCapacity: true)
    }
    return lines
  }
}
