internal import CLinux
internal import Glibc
internal import Synchronization

/// The capabilities of the program's file, set by an administrator: real-time scheduling and locked memory.
///
/// Once they are confined, only a single thread has them, which uses them only for capturing. All other
/// threads, which read videos and pictures from any source, have none.
package enum Privileges {
  private static let keeper = Mutex<PrivilegedThread?>(nil)

  /// Takes all capabilities from the calling thread, and so from the threads that it starts. Does nothing for
  /// root, or for a program without capabilities.
  ///
  /// Call it while the program has no other thread.
  ///
  /// - Parameter keepsForCapture: whether one thread keeps them, until ``drop()``.
  package static func confine(keepingForCapture keepsForCapture: Bool) {
    guard geteuid() != 0, clinux_has_capabilities() == 1 else { return }
    if keepsForCapture { keeper.withLock { $0 = PrivilegedThread() } }
    clinux_drop_capabilities()
  }

  /// Ends the thread that kept the capabilities, after the last capture.
  package static func drop() { keeper.withLock { $0.take() }?.end() }

  /// Runs `body` on the thread that has the capabilities.
  package static func use(_ body: @escaping @Sendable () -> CInt) -> CInt {
    guard let keeper = keeper.withLock({ $0 }) else { return body() }
    return keeper.run(body)
  }
}

/// A thread that keeps its capabilities.
private final class PrivilegedThread: Sendable {
  private struct State {
    var work: [(id: Int, body: @Sendable () -> CInt)] = []
    var results: [Int: CInt] = [:]
    var lastID = 0
    var isOver = false
  }

  private let state: Monitor<State>

  init?() {
    let state = Monitor(State())
    self.state = state
    let thread = NamedThread(name: "overcrank-privy") {
      // A file that only permits them (+p) also starts where they are unavailable, as in a container.
      clinux_raise_capabilities()
      while true {
        let next = state.wait { state -> (id: Int, body: @Sendable () -> CInt)?? in
          if !state.work.isEmpty { return state.work.removeFirst() }
          return state.isOver ? .some(nil) : nil
        }
        guard let next else { break }
        let result = next.body()
        state.change { $0.results[next.id] = result }
      }
      clinux_drop_capabilities()
    }
    if thread == nil { return nil }
  }

  /// Runs `body` on this thread.
  func run(_ body: @escaping @Sendable () -> CInt) -> CInt {
    let id = state.change { state in
      state.lastID += 1
      state.work.append((state.lastID, body))
      return state.lastID
    }
    return state.wait { $0.results.removeValue(forKey: id) }
  }

  /// Ends the thread once it has finished its work.
  func end() { state.change { $0.isOver = true } }
}
