import Platform
import CameraModel
public import Cameras
import Timebase

/// A request for another mode or other controls, with whoever is told what came of it.
public struct ConfigurationChange: Hashable, Sendable {
  /// What the camera is to be set to.
  public var configuration: SessionConfiguration
  /// Who is told what came of it.
  private let listener: OutcomeListener<ConfigurationOutcome>?

  /// A request for `configuration`.
  ///
  /// - Parameters:
  ///   - configuration: what the camera is to be set to.
  ///   - answer: is told once what came of it, on the writer's thread; must not wait for anything.
  public init(
    _ configuration: SessionConfiguration, answer: (@Sendable (ConfigurationOutcome) -> Void)? = nil
  ) {
    self.configuration = configuration
    listener = answer.map(OutcomeListener.init)
  }

  /// Whether somebody waits for what comes of it.
  var isAwaited: Bool { listener != nil }

  /// Tells whoever waits what came of it.
  func answer(_ outcome: ConfigurationOutcome) { listener?.hear(outcome) }
}

/// What came of a ``ConfigurationChange``.
public enum ConfigurationOutcome: Hashable, Sendable {
  /// The first frame has come in it; for so long there was none.
  case changed(StreamConfiguration, gap: Duration)
  /// The camera is set so already.
  case unchanged
  /// It cannot be had, and the session goes on as before where it can.
  case refused(CaptureError)
  /// Another change was asked for before this one was made.
  case superseded
  /// The session ended before it was made.
  case sessionEnded
}

/// Whoever waits for what comes of a request; every one is somebody else.
final class OutcomeListener<Outcome: Sendable>: Hashable, Sendable {
  let hear: @Sendable (Outcome) -> Void

  init(_ hear: @escaping @Sendable (Outcome) -> Void) { self.hear = hear }

  static func == (left: OutcomeListener, right: OutcomeListener) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension SessionConfiguration {
  /// Why what the driver has accepted will not do for a change from `former` to this; `nil` where it will.
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
