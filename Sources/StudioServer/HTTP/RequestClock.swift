import Overcrank

/// The deadline by which a connection must send something. A value: times go in, a deadline comes out.
struct RequestClock {
  /// The kind of lateness.
  enum Lateness: Error, Equatable {
    /// Silence: nothing arrived that could be answered.
    case silence
    /// A request that arrived only in part.
    case request
  }

  private enum Phase {
    case idle(Instant, fresh: Bool)
    case receiving(Instant)
    case answering
  }

  private var phase: Phase
  /// The numbers of request heads received, request ends received, and responses sent.
  private var (heads, ends, answers) = (0, 0, 0)
  private let requestTime: Duration
  private let idleTime: Duration

  init(_ limits: ServerLimits, opened now: Instant) {
    (requestTime, idleTime) = (limits.requestTime, limits.idleTime)
    phase = .idle(now, fresh: true)
  }

  mutating func bytesArrived(_ now: Instant) { if case .idle = phase { phase = .receiving(now) } }

  mutating func headArrived() { heads += 1 }

  /// Leaves the rest of the request to its reader, which has a limit of its own.
  mutating func suspend() { if case .receiving = phase { phase = .answering } }

  mutating func endArrived() {
    ends += 1
    if ends > answers { phase = .answering }
  }

  mutating func answered(_ now: Instant) {
    answers += 1
    phase =
      if ends > answers { .answering } else if heads > answers { .receiving(now) } else {
        .idle(now, fresh: false)
      }
  }

  /// The time after which the client is late; `nil` while a response is being written.
  var deadline: Instant? {
    switch phase {
    case .idle(let since, let isFresh): since + (isFresh ? requestTime : idleTime)
    case .receiving(let since): since + requestTime
    case .answering: nil
    }
  }

  /// Returns what is late at `now`, or `nil` if nothing is.
  func lateness(_ now: Instant) -> Lateness? {
    guard let deadline, now >= deadline else { return nil }
    if case .receiving = phase { return .request }
    return .silence
  }
}
