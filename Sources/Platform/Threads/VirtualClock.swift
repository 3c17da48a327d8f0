internal import Glibc
import Synchronization
public import Timebase

/// A clock that costs no time: once every thread that takes part in it waits, it moves to the
/// earliest time that one of them waits for.
///
/// The threads take turns. One works until it waits, and time stands still meanwhile, however long it
/// takes: for a disk, say. Then the one whose time is next goes on; of several with the same time, the
/// one that has waited longest. So a run depends on nothing but what the threads do, and the same
/// run twice has the same times.
///
/// Threads outside may read the clock at any time. One that waits takes part meanwhile; where no
/// other does, it only moves the clock. So a test on one thread drives a camera by hand: with
/// ``advance(by:)``, or by waiting for frames.
public final class VirtualClock: Sendable {
  /// A thread that waits for its turn.
  fileprivate struct Wait {
    var deadline: Instant
    /// Waits are numbered as they come.
    let number: Int
    /// The seat whose end ends this wait too.
    var awaited: Int?
    let turn = Monitor(false)

    /// Waits for the turn.
    func wait() { turn.wait { $0 ? () : nil } }
  }

  private struct State {
    /// How many threads take part and do not wait.
    var working = 0
    /// The threads that take part; those that are about to start have a seat alone.
    var threads: Set<pthread_t> = []
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

    /// Takes out the wait that ends first.
    mutating func takeNext() -> Wait? {
      let next = waits.indices.min { one, other in
        (waits[one].deadline, waits[one].number) < (waits[other].deadline, waits[other].number)
      }
      return next.map { waits.remove(at: $0) }
    }
  }

  /// In nanoseconds.
  private let time: Atomic<Int64>
  /// Whether threads take part; where none does, no lock is needed.
  private let isShared = Atomic(false)
  private let state = Mutex(State())
  private let start: Instant
  /// What the machine's clocks stood at when this one was made.
  private let (realStart, startOfDay) = (MonotonicClock.now, MonotonicClock.timeOfDay)

  /// A clock that stands at `start`; without it, as if the machine had been on for a while.
  public init(at start: Instant = Instant(nanoseconds: 1_000_000_000_000)) {
    self.start = start
    time = Atomic(start.nanoseconds)
  }

  /// The time now.
  public var now: Instant { Instant(nanoseconds: time.load(ordering: .acquiring)) }

  /// The time since 1970: real when the clock was made, and moving with it.
  var timeOfDay: Duration { startOfDay + (now - start) }

  /// What this clock showed when `CLOCK_MONOTONIC` showed `real`, before it was made.
  func time(atReal real: Instant) -> Instant { start + min(.zero, real - realStart) }

  /// Waits until `deadline`, while others take their turns.
  public func wait(until deadline: Instant) {
    guard isShared.load(ordering: .acquiring) else { return move(to: deadline) }
    let (wait, isGuest) = state.withLock { state in
      let isGuest = !state.threads.contains(pthread_self())
      let wait = state.add(max(deadline, now))
      if !isGuest { state.working -= 1 }
      passOn(&state)
      return (wait, isGuest)
    }
    wait.wait()
    if isGuest { leave() }
  }

  /// Moves on by `duration`, where no thread takes part.
  public func advance(by duration: Duration) { move(to: now + duration) }

  /// Lets the next thread work, where none does.
  private func passOn(_ state: inout State) {
    guard state.working == 0 else { return }
    guard let next = state.takeNext() else { return isShared.store(false, ordering: .releasing) }
    move(to: next.deadline)
    state.working = 1
    next.turn.change { $0 = true }
  }

  private func move(to deadline: Instant) { time.max(deadline.nanoseconds, ordering: .releasing) }

  // MARK: Taking part

  /// Lets the calling thread take part until ``leave()``.
  func enter() {
    state.withLock { state in
      state.threads.insert(pthread_self())
      state.working += 1
      isShared.store(true, ordering: .releasing)
    }
  }

  /// Lets the calling thread take part no longer.
  func leave() { leave(from: nil) }

  private func leave(from seat: Int?) {
    state.withLock { state in
      state.threads.remove(pthread_self())
      end(seat, &state)
      state.working -= 1
      passOn(&state)
    }
  }

  /// Wakes those who wait for the end of a seat.
  private func end(_ seat: Int?, _ state: inout State) {
    guard let seat else { return }
    state.seats.remove(seat)
    for index in state.waits.indices where state.waits[index].awaited == seat {
      state.waits[index].deadline = now
    }
  }

  /// A seat for a thread that is about to be started. Its first turn is at the time that it is now.
  func seat() -> Seat {
    state.withLock { state in
      let wait = state.add(now)
      state.seats.insert(wait.number)
      isShared.store(true, ordering: .releasing)
      return Seat(clock: self, first: wait)
    }
  }

  /// The part of a thread from before its start to its end.
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
      clock.state.withLock { _ = $0.threads.insert(pthread_self()) }
    }

    /// Ends the thread's part; on the thread, as the last that it does.
    func leave() { clock.leave(from: number) }

    /// Gives up the seat of a thread that could not be started.
    func giveUp() {
      clock.state.withLock { state in
        state.waits.removeAll { $0.number == number }
        clock.end(number, &state)
      }
    }

    /// Waits for the end of the thread's part, while others take their turns. Only a thread that takes part has to.
    func waitForEnd() {
      let wait = clock.state.withLock { state -> Wait? in
        guard state.seats.contains(number), state.threads.contains(pthread_self()) else { return nil }
        let wait = state.add(.distantFuture, awaiting: number)
        state.working -= 1
        clock.passOn(&state)
        return wait
      }
      wait?.wait()
    }
  }
}
