/// The messages in a packet of Open Sound Control, the protocol of show controllers, phones and instruments.
enum OSCMessage {
  /// The depth to which bundles may contain each other.
  private static let deepest = 8

  /// Returns whether `packet` is, or contains, a message to `address` that triggers.
  ///
  /// A button sends 1 when it is pressed and 0 when it is released, so a message whose first argument is zero
  /// or false does not trigger.
  static func triggers(_ address: String, in packet: [UInt8]) -> Bool {
    triggers(address, in: packet[...], depth: 0)
  }

  private static func triggers(_ address: String, in packet: ArraySlice<UInt8>, depth: Int) -> Bool {
    guard let (name, content) = text(at: packet) else { return false }
    if name == "#bundle" {
      // The time of a bundle is ignored: what it asks for happens on arrival.
      var rest = content.dropFirst(8)
      while depth < deepest, let size = number(rest), size > 0, Int(size) <= rest.count - 4 {
        if triggers(address, in: rest.dropFirst(4).prefix(Int(size)), depth: depth + 1) { return true }
        rest = rest.dropFirst(4 + Int(size))
      }
      return false
    }
    return name == address && !isRelease(content)
  }

  /// Returns whether the first argument of a message is zero, false or cut off.
  private static func isRelease(_ content: ArraySlice<UInt8>) -> Bool {
    guard let (tags, arguments) = text(at: content), tags.first == "," else { return false }
    switch tags.dropFirst().first {
    case "F": return true
    case "i": return number(arguments) ?? 0 == 0
    // The sign of zero is ignored.
    case "f": return (number(arguments) ?? 0) << 1 == 0
    case "h", "d":
      guard let high = number(arguments), let low = number(arguments.dropFirst(4)) else { return true }
      return (tags.dropFirst().first == "d" ? high << 1 : high) == 0 && low == 0
    default: return false
    }
  }

  /// Returns the text at the start of `bytes`, and what follows its padding; `nil` if there is no text.
  private static func text(at bytes: ArraySlice<UInt8>) -> (String, ArraySlice<UInt8>)? {
    guard let end = bytes.firstIndex(of: 0) else { return nil }
    let length = end - bytes.startIndex
    return (String(decoding: bytes[..<end], as: UTF8.self), bytes.dropFirst(length / 4 * 4 + 4))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    guard bytes.count >= 4 else { return nil }
    return bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Returns whether `text` can be the address of a message: `/trigger`, `/stage/1/go`.
  static func isAddress(_ text: some StringProtocol) -> Bool {
    // The other printable characters have a meaning in patterns.
    text.hasPrefix("/") && text.utf8.count > 1 && text.utf8.count <= 200
      && text.utf8.allSatisfy {
        (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) && !"#*,?[]{}".utf8.contains($0)
      }
  }
}
