/// Bytes as they come from standard input or a socket, cut into lines.
package struct InputLines {
  /// Nobody keeps a longer line, and nobody's memory is to fill with one that never ends.
  package static let longest = 1000

  private var line: [UInt8] = []

  package init() {}

  /// The lines that end within `bytes`, without their newlines; each is cut after ``longest`` bytes.
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
