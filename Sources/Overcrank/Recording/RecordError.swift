public import CameraModel
public import Cameras
public import Capture
public import Media
public import Microphones
public import Platform
public import SystemPackage

/// Why nothing could be recorded, or not all of it.
public enum RecordError: Error, Sendable, CustomStringConvertible {
  /// No mode of the camera is what was asked for; the choice has the nearest ones.
  case noMode(ModeChoice, CameraTable, camera: String)
  /// The driver gives none of the modes that it claims.
  case modesRefused(ModeTrial, camera: String)
  /// Frames of this mode's format cannot be written yet.
  case unwritable(Mode, camera: String)
  /// There is a file of this name already, and it may not be replaced.
  case nameTaken(FilePath)
  /// The camera failed.
  case camera(CameraError)
  /// The microphone cannot be had.
  case microphone(MicrophoneError)
  /// The session could not begin.
  case capture(CaptureError)
  /// A trigger could not be set up.
  case trigger(TriggerError)
  /// A clip could not be made.
  case media(MediaError)
  /// A file could not be read, made or written.
  case file(FileError)

  /// What was tried, what came of it, and the remedy.
  public var description: String {
    switch self {
    case .noMode(let choice, _, let camera):
      "\(camera) cannot capture at \(choice.askedRate) fps: \(choice.reason)."
    case .modesRefused(let trial, let camera):
      "\(camera) gives none of the modes that its driver claims: "
        + trial.refused.map { "\($0.mode) \($0.reason)" }.joined(separator: "; ") + "."
    case .unwritable(let mode, let camera):
      "\(camera) in \(mode): frames of this format cannot be written yet. Choose another format."
    case .nameTaken(let path):
      "\(path): exists already; choose another name, or allow it to be replaced."
    case .camera(let error): error.description
    case .microphone(let error): error.description
    case .capture(let error): error.description
    case .trigger(let error): error.description
    case .media(let error): error.description
    case .file(let error): error.description
    }
  }
}

extension RecordError {
  /// What `error`, thrown on the way to a recording, is.
  init(_ error: any Error) {
    switch error {
    case let error as RecordError: self = error
    case let error as CameraError: self = .camera(error)
    case let error as MicrophoneError: self = .microphone(error)
    case let error as CaptureError: self = .capture(error)
    case let error as TriggerError: self = .trigger(error)
    case let error as FileError: self = .file(error)
    case let error as MediaError: self = .media(error)
    default: self = .file(FileError(.inputOutput, "\(error)"))
    }
  }
}
