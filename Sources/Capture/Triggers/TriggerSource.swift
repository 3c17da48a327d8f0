public import CameraModel
public import Platform
public import SystemPackage
public import Timebase

/// A source of triggers: a key, a signal, a time.
///
/// To add a kind of source, add a type and list it in ``TriggerSources/all``.
public protocol TriggerSource: Sendable, CustomStringConvertible {
  /// The kind's name, in takes and for users.
  static var kind: TriggerKind { get }
  /// The form that users write and its meaning: `signal: SIGUSR1`.
  static var usage: String { get }
  /// A source of this kind as users write it: `key`, `time=10s`.
  static var example: String { get }

  /// Creates the source from a user's text.
  ///
  /// - Parameter argument: The text after the name and an equals sign; `nil` if there is none.
  /// - Throws: `QuantityError` if there is no such source.
  init(argument: String?) throws(QuantityError)

  /// The action that begins a take: `press a key`.
  var prompt: String { get }
  /// Whether it reads standard input; only one source can.
  var readsInput: Bool { get }
  /// A port or a line that only one source can have, as in `UDP port 9000`; `nil` if there is none.
  var ownedPart: String? { get }
  /// Whether it listens to the session's microphone.
  var needsMicrophone: Bool { get }
  /// Whether it analyses the frames or the audio of its session, so that it ends with that.
  var isOfSession: Bool { get }
  /// The time of a source that is a time, for the session's plan; `nil` for other sources.
  var time: TriggerTime? { get }
  /// The files that it reads, which the outputs of the same recording must not replace.
  var inputs: [FilePath] { get }
  /// The maximum delay from the moment of a trigger to its arrival.
  var delay: Duration { get }

  /// Checks whether the source is available, before the camera is used.
  ///
  /// - Throws: `OvercrankError` if it is not.
  func check() throws(OvercrankError)

  /// Checks whether the source works with pictures of `mode`, before anything is recorded.
  ///
  /// - Throws: `OvercrankError` if it does not.
  func check(for mode: Mode) throws(OvercrankError)

  /// Starts the source, which triggers until the result is released; `nil` if there is nothing to keep.
  ///
  /// - Parameter session: The session that receives the triggers, and the source's begin and end; also
  ///   provides frames for a source that analyses them.
  /// - Throws: `OvercrankError` if the source is not available.
  func open(to session: CaptureSession) throws(OvercrankError) -> (any Sendable)?
}

extension TriggerSource {
  /// The kind's name by default, for a source that needs no argument.
  public static var example: String { kind.rawValue }
  /// Whether it reads standard input; by default, it does not.
  public var readsInput: Bool { false }
  /// A part that only one source can have; by default, there is none.
  public var ownedPart: String? { nil }
  /// Whether it listens to the microphone; by default, it does not.
  public var needsMicrophone: Bool { false }
  /// Whether it ends with its session; by default, one that listens to the microphone does.
  public var isOfSession: Bool { needsMicrophone }
  /// The time; by default, there is none.
  public var time: TriggerTime? { nil }
  /// The files that it reads; by default, there are none.
  public var inputs: [FilePath] { [] }
  /// The maximum delay; by default, the usual one.
  public var delay: Duration { SessionPlan.usualTriggerDelay }
  /// Accepts every machine by default.
  public func check() throws(OvercrankError) {}
  /// Accepts every mode by default.
  public func check(for mode: Mode) throws(OvercrankError) {}
  /// The kind's name. A source with an argument adds it: two sources with one description are refused.
  public var description: String { Self.kind.rawValue }

  /// Rejects an argument, for a source that takes none.
  static func refuse(_ argument: String?) throws(QuantityError) {
    guard let argument else { return }
    throw QuantityError("\(kind.rawValue)=\(argument)", expected: TriggerSources.expectation)
  }
}

/// All sources of triggers that a user can name.
public enum TriggerSources {
  /// The sources, in the order of the help.
  public static let all: [any TriggerSource.Type] = [
    EnterTrigger.self, KeyTrigger.self, SignalTrigger.self, SocketTrigger.self, LineTrigger.self,
    TimeTrigger.self, MotionTrigger.self, UDPTrigger.self, KeyPressTrigger.self,
    GPIOTrigger.self, AudioTrigger.self,
  ]

  /// Reads the name of a source and its argument: `key`, `socket=left`, `time=10s`.
  ///
  /// - Throws: `QuantityError` if there is no such source.
  public static func source(_ text: String) throws(QuantityError) -> any TriggerSource {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let type = all.first(where: { $0.kind.rawValue == parts[0].lowercased() }) else {
      throw QuantityError(text, expected: expectation(of: text))
    }
    return try type.init(argument: parts.count == 2 ? parts[1] : nil)
  }

  /// Returns the expected form of `text`, which is not a trigger; suggests an equals sign if the settings
  /// follow a comma.
  private static func expectation(of text: String) -> String {
    let parts = text.split(separator: ",", maxSplits: 1).map(String.init)
    guard parts.count == 2, let type = all.first(where: { $0.kind.rawValue == parts[0].lowercased() }),
      let meant = try? type.init(argument: parts[1])
    else { return expectation }
    return "a trigger; settings follow an equals sign, as in \(meant)"
  }

  /// The expected form of a text: `a trigger; choose enter, key, ...`.
  static var expectation: String {
    "a trigger; choose " + all.map { String($0.usage.prefix { $0 != ":" }) }.joined(separator: ", ")
  }
}

/// The open trigger sources of a recording; they trigger until this object is released.
public final class OpenTriggers: Sendable {
  private let sources: [any Sendable]

  /// Opens `sources`.
  ///
  /// - Parameters:
  ///   - sources: The sources of triggers.
  ///   - endsByEnter: Whether Enter ends an open-ended take even if it does not begin one.
  ///   - session: The session that receives the triggers.
  /// - Throws: `OvercrankError` if a source is not available.
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

extension CaptureSession {
  /// Starts a thread that triggers the session with what descriptors report, until the result is released.
  ///
  /// - Throws: `OvercrankError` if the system has no thread available.
  func watch(
    _ name: String, _ body: @escaping @Sendable (DescriptorWatch.Wait) -> Void
  ) throws(OvercrankError) -> DescriptorWatch {
    commands.sourceBegan()
    if let watch = DescriptorWatch(name: name, body) { return watch }
    commands.sourceEnded()
    throw .noThread
  }
}
