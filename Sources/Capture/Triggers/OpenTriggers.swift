public import Platform

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
