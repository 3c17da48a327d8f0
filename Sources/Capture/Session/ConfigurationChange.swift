import Platform
import CameraModel
public import Cameras

/// A request for another mode or other controls, with a listener for the outcome.
public struct ConfigurationChange: Hashable, Sendable {
  /// The requested configuration.
  public var configuration: SessionConfiguration
  /// The listener for the outcome.
  private let listener: OutcomeListener<ConfigurationOutcome>?

  /// Creates a request for `configuration`.
  ///
  /// - Parameters:
  ///   - configuration: The requested configuration.
  ///   - answer: Called once with the outcome, on the writer's thread; must not block.
  public init(
    _ configuration: SessionConfiguration, answer: (@Sendable (ConfigurationOutcome) -> Void)? = nil
  ) {
    self.configuration = configuration
    listener = answer.map(OutcomeListener.init)
  }

  /// Whether there is a listener for the outcome.
  var isAwaited: Bool { listener != nil }

  /// Reports the outcome to the listener.
  func answer(_ outcome: ConfigurationOutcome) { listener?.hear(outcome) }
}

/// The outcome of a ``ConfigurationChange``.
public enum ConfigurationOutcome: Hashable, Sendable {
  /// The first frame has come in the new configuration, after a gap without frames.
  case changed(StreamConfiguration, gap: Duration)
  /// The camera already has this configuration.
  case unchanged
  /// The camera refused it; the session continues as before if it can.
  case refused(CaptureError)
  /// Another change was requested before this one was made.
  case superseded
  /// The session ended before the change was made.
  case sessionEnded
}

/// A listener for the outcome of a request; compared by identity.
final class OutcomeListener<Outcome: Sendable>: Hashable, Sendable {
  let hear: @Sendable (Outcome) -> Void

  init(_ hear: @escaping @Sendable (Outcome) -> Void) { self.hear = hear }

  static func == (left: OutcomeListener, right: OutcomeListener) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension SessionConfiguration {
  /// Returns the error if the driver's accepted configuration does not fulfil a change from `former` to this;
  /// `nil` if it does.
  func refusal(
    of accepted: StreamConfiguration, after former: SessionConfiguration, by camera: String
  ) -> CaptureError? {
    guard
      mode.interval != former.mode.interval || mode.fourcc != former.mode.fourcc
        || (mode.width, mode.height) != (former.mode.width, former.mode.height),
      let given = accepted.frameFormat.acceptedInterval?.rate, let asked = mode.rate,
      given.framesPerSecond < asked.framesPerSecond * ModeChoice.tolerance
    else { return nil }
    return .camera(
      OvercrankError(
        .noMode, "\(camera.asSubject) asked for \(mode), the driver gives only \(given) fps.",
        remedy: .chooseMode(camera: camera)))
  }
}
