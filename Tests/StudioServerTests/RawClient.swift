import Foundation
import Testing

@testable import StudioServer

/// A socket on which any bytes can be sent. All waiting is bounded.
final class RawClient: @unchecked Sendable {
  let descriptor: Int32

  struct Failure: Error { var what: String }

  init(_ port: Int, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(what: "socket: \(errno)") }
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var patience = timeval(tv_sec: 600, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      throw Failure(what: "connect: \(errno)")
    }
  }

  deinit { close(descriptor) }

  /// Sends all of it, or as much as is accepted.
  ///
  /// - Returns: whether all was accepted.
  @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Up to `count` bytes; empty if the other side has closed or reset the connection.
  func receive(_ count: Int = 1 << 16) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      used = max(0, recv(descriptor, buffer.baseAddress, count, 0))
    }
  }

  private var pending: [UInt8] = []

  /// All bytes until the other side closes.
  func receiveAll() -> String {
    while true {
      let more = receive()
      if more.isEmpty { break }
      pending += more
    }
    defer { pending = [] }
    return String(decoding: pending, as: UTF8.self)
  }

  /// One answer with its body, by its length or chunks.
  func receiveAnswer(isHead: Bool = false) throws -> RawAnswer {
    let head = try receiveHead()
    var answer = RawAnswer(head)
    guard !isHead, answer.status >= 200, answer.status != 204, answer.status != 304 else { return answer }
    if answer.field("transfer-encoding") == "chunked" {
      while let chunk = try receiveChunk() { answer.body += chunk }
    } else if let length = answer.field("content-length").flatMap({ Int($0) }) {
      answer.body = try take(length)
    }
    return answer
  }

  func receiveHead() throws -> String {
    while true {
      if let end = pending.firstRange(of: Array("\r\n\r\n".utf8)) {
        let head = String(decoding: pending[..<end.lowerBound], as: UTF8.self)
        pending.removeFirst(end.upperBound)
        return head
      }
      try more()
    }
  }

  /// The next chunk; `nil` after the last.
  func receiveChunk() throws -> [UInt8]? {
    while true {
      if let end = pending.firstRange(of: Array("\r\n".utf8)) {
        guard let size = Int(String(decoding: pending[..<end.lowerBound], as: UTF8.self), radix: 16) else {
          throw Failure(what: "no chunk")
        }
        pending.removeFirst(end.upperBound)
        let bytes = try take(size)
        _ = try take(2)
        return size == 0 ? nil : bytes
      }
      try more()
    }
  }

  private func take(_ count: Int) throws -> [UInt8] {
    while pending.count < count { try more() }
    defer { pending.removeFirst(count) }
    return Array(pending.prefix(count))
  }

  private func more() throws {
    let bytes = receive()
    guard !bytes.isEmpty else {
      throw Failure(what: "closed after \(String(decoding: pending, as: UTF8.self))")
    }
    pending += bytes
  }
}

/// A server's answer.
struct RawAnswer {
  var status: Int
  var fields: [(String, String)]
  var body: [UInt8] = []

  init(_ head: String) {
    let lines = head.components(separatedBy: "\r\n")
    status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
    fields = lines.dropFirst().map { line in
      let sides = line.split(separator: ":", maxSplits: 1)
      return (sides[0].lowercased(), sides.count > 1 ? sides[1].trimmingCharacters(in: .whitespaces) : "")
    }
  }

  func field(_ name: String) -> String? { fields.first { $0.0 == name }?.1 }
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The code of an error.
  var code: String? {
    struct Body: Decodable {
      struct Fault: Decodable { var code: String }
      var error: Fault
    }
    return try? JSONDecoder().decode(Body.self, from: Data(body)).error.code
  }
}
