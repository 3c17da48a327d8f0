import Glibc

/// The processor time that a recording took.
public struct ProcessorTime: Hashable, Sendable {
  /// The time of the thread between the camera and the ring.
  public var capture: Duration
  /// The time of the thread that empties the ring.
  public var drain: Duration

  /// Creates the pair of both times.
  package init(
    capture: Duration,
    drain: Duration
  ) {
    self.capture = capture
    self.drain = drain
  }

  /// Returns the processor time that the calling thread has used since its start.
  package static func ofThisThread() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
