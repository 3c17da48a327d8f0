internal import Glibc
import Synchronization
public import Timebase

/// A clock on which waiting takes no real time: once every thread that takes part in it waits, it moves to
/// the earliest time that one of them waits for.
///
/// The threads take turns. One works until it waits, and time stands still meanwhile, however long it takes,
/// for a disk for example. Then the thread with the earliest time continues; of several with the same time,
/// the one that has waited longest. So a run depends only on what the threads do, and repeating it gives the
/// same times.
///
/// Threads outside may read the clock at any time. One that waits takes part meanwhile; if no other thread
/// does, it only moves the clock. So a test on one thread drives a camera by hand: with ``advance(by:)``, or
/// by waiting for frames.
public final class VirtualClock: Sendable {
  /// A thread that waits for its turn.
  fileprivate struct Wait {
    var deadline: Instant
    /// The serial number of the wait, in order of arrival.
    let number: Int
    /// The seat whose end also ends this wait.
    var awaited: Int?
    let turn = Monitor(false)

    /// Waits for the turn.
    func wait() { turn.wait { $0 ? () : nil } }
  }

  private struct State {
    /// The number of threads that take part and are not waiting.
    var working = 0
    /// The threads that take part, each with the number of times that it has entered; a thread that is about
    /// to start has only a seat.
    var threads: [pthread_t: Int] = [:]
    var waits: [Wait] = []
    /// The seats of threads that have not ended.
    var seats: Set<Int> = []
    var lastNumber = 0

    /// Adds a wait for `deadline`.
    mutating func add(_ deadline: Instant, awaiting seat: Int? = nil) -> Wait {
      lastNumber += 1
      let wait = Wait(deadline: deadline, number: lastNumber, awaited: seat)
      waits.append(wait)
      return wait
    }

    /// Removes and returns the wait that ends first.
    mutating func takeNext() -> Wait? {
      let next = waits.indices.min { one, other in
        (waits[one].deadline, waits[one].number) < (waits[other].deadline, waits[other].number)
      }
      return next.map { waits.remove(at: $0) }
    }
  }

  /// The time in nanoseconds.
  private let time: Atomic<Int64>
  /// Whether threads take part; if none does, no lock is needed.
  private let isShared = Atomic(false)
  private let state = Mutex(State())
  /// The time at which it was created.
  package let start: Instant
  /// The times of the machine's clocks when this one was created.
  private let (realStart, startOfDay) = (MonotonicClock.now, MonotonicClock.timeOfDay)

  /// Creates a clock that stands at `start`; by default, as if the machine had been on for a while.
  public init(at start: Instant = Instant(nanoseconds: 1_000_000_000_000)) {
    self.start = start
    time = Atomic(start.nanoseconds)
  }

  /// The time now.
  public var now: Instant { Instant(nanoseconds: time.load(ordering: .acquiring)) }

  /// The time since 1970: the real time when the clock was created, plus the time that has passed on it.
  var timeOfDay: Duration { startOfDay + (now - start) }

  /// Returns this clock's time when `CLOCK_MONOTONIC` showed `real`, before it was created.
  func time(atReal real: Instant) -> Instant { start + min(.zero, real - realStart) }

  /// Waits until `deadline`, while others take their turns.
  public func wait(until deadline: Instant) {
    guard isShared.load(ordering: .acquiring) else { return move(to: deadline) }
    let (wait, isGuest) = state.withLock { state in
      let isGuest = state.threads[pthread_self()] == nil
      let wait = state.add(max(deadline, now))
      if !isGuest { state.working -= 1 }
      passOn(&state)
      return (wait, isGuest)
    }
    wait.wait()
    if isGuest { leave() }
  }

  /// Advances the clock by `duration`, if no thread takes part.
  public func advance(by duration: Duration) { move(to: now + duration) }

  /// Lets the next thread work, if none does.
  private func passOn(_ state: inout State) {
    guard state.working == 0 else { return }
    guard let next = state.takeNext() else { return isShared.store(false, ordering: .releasing) }
    move(to: next.deadline)
    state.working = 1
    next.turn.change { $0 = true }
  }

  private func move(to deadline: Instant) { time.max(deadline.nanoseconds, ordering: .releasing) }

  // MARK: Taking part

  /// Makes the calling thread take part until ``leave()``. May be nested: the last ``leave()`` counts.
  func enter() {
    state.withLock { state in
      state.threads[pthread_self(), default: 0] += 1
      guard state.threads[pthread_self()] == 1 else { return }
      state.working += 1
      isShared.store(true, ordering: .releasing)
    }
  }

  /// Ends the calling thread's part.
  func leave() { leave(from: nil) }

  private func leave(from seat: Int?) {
    state.withLock { state in
      if let entries = state.threads[pthread_self()], entries > 1 {
        state.threads[pthread_self()] = entries - 1
        return
      }
      state.threads[pthread_self()] = nil
      end(seat, &state)
      state.working -= 1
      passOn(&state)
    }
  }

  /// Wakes the threads that wait for the end of a seat.
  private func end(_ seat: Int?, _ state: inout State) {
    guard let seat else { return }
    state.seats.remove(seat)
    for index in state.waits.indices where state.waits[index].awaited == seat {
      state.waits[index].deadline = now
    }
  }

  /// Returns a seat for a thread that is about to be started. Its first turn is at the present time.
  func seat() -> Seat {
    state.withLock { state in
      let wait = state.add(now)
      state.seats.insert(wait.number)
      isShared.store(true, ordering: .releasing)
      return Seat(clock: self, first: wait)
    }
  }

  /// A thread's place in the clock, from before its start to its end.
  struct Seat: Sendable {
    fileprivate let clock: VirtualClock
    private let first: Wait
    private var number: Int { first.number }

    fileprivate init(clock: VirtualClock, first: Wait) {
      self.clock = clock
      self.first = first
    }

    /// Waits for the thread's first turn; on the thread.
    func take() {
      first.wait()
      clock.state.withLock { $0.threads[pthread_self()] = 1 }
    }

    /// Ends the thread's part; the last call on the thread.
    func leave() { clock.leave(from: number) }

    /// Gives up the seat of a thread that could not be started.
    func giveUp() {
      clock.state.withLock { state in
        state.waits.removeAll { $0.number == number }
        clock.end(number, &state)
      }
    }

    /// Waits for the end of the thread's part, while others take their turns. Needed only for a thread that
    /// takes part.
    func waitForEnd() {
      let wait = clock.state.withLock { state -> Wait? in
        guard state.seats.contains(number), state.threads[pthread_self()] != nil else { return nil }
        let wait = state.add(.distantFuture, awaiting: number)
        state.working -= 1
        clock.passOn(&state)
        return wait
      }
      wait?.wait()
    }
  }
}
