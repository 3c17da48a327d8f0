internal import CLinux
internal import Glibc
import Synchronization

/// A thread of its own with a name that top and gdb show.
package final class NamedThread: @unchecked Sendable {
  // Unchecked: but for what is atomic, nothing changes after `init`.
  private var thread = pthread_t()
  /// Whether the system keeps the thread's stack until somebody has waited for it.
  private let isKept = Atomic(false)
  /// Its part in a session's clock; `nil` where time does not wait for it.
  private let seat: VirtualClock.Seat?

  private final class Work {
    let name: String
    let body: @Sendable () -> Void
    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Starts `body`; `nil` where the system has no thread to give.
  ///
  /// - Parameter clock: the clock that the thread takes part in, where it waits on one.
  package init?(name: String, in clock: SessionClock = .monotonic, _ body: @escaping @Sendable () -> Void) {
    let seat = clock.seat()
    self.seat = seat
    let work = Unmanaged.passRetained(
      Work(name) {
        seat?.take()
        body()
        seat?.leave()
      })
    let result = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
        clinux_name_thread(work.name)
        work.body()
        return nil
      }, work.toOpaque())
    guard result == 0 else {
      work.release()
      seat?.giveUp()
      return nil
    }
    isKept.store(true, ordering: .relaxed)
  }

  deinit { if isKept.load(ordering: .relaxed) { pthread_detach(thread) } }

  /// Waits until the body has returned.
  package func join() {
    guard isKept.exchange(false, ordering: .relaxed) else { return }
    seat?.waitForEnd()
    pthread_join(thread, nil)
  }
}
