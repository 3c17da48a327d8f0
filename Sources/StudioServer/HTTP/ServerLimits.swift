import Overcrank

/// How much of everything a connection and the server take, and how long they wait. Tests make them short.
struct ServerLimits: Sendable {
  /// Connections at once.
  var connections = 64
  /// Streams, which stay open, at once.
  var streams = 32
  /// Calls that wait for a disk or a decoder at once.
  var waitingCalls = 32
  /// Bytes of the request line and all header fields together.
  var headBytes = 16 << 10
  /// Bytes of one header field, or of the request line.
  var fieldBytes = 8 << 10
  /// Header fields.
  var fields = 64
  /// Bytes of a body.
  var bodyBytes = 64 << 10
  /// Tickets that wait to be used.
  var tickets = 256
  /// From the first byte of a request, or from a new connection on, until its end.
  var requestTime = Duration.seconds(10)
  /// Between two requests.
  var idleTime = Duration.seconds(60)
  /// For a reader to take some of what was written for it.
  var stallTime = Duration.seconds(10)
  /// For a reader to see the answer to a request that was not read to its end.
  var lingerTime = Duration.seconds(1)
  /// Between two signs of life of a stream that has nothing to tell.
  var heartbeat = Duration.seconds(15)
}
