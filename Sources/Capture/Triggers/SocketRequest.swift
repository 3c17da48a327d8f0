package import CameraModel
import Glibc
package import Timebase

/// A request that another program sends through a recording's socket, as one line.
package enum SocketRequest: Hashable, Sendable, CustomStringConvertible {
  /// `trigger`: begins, extends or ends a take.
  case trigger
  /// `still`: takes a still.
  case still
  /// `still largest`: takes a still in the camera's largest mode.
  case largestStill
  /// `mode 640x480@240`: changes the mode.
  case mode(ModeRequest)

  private static let modePrefix = "mode "

  /// Reads a line; `nil` if it is not a request.
  ///
  /// - Throws: `QuantityError` if a requested mode is malformed.
  package init?(line: String) throws(QuantityError) {
    if line == "trigger" {
      self = .trigger
    } else if line == "still" {
      self = .still
    } else if line == "still largest" {
      self = .largestStill
    } else if line.hasPrefix(Self.modePrefix) {
      self = .mode(try ModeRequest(text: String(line.dropFirst(Self.modePrefix.count))))
    } else {
      return nil
    }
  }

  /// The request as a line.
  package var description: String {
    switch self {
    case .trigger: "trigger"
    case .still: "still"
    case .largestStill: "still largest"
    case .mode(let wish): Self.modePrefix + wish.description
    }
  }
}

/// Reads and writes lines of text through a socket.
package enum SocketLine {
  /// Sets the timeout for reads and writes of `socket`, in whole seconds.
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

  /// Reads up to the next newline; `nil` if there is none within `limit` bytes.
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
