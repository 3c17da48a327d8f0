import Overcrank

/// The receiver of a file that a client sends. One that is released before ``finish()`` leaves nothing behind.
protocol UploadSink: Sendable {
  /// Takes the next bytes; the client waits meanwhile.
  func write(_ bytes: [UInt8]) async throws
  /// Completes the file, of which all bytes have come, and returns the response.
  func finish() async throws -> Response
}

/// The patience with a client that sends a file, which may take hours. A value: times go in, the time that is left
/// comes out.
///
/// Only the time in which the studio waits for the client counts, not the time in which the disk does not keep up.
struct UploadPatience: Sendable {
  /// The time for the next bytes to arrive.
  private(set) var left: Duration
  private let most: Duration
  private let perByte: Duration

  init(_ limits: ServerLimits) {
    (left, most) = (limits.requestTime, limits.requestTime)
    perByte = .seconds(1) / limits.leastUploadRate
  }

  /// Notes that `count` bytes came after this time of waiting.
  mutating func received(_ count: Int, after wait: Duration) {
    left = min(most, left - wait + perByte * count)
  }
}
