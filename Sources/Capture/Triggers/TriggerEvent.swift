public import Timebase

/// What begins a take, or keeps it going. A ``TriggerSource`` gives its own a name.
public struct TriggerKind: RawRepresentable, Codable, Hashable, Sendable {
  /// Its name in takes and events.
  public let rawValue: String

  /// The kind of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A program that uses the library.
  public static let program = TriggerKind(rawValue: "program")
}

/// A trigger that came.
public struct TriggerEvent: Hashable, Sendable {
  /// Where it came from.
  public var kind: TriggerKind
  /// When, on the session's clock.
  public var time: Instant
  /// What its source said with it: a line of standard input.
  public var text: String?
  /// Whether it may begin a take; else it only ends one that has no end of its own.
  public var startsTake: Bool
  /// Whether it waits where no frame has come yet. A key that somebody presses before the session
  /// stands by is meant for something else, and is refused.
  public var waitsForFrames: Bool
  /// Whether it ends a take that has no end of its own.
  public var endsTake = true
  /// The frame that shows what triggered; `nil` where none does.
  public var frame: Frame?
  /// What of the time around it belongs together; `nil` for what the session's plan says.
  public var span: TakeSpan?
  /// Who is told what came of it.
  let listener: OutcomeListener<TriggerOutcome>?

  /// A frame that triggered.
  public struct Frame: Hashable, Sendable {
    /// The camera's number of the frame.
    public var sequence: UInt32
    /// When it was captured, on the camera's clock.
    public var timestamp: Instant
    /// How much it was; for motion, the part of the region that changed, from 0 to 1.
    public var score: Double
    /// What was still to be seen of its beginning: a take with a pre-roll reaches back to here at
    /// least. On the camera's clock.
    public var begin: Instant

    /// The frame of these facts.
    public init(sequence: UInt32, timestamp: Instant, score: Double, begin: Instant) {
      self.sequence = sequence
      self.timestamp = timestamp
      self.score = score
      self.begin = begin
    }
  }

  /// A trigger that came.
  ///
  /// - Parameters:
  ///   - kind: what triggered.
  ///   - time: when, on the session's clock: ``CaptureSession/now`` for one that comes just now.
  ///   - text: the line of text that came with it.
  ///   - startsTake: whether it may begin a take, or only end one.
  ///   - waitsForFrames: whether it waits for the first frame, or is refused before that.
  ///   - answer: is told once what came of it, on the writer's thread; must not wait for anything.
  public init(
    _ kind: TriggerKind, at time: Instant, text: String? = nil,
    startsTake: Bool = true, waitsForFrames: Bool = true, answer: (@Sendable (TriggerOutcome) -> Void)? = nil
  ) {
    self.kind = kind
    self.time = time
    self.text = text
    self.startsTake = startsTake
    self.waitsForFrames = waitsForFrames
    listener = answer.map(OutcomeListener.init)
  }

  /// Tells whoever waits what came of it.
  func answer(_ answer: TriggerOutcome) { listener?.hear(answer) }
}

/// What came of a trigger; takes are counted from 1.
public enum TriggerOutcome: Hashable, Sendable {
  /// It began this take.
  case started(take: Int)
  /// It came in this take, which now goes on for as long as if it had begun here.
  case extended(take: Int)
  /// It ended this take, which had no end of its own.
  case ended(take: Int)
  /// There will be no further take, or the session did not stand by yet when it was typed.
  case refused

  /// Its name in JSON.
  var name: String {
    switch self {
    case .started: "started"
    case .extended: "extended"
    case .ended: "ended"
    case .refused: "refused"
    }
  }

  /// The take that it is about; `nil` where it was refused.
  public var take: Int? {
    switch self {
    case .started(let take), .extended(let take), .ended(let take): take
    case .refused: nil
    }
  }
}
