import Glibc

/// Processor time that filming took.
public struct ProcessorTime: Hashable, Sendable {
  /// Of the thread between the camera and the ring.
  public var capture: Duration
  /// Of the thread that empties the ring.
  public var drain: Duration

  /// Both times.
  package init(
    capture: Duration,
    drain: Duration
  ) {
    self.capture = capture
    self.drain = drain
  }

  /// What the calling thread has used since it was started.
  package static func ofThisThread() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
