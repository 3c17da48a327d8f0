internal import CLinux
internal import Glibc
internal import Synchronization

/// The capabilities that an administrator gave the program's file: real-time scheduling and locked
/// memory.
///
/// Once they are confined, a single thread has them, which does nothing but what capturing needs of
/// them. All others, which read films and pictures from anywhere, have none.
package enum Privileges {
  private static let keeper = Mutex<PrivilegedThread?>(nil)

  /// Takes all capabilities from the calling thread, and so from those that it starts. Does nothing
  /// for root, and for a program without capabilities.
  ///
  /// To be called while the program has no other thread.
  ///
  /// - Parameter keepsForCapture: whether one thread keeps them, until ``drop()``.
  package static func confine(keepingForCapture keepsForCapture: Bool) {
    guard geteuid() != 0, clinux_has_capabilities() == 1 else { return }
    if keepsForCapture { keeper.withLock { $0 = PrivilegedThread() } }
    clinux_drop_capabilities()
  }

  /// Ends the thread that kept the capabilities: nothing is captured any more.
  package static func drop() { keeper.withLock { $0.take() }?.end() }

  /// Runs `body` where the capabilities are.
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
      // A file that only permits them, +p, starts where they cannot be had too, as in a container.
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

  /// Runs `body` there.
  func run(_ body: @escaping @Sendable () -> CInt) -> CInt {
    let id = state.change { state in
      state.lastID += 1
      state.work.append((state.lastID, body))
      return state.lastID
    }
    return state.wait { $0.results.removeValue(forKey: id) }
  }

  /// Ends it, once it has done what it was asked for.
  func end() { state.change { $0.isOver = true } }
}
