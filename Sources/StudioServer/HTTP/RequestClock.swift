import Overcrank

/// Until when a connection has to say something. A value: times go in, a deadline comes out.
struct RequestClock {
  /// What did not come in time.
  enum Lateness: Error, Equatable {
    /// Nothing came, so nobody waits for an answer.
    case silence
    /// A request, of which a part came.
    case request
  }

  private enum Phase {
    case idle(Instant, fresh: Bool)
    case receiving(Instant)
    case answering
  }

  private var phase: Phase
  /// Requests whose head came, whose end came, and that were answered.
  private var (heads, ends, answers) = (0, 0, 0)
  private let requestTime: Duration
  private let idleTime: Duration

  init(_ limits: ServerLimits, opened now: Instant) {
    (requestTime, idleTime) = (limits.requestTime, limits.idleTime)
    phase = .idle(now, fresh: true)
  }

  mutating func bytesCame(_ now: Instant) { if case .idle = phase { phase = .receiving(now) } }

  mutating func headCame() { heads += 1 }

  mutating func endCame() {
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

  /// When it is too late; `nil` while an answer is on its way.
  var deadline: Instant? {
    switch phase {
    case .idle(let since, let isFresh): since + (isFresh ? requestTime : idleTime)
    case .receiving(let since): since + requestTime
    case .answering: nil
    }
  }

  /// What is too late by then.
  func lateness(_ now: Instant) -> Lateness? {
    guard let deadline, now >= deadline else { return nil }
    if case .receiving = phase { return .request }
    return .silence
  }
}
