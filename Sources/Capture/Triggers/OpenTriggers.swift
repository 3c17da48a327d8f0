/// The sources of triggers of one recording, at work as long as this lives.
public final class OpenTriggers: Sendable {
  private let input: TriggerInput?
  private let signal: TriggerSignal?
  private let sockets: [TriggerSocket]

  /// Sets up `sources`.
  ///
  /// - Parameters:
  ///   - sources: what begins a take.
  ///   - endsByEnter: whether Enter ends a take even where it begins none; for one without an end.
  ///   - commands: where they leave what comes.
  /// - Throws: ``TriggerError`` where one cannot be had.
  public init(
    _ sources: [TriggerSource], endsByEnter: Bool, to commands: SessionCommands
  ) throws(TriggerError) {
    var sockets: [TriggerSocket] = []
    var input: TriggerInput?
    var signal: TriggerSignal?
    for source in sources {
      switch source {
      case .enter: input = try Self.input(.enter, commands)
      case .key: input = try Self.input(.key, commands)
      case .stdin: input = try Self.input(.stdin, commands)
      case .signal: signal = TriggerSignal(to: commands)
      case .socket(let name): sockets.append(try TriggerSocket(name, to: commands))
      // The session's plan has the times.
      case .time: break
      }
    }
    if input == nil, endsByEnter { input = TriggerInput(.enter, startsTake: false, to: commands) }
    self.input = input
    self.signal = signal
    self.sockets = sockets
  }

  private static func input(_ kind: TriggerKind, _ commands: SessionCommands) throws(TriggerError)
    -> TriggerInput
  {
    if let input = TriggerInput(kind, to: commands) { return input }
    throw TriggerError(
      .badName,
      kind == .key
        ? "--trigger key reads single keys of a terminal, and standard input is none. Use --trigger stdin for a pipe."
        : "Standard input belongs to another program now, as this one runs in the background. "
          + "Use --trigger signal or --trigger socket.")
  }
}
