internal import CLinux
internal import Glibc
import Synchronization

/// A thread with a name that top and gdb show.
package final class NamedThread: @unchecked Sendable {
  // Unchecked: only the atomic changes after `init`.
  private var thread = pthread_t()
  /// Whether the thread can still be joined.
  private let isKept = Atomic(false)
  /// Its seat in a session's virtual clock; `nil` if time does not wait for it.
  private let seat: VirtualClock.Seat?

  private final class Work {
    let name: String
    let body: @Sendable () -> Void
    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Starts `body`; `nil` if the system has no thread available.
  ///
  /// - Parameter clock: the clock in which the thread takes part, if it waits on one.
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
