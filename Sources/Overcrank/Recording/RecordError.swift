public import CameraModel
public import Cameras
import Capture
public import Platform

/// Why nothing could be recorded, or not all of it.
public enum RecordError: Error, Sendable, CustomStringConvertible {
  /// No mode of the camera is what was asked for; the choice has the nearest ones.
  case noMode(ModeChoice, CameraTable, camera: String)
  /// The driver gives none of the modes that it claims.
  case modesRefused(ModeTrial, camera: String)
  /// Anything else.
  case failure(OvercrankError)

  /// What was tried, what came of it, and the remedy.
  public var description: String { OvercrankError(self).description }
}

extension OvercrankError {
  /// The same error, without the modes that there are instead.
  public init(_ error: RecordError) {
    switch error {
    case .noMode(let choice, _, let camera):
      self.init(
        .noMode, "\(camera) cannot capture at \(choice.askedRate) fps: \(choice.reason).", subject: camera)
    case .modesRefused(let trial, let camera):
      self.init(
        .noMode,
        "\(camera) gives none of the modes that its driver claims: "
          + trial.refused.map { "\($0.mode) \($0.reason)" }.joined(separator: "; ") + ".", subject: camera)
    case .failure(let error): self = error
    }
  }
}

extension RecordError {
  /// The error that `error`, thrown on the way to a recording, is for it.
  init(_ error: any Error) { self = error as? RecordError ?? .failure(OvercrankError(recording: error)) }
}

extension OvercrankError {
  /// The error that `error`, thrown on the way to a recording or in it, is.
  init(recording error: any Error) {
    switch error {
    case let error as OvercrankError: self = error
    case let error as CaptureError: self.init(error)
    case let error as RecordError: self.init(error)
    default: self.init(.inputOutput, "\(error)")
    }
  }
}
