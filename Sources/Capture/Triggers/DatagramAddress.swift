import Glibc
import Timebase

/// An address at which datagrams arrive.
struct DatagramAddress: Hashable, Sendable {
  /// The address in digits; `nil` for the loopback interface, which only this machine reaches.
  let host: String?
  /// The UDP port.
  let port: UInt16

  /// Reads a port, `9000`, or an address and a port: `0.0.0.0:9000`, `[::]:9000`.
  ///
  /// - Throws: `QuantityError` if `text` is neither. A host's name is refused, as it may have several
  ///   addresses.
  init(text: String) throws(QuantityError) {
    let colon = text.lastIndex(of: ":")
    let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
    guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let port = UInt16(digits), port > 0
    else {
      throw QuantityError(text, expected: "a UDP port from 1 to 65535, such as 9000 or 0.0.0.0:9000")
    }
    self.port = port
    host = try colon.map { end throws(QuantityError) in try Self.host(text[..<end], of: text) }
  }

  private static func host(_ part: Substring, of text: String) throws(QuantityError) -> String {
    if part.hasPrefix("["), part.hasSuffix("]") {
      let host = part.dropFirst().dropLast()
      let zone = host.firstIndex(of: "%").map { host[host.index(after: $0)...] }
      if isAddress(host.prefix { $0 != "%" }, AF_INET6), zone.map(isInterface) ?? true { return String(host) }
    } else if isAddress(part, AF_INET) {
      return String(part)
    }
    throw QuantityError(
      text, expected: "an address in digits and a port, such as 192.168.1.5:9000 or [::1]:9000")
  }

  private static func isAddress(_ text: Substring, _ family: Int32) -> Bool {
    var address = in6_addr()
    // A zero byte would hide the rest of the text from the C library.
    return !text.utf8.contains(0) && inet_pton(family, String(text), &address) == 1
  }

  private static func isInterface(_ name: Substring) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) }
  }

  /// The addresses to listen at. A sender to `localhost` may use either of the first two.
  var hosts: [String] { host.map { [$0] } ?? ["127.0.0.1", "::1"] }
}

extension DatagramAddress: CustomStringConvertible {
  /// The address as text that ``init(text:)`` reads.
  var description: String {
    guard let host else { return "\(port)" }
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
