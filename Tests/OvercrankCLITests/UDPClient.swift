import Glibc
import Platform

/// A program that sends datagrams to a recording on this machine, and hears its answers.
final class UDPClient {
  private let descriptor: Int32

  /// Creates a client of `port` of the loopback interface.
  init(to port: UInt16) throws(OvercrankError) {
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard Self.call(connect, descriptor, port) == 0 else {
      throw OvercrankError(.noAddress, "no way to UDP port \(port) (errno \(errno))")
    }
  }

  deinit { close(descriptor) }

  /// Sends `bytes`, and again while no program receives there, until an answer comes; `nil` if none does.
  func ask(_ bytes: [UInt8]) -> String? {
    for _ in 0..<500 {
      guard send(descriptor, bytes, bytes.count, 0) == bytes.count else {
        usleep(20_000)
        continue
      }
      var answer = [UInt8](repeating: 0, count: 1000)
      let count = recv(descriptor, &answer, answer.count, 0)
      if count >= 0 { return String(decoding: answer.prefix(count), as: UTF8.self) }
      guard errno == ECONNREFUSED else { return nil }
      usleep(20_000)
    }
    return nil
  }

  /// Sends `bytes` as often as `count` says, without hearing answers.
  func flood(_ bytes: [UInt8], count: Int) {
    for _ in 0..<count { send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT)) }
  }

  /// Returns a port at which no program receives.
  static func freePort() -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    _ = call(bind, descriptor, 0)
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32, _ port: UInt16
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
