import Glibc

/// Processor time that filming took, in nanoseconds.
public struct ProcessorTime: Hashable, Sendable {
  /// Of the thread between the camera and the ring.
  public var capture: Int64
  /// Of the thread that empties the ring.
  public var drain: Int64

  /// Both times, in nanoseconds.
  package init(
    capture: Int64,
    drain: Int64
  ) {
    self.capture = capture
    self.drain = drain
  }

  /// What the calling thread has used since it was started.
  package static func ofThisThread() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
