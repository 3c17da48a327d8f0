public import Cameras

/// A request for a still.
public struct StillRequest: Hashable, Sendable {
  /// The identity of the still within the session.
  public let id: Int
  /// The configuration for the still, after which the camera is restored; `nil` for a still in the current
  /// mode.
  public let configuration: SessionConfiguration?
  /// The number of frames of that mode to skip first, in which the camera adjusts its exposure.
  public let skippedFrames: Int
  /// The listener for the outcome.
  private let listener: OutcomeListener<(StillRequest, StillOutcome)>?

  /// Creates a request with the ID `id`; ``SessionCommands/takeStill(in:skipping:answer:)`` gives each its
  /// own.
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

  /// Reports the outcome to the listener.
  func answer(_ outcome: StillOutcome) { listener?.hear((self, outcome)) }
}

/// The outcome of a ``StillRequest`` in the session.
public enum StillOutcome: Hashable, Sendable {
  /// The still is the frame with this sequence number, captured in this configuration.
  case captured(sequence: UInt32, StreamConfiguration)
  /// The still failed for this reason.
  case failed(String)
}
