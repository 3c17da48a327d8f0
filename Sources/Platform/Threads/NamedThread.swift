internal import CLinux
internal import Glibc
import Synchronization

/// A thread of its own with a name that top and gdb show.
package final class NamedThread: @unchecked Sendable {
  // Unchecked: but for what is atomic, nothing changes after `init`.
  private var thread = pthread_t()
  /// Whether the system keeps the thread's stack until somebody has waited for it.
  private let isKept = Atomic(false)

  private final class Work {
    let name: String
    let body: @Sendable () -> Void
    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Starts `body`; `nil` where the system has no thread to give.
  package init?(name: String, _ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(name, body))
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
      return nil
    }
    isKept.store(true, ordering: .relaxed)
  }

  deinit { if isKept.load(ordering: .relaxed) { pthread_detach(thread) } }

  /// Waits until the body has returned.
  package func join() {
    guard isKept.exchange(false, ordering: .relaxed) else { return }
    pthread_join(thread, nil)
  }
}
