import Overcrank

/// The limits of a server and its connections, in amounts and times. Tests use shorter times.
struct ServerLimits: Sendable {
  /// Simultaneous connections.
  var connections = 64
  /// Simultaneous streams, which stay open.
  var streams = 32
  /// Simultaneous calls that block on a disk or a decoder.
  var waitingCalls = 32
  /// Bytes of the request line and all header fields together.
  var headBytes = 16 << 10
  /// Bytes of one header field, or of the request line.
  var fieldBytes = 8 << 10
  /// The number of header fields.
  var fields = 64
  /// Bytes of a body.
  var bodyBytes = 64 << 10
  /// Simultaneous uploads of files.
  var uploads = 2
  /// Bytes of a file that is uploaded.
  var uploadBytes: Int64 = 64 << 30
  /// Bytes that a client must send in a second of an upload, on average.
  var leastUploadRate = 16 << 10
  /// Simultaneous tickets.
  var tickets = 256
  /// The time from a new connection, or a request's first byte, to the end of the request.
  var requestTime = Duration.seconds(10)
  /// The time between two requests.
  var idleTime = Duration.seconds(60)
  /// The time in which a client must read some of what was written to it.
  var stallTime = Duration.seconds(10)
  /// The time for a client to read the response to a request that was not read to its end.
  var lingerTime = Duration.seconds(1)
  /// The time between two signs of life of a stream that has nothing to send.
  var heartbeat = Duration.seconds(15)
}
