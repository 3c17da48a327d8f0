public import Cameras

/// A request for a still.
public struct StillRequest: Hashable, Sendable {
  /// Identifies the still within the session.
  public let id: Int
  /// What the camera is set to for it, and then set back; `nil` for a still in the mode that is captured.
  public let configuration: SessionConfiguration?
  /// How many frames of that mode pass first, in which the camera finds its exposure.
  public let skippedFrames: Int
  /// Who is told what came of it.
  private let listener: OutcomeListener<(StillRequest, StillOutcome)>?

  /// The still called `id`; ``SessionCommands/takeStill(in:skipping:answer:)`` gives each a number of its own.
  public init(id: Int) { self.init(id: id, in: nil, skipping: 0, answer: nil) }

  init(
    id: Int, in configuration: SessionConfiguration?, skipping skipped: Int,
    answer: (@Sendable (StillRequest, StillOutcome) -> Void)?
  ) {
    self.id = id
    self.configuration = configuration
    skippedFrames = skipped
    listener = answer.map { answer in OutcomeListener { answer($0.0, $0.1) } }
  }

  /// Tells whoever waits what came of it.
  func answer(_ outcome: StillOutcome) { listener?.hear((self, outcome)) }
}

/// What came of a ``StillRequest`` in the session.
public enum StillOutcome: Hashable, Sendable {
  /// The frame with this number of the camera's became it, with the camera set like this.
  case captured(sequence: UInt32, StreamConfiguration)
  /// There is none, for this reason.
  case failed(String)
}
