import Cameras
import Capture
import Media
import Microphones
import Overcrank
import Platform
import Retime
import StudioServer
import Timebase
import V4L2

/// An error as the command line tells it: a message and an exit code, those of `sysexits.h`.
struct Failure: Error {
  let message: String
  let exitCode: Int32

  init(_ message: String, exitCode: Int32) {
    self.message = message
    self.exitCode = exitCode
  }

  /// What `error` is to the user; `nil` for errors of the argument parser, which tells them itself.
  init?(_ error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as CameraError: self.init(error.message, exitCode: error.code.exitCode)
    case let error as V4L2Error: self.init(CameraError(error))
    case let error as FileError: self.init(error)
    case let error as ResourceError: self.init(error.description, exitCode: ExitStatus.inputOutput)
    case let error as MediaError: self.init(error.message, exitCode: error.code.exitCode)
    case let error as CaptureError: self.init(error.message, exitCode: error.exitCode)
    case let error as RecordError: self.init(error.message, exitCode: error.exitCode)
    case let error as BenchError: self.init(error)
    case let error as FilmError: self.init(error)
    case let error as MicrophoneError: self.init(error.message, exitCode: error.code.exitCode)
    case let error as TriggerError: self.init(error.message, exitCode: error.code.exitCode)
    case let error as SetupError: self.init(error)
    case let error as ProfileError: self.init(error.description, exitCode: ExitStatus.badData)
    case let error as StudioHostError: self.init(error)
    case let error as CurveError: self.init("--speed: \(error)", exitCode: ExitStatus.usage)
    case let error as QuantityError: self.init("\(error).", exitCode: ExitStatus.usage)
    default: return nil
    }
  }
}

extension Failure {
  init(_ error: FileError) {
    self.init(error.message, exitCode: MediaError(error).code.exitCode)
  }

  init(_ error: BenchError) {
    switch error {
    case .profile: self.init(error.description, exitCode: ExitStatus.badData)
    case .file(let file): self.init(file.message, exitCode: MediaError(file).code.exitCode)
    }
  }

  init(_ error: SetupError) {
    switch error {
    case .badName: self.init(error.description, exitCode: ExitStatus.usage)
    case .unknown(let name, _, _):
      self.init(
        "\(error) \"overcrank setups list\" lists yours, \"overcrank setups save \(name.shellWord) sim: --fps 240\" "
          + "makes one.",
        exitCode: ExitStatus.noInput)
    case .content: self.init(error.description, exitCode: ExitStatus.badData)
    case .file(let file): self.init(MediaError(file))
    }
  }

  init(_ error: StudioHostError) {
    let exitCode =
      switch error.code {
      case .portTaken: ExitStatus.temporary
      case .noAddress: ExitStatus.unavailable
      case .noPermission: ExitStatus.noPermission
      case .failed: ExitStatus.inputOutput
      }
    self.init(
      "\(error)\(error.code == .portTaken ? " --port 0 takes any that is free." : "")", exitCode: exitCode)
  }

  init(_ error: MediaError) { self.init(error.message, exitCode: error.code.exitCode) }

  init(_ error: FilmError) {
    switch error {
    case .cutOff: self.init(error.message, exitCode: ExitStatus.noInput)
    case .media(let media): self.init(media.message, exitCode: media.code.exitCode)
    }
  }
}

/// The contract's exit codes.
enum ExitStatus {
  static let problemsFound: Int32 = 1
  static let framesLost: Int32 = 4
  static let usage: Int32 = 64
  static let badData: Int32 = 65
  static let noInput: Int32 = 66
  static let unavailable: Int32 = 69
  static let cannotCreate: Int32 = 73
  static let inputOutput: Int32 = 74
  static let temporary: Int32 = 75
  static let noPermission: Int32 = 77
  /// 128 + SIGINT, as shells have it.
  static let interrupted: Int32 = 130
}

extension CameraError.Code {
  var exitCode: Int32 {
    switch self {
    case .noCamera, .noMode, .noControl: ExitStatus.unavailable
    case .noPermission: ExitStatus.noPermission
    case .busy: ExitStatus.temporary
    case .badTable: ExitStatus.badData
    case .badName, .badValue: ExitStatus.usage
    default: ExitStatus.inputOutput
    }
  }
}

extension MicrophoneError.Code {
  var exitCode: Int32 {
    switch self {
    case .noMicrophone, .unsupported: ExitStatus.unavailable
    case .noPermission: ExitStatus.noPermission
    case .busy: ExitStatus.temporary
    case .badName: ExitStatus.usage
    case .disconnected, .failed: ExitStatus.inputOutput
    }
  }
}

extension MediaError.Code {
  var exitCode: Int32 {
    switch self {
    case .noInput: ExitStatus.noInput
    case .badData: ExitStatus.badData
    case .cannotCreate: ExitStatus.cannotCreate
    case .noPermission: ExitStatus.noPermission
    case .unsupported: ExitStatus.unavailable
    case .busy: ExitStatus.temporary
    case .outOfRange: ExitStatus.usage
    case .cancelled: ExitStatus.interrupted
    default: ExitStatus.inputOutput
    }
  }
}

extension TriggerError.Code {
  var exitCode: Int32 {
    switch self {
    case .badName, .noTerminal, .noInput, .badValue: ExitStatus.usage
    case .unreadable(let code): code.exitCode
    case .taken: ExitStatus.temporary
    case .nobody: ExitStatus.unavailable
    case .restless, .failed: ExitStatus.inputOutput
    }
  }
}

extension RecordError {
  var exitCode: Int32 {
    switch self {
    case .noMode, .modesRefused, .unwritable: ExitStatus.unavailable
    case .nameTaken: ExitStatus.cannotCreate
    case .camera(let error): error.code.exitCode
    case .microphone(let error): error.code.exitCode
    case .capture(let error): error.exitCode
    case .trigger(let error): error.code.exitCode
    case .media(let error): error.code.exitCode
    case .file(let error): MediaError(error).code.exitCode
    }
  }
}

extension CaptureError {
  var exitCode: Int32 {
    switch self {
    case .camera(let error): error.code.exitCode
    case .master(let error): error.code.exitCode
    case .trigger(let error): error.code.exitCode
    case .microphone(let error): error.code.exitCode
    case .ring, .silence, .damage, .noStream, .empty: ExitStatus.inputOutput
    case .stillUnderWay: ExitStatus.temporary
    case .outOfTriggers: ExitStatus.noInput
    }
  }
}
