import Glibc

/// Lines of text through a socket.
package enum SocketLine {
  /// Lets reads and writes of `socket` fail after `patience`, in whole seconds.
  static func setPatience(_ patience: Duration, of socket: Int32) {
    var limit = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
  }

  /// Sends `line` and a newline.
  static func write(_ line: String, to socket: Int32) {
    let bytes = Array("\(line)\n".utf8)
    _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Reads up to the next newline; `nil` where none comes within `limit` bytes.
  package static func read(from socket: Int32, atMost limit: Int = 1000) -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < limit, recv(socket, &byte, 1, 0) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }
}
