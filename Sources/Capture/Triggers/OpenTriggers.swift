/// The sources of triggers of one recording, at work as long as this lives.
public final class OpenTriggers: Sendable {
  /// Where they leave what comes.
  public let queue = TriggerQueue()
  /// The times that begin a take, which the writer keeps itself.
  public let times: [TriggerTime]
  private let input: TriggerInput?
  private let signal: TriggerSignal?
  private let sockets: [TriggerSocket]

  /// Sets up `sources`.
  ///
  /// - Parameter endsByEnter: whether Enter is to end a take also where it begins none; for one without an end.
  /// - Throws: ``TriggerError`` where one cannot be had.
  public init(_ sources: [TriggerSource], endsByEnter: Bool) throws(TriggerError) {
    var times: [TriggerTime] = []
    var sockets: [TriggerSocket] = []
    var input: TriggerInput?
    var signal: TriggerSignal?
    for source in sources {
      switch source {
      case .enter: input = try Self.input(.enter, queue)
      case .key: input = try Self.input(.key, queue)
      case .stdin: input = try Self.input(.stdin, queue)
      case .signal: signal = TriggerSignal(to: queue)
      case .socket(let name): sockets.append(try TriggerSocket(name, to: queue))
      case .time(let time): times.append(time)
      }
    }
    if input == nil, endsByEnter { input = TriggerInput(.enter, startsTake: false, to: queue) }
    self.times = times
    self.input = input
    self.signal = signal
    self.sockets = sockets
  }

  private static func input(_ kind: TriggerKind, _ queue: TriggerQueue) throws(TriggerError) -> TriggerInput {
    if let input = TriggerInput(kind, to: queue) { return input }
    throw TriggerError(
      .badName,
      kind == .key
        ? "--trigger key reads single keys of a terminal, and standard input is none. Use --trigger stdin for a pipe."
        : "Standard input belongs to another program now, as this one runs in the background. "
          + "Use --trigger signal or --trigger socket.")
  }
}
