public import CameraModel
public import Cameras
import Capture
public import Platform

/// The reason why a recording failed, in whole or in part.
public enum RecordError: Error, Sendable, CustomStringConvertible {
  /// No mode of the camera meets the request; the choice contains the nearest ones.
  case noMode(ModeChoice, CameraTable, camera: String)
  /// The driver refused every mode that it claims.
  case modesRefused(ModeTrial, camera: String)
  /// Any other error.
  case failure(OvercrankError)

  /// The attempt, its result, and the remedy.
  public var description: String { OvercrankError(self).description }
}

extension OvercrankError {
  /// Creates the same error, without the alternative modes.
  public init(_ error: RecordError) {
    switch error {
    case .noMode(let choice, _, let camera):
      self.init(
        .noMode, "\(camera) cannot capture at \(choice.requestedRate) fps: \(choice.reason).", subject: camera
      )
    case .modesRefused(let trial, let camera):
      self.init(
        .noMode,
        "\(camera) delivers none of the modes that its driver claims: "
          + trial.refused.map { "\($0.mode) \($0.reason)" }.joined(separator: "; ") + ".", subject: camera)
    case .failure(let error): self = error
    }
  }
}

extension RecordError {
  /// Wraps `error`, thrown while a recording was prepared.
  init(_ error: any Error) { self = error as? RecordError ?? .failure(OvercrankError(recording: error)) }
}

extension OvercrankError {
  /// Converts `error`, thrown before or during a recording.
  init(recording error: any Error) {
    switch error {
    case let error as OvercrankError: self = error
    case let error as CaptureError: self.init(error)
    case let error as RecordError: self.init(error)
    default: self.init(.inputOutput, "\(error)")
    }
  }
}
