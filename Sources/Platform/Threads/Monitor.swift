internal import Glibc

/// A value that several threads change in turn, and on whose changes they wait. Not for the frame path.
package final class Monitor<State>: @unchecked Sendable {
  // Unchecked: the state is accessed only under the mutex.
  private var state: State
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ state: State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Passes the state to `body` and wakes the threads that wait for a change.
  package func change<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Passes the state to `body`, which does not change it; no thread is woken.
  package func read<Result>(_ body: (borrowing State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(state)
  }

  /// Passes the state to `body`, which returns whether it changed it; waiting threads are then woken.
  ///
  /// - Parameter waits: whether to wait if another thread holds the state; otherwise, nothing is done.
  package func change(waits: Bool, _ body: (inout State) -> Bool) {
    guard (waits ? pthread_mutex_lock(mutex) : pthread_mutex_trylock(mutex)) == 0 else { return }
    defer { pthread_mutex_unlock(mutex) }
    if body(&state) { pthread_cond_broadcast(changed) }
  }

  /// Passes the state to `body`, again after each change, until it returns a result.
  package func wait<Result>(for body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    while true {
      if let result = body(&state) { return result }
      pthread_cond_wait(changed, mutex)
    }
  }
}
