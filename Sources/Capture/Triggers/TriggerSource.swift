public import CameraModel
public import Platform
public import Timebase

/// Something that can begin a take: a key, a signal, a time.
///
/// A source of another kind is a type of its own, and a line in ``TriggerSources/all``.
public protocol TriggerSource: Sendable, CustomStringConvertible {
  /// Its name, in takes and for users.
  static var kind: TriggerKind { get }
  /// What users may write, and what it means: `signal: SIGUSR1`.
  static var usage: String { get }

  /// The source that a user names.
  ///
  /// - Parameter argument: what follows the name and an equals sign; `nil` where nothing does.
  /// - Throws: `QuantityError` where there is no such source.
  init(argument: String?) throws(QuantityError)

  /// What a person does for a take to begin: `press a key`.
  var prompt: String { get }
  /// Whether it reads standard input; only one source can.
  var readsInput: Bool { get }
  /// The time that it is; a session's plan has the times.
  var time: TriggerTime? { get }
  /// How long after the moment that it tells of a trigger may come.
  var delay: Duration { get }

  /// Finds out whether the source can be had, before the camera is used.
  ///
  /// - Throws: `OvercrankError` where it cannot.
  func check() throws(OvercrankError)

  /// Finds out whether the source can be had with pictures of `mode`, before anything is recorded.
  ///
  /// - Throws: `OvercrankError` where it cannot.
  func check(for mode: Mode) throws(OvercrankError)

  /// Begins to trigger. The source is at work as long as the result lives; `nil` where there is
  /// nothing to keep.
  ///
  /// - Parameter session: has the commands where it leaves its triggers, and tells when it begins and
  ///   ends; and the frames, for one that looks at them.
  /// - Throws: `OvercrankError` where it cannot be had.
  func open(to session: CaptureSession) throws(OvercrankError) -> (any Sendable)?
}

extension TriggerSource {
  /// It does not.
  public var readsInput: Bool { false }
  /// It is none.
  public var time: TriggerTime? { nil }
  /// As soon as it is seen.
  public var delay: Duration { SessionPlan.usualTriggerDelay }
  /// It always can.
  public func check() throws(OvercrankError) {}
  /// It always can.
  public func check(for mode: Mode) throws(OvercrankError) {}
  /// Its name.
  public var description: String { Self.kind.rawValue }

  /// Refuses an argument, of which the source has no use.
  static func refuse(_ argument: String?) throws(QuantityError) {
    guard let argument else { return }
    throw QuantityError("\(kind.rawValue)=\(argument)", expected: TriggerSources.expectation)
  }
}

/// All sources of triggers that a user can name.
public enum TriggerSources {
  /// The sources, in the order in which users are told of them.
  public static let all: [any TriggerSource.Type] = [
    EnterTrigger.self, KeyTrigger.self, SignalTrigger.self, SocketTrigger.self, LineTrigger.self,
    TimeTrigger.self, MotionTrigger.self,
  ]

  /// Reads the name of a source and its argument: `key`, `socket=left`, `time=10s`.
  ///
  /// - Throws: `QuantityError` where no source is called so.
  public static func source(_ text: String) throws(QuantityError) -> any TriggerSource {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let type = all.first(where: { $0.kind.rawValue == parts[0].lowercased() }) else {
      throw QuantityError(text, expected: expectation(of: text))
    }
    return try type.init(argument: parts.count == 2 ? parts[1] : nil)
  }

  /// What `text`, which is no trigger, is to be: one whose settings follow a comma has them behind an equals sign.
  private static func expectation(of text: String) -> String {
    let parts = text.split(separator: ",", maxSplits: 1).map(String.init)
    guard parts.count == 2, let type = all.first(where: { $0.kind.rawValue == parts[0].lowercased() }),
      let meant = try? type.init(argument: parts[1])
    else { return expectation }
    return "a trigger: its settings follow an equals sign, \(meant)"
  }

  /// What a text is to be: `a trigger: enter, key, ...`.
  static var expectation: String {
    "a trigger: " + all.map { String($0.usage.prefix { $0 != ":" }) }.joined(separator: ", ")
  }
}

/// The sources of triggers of one recording, at work as long as this lives.
public final class OpenTriggers: Sendable {
  private let sources: [any Sendable]

  /// Sets up `sources`.
  ///
  /// - Parameters:
  ///   - sources: what begins a take.
  ///   - endsByEnter: whether Enter ends a take even where it begins none; for one without an end.
  ///   - session: where they leave what comes.
  /// - Throws: `OvercrankError` where one cannot be had.
  public init(
    _ sources: [any TriggerSource], endsByEnter: Bool, to session: CaptureSession
  ) throws(OvercrankError) {
    var open: [any Sendable] = []
    for source in sources {
      if let source = try source.open(to: session) { open.append(source) }
    }
    if endsByEnter, !sources.contains(where: \.readsInput) {
      let isTyped = StandardInput.isTyped
      let input = StandardInput(.lines) { [commands = session.commands, clock = session.clock] _ in
        commands.trigger(TriggerEvent(.enter, at: clock.now, startsTake: false, waitsForFrames: !isTyped))
      }
      if let input { open.append(input) }
    }
    self.sources = open
  }
}
