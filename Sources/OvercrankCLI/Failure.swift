import Overcrank

/// An error in the command line's form: a message, and an exit code from `sysexits.h`.
struct Failure: Error {
  let message: String
  let exitCode: Int32

  init(_ message: String, exitCode: Int32) {
    self.message = message
    self.exitCode = exitCode
  }

  /// Creates a failure from `error`; `nil` for errors of the argument parser, which prints them itself.
  init?(_ error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as OvercrankError: self.init(error)
    case let error as RecordError: self.init(OvercrankError(error))
    case let error as CaptureError: self.init(OvercrankError(error))
    case let error as V4L2Error: self.init(OvercrankError(error))
    case let error as ProfileError: self.init(OvercrankError(error))
    case let error as CurveError: self.init("--speed: \(error)", exitCode: ExitStatus.usage)
    case let error as QuantityError: self.init("\(error).", exitCode: ExitStatus.usage)
    default: return nil
    }
  }
}

extension Failure {
  init(_ error: OvercrankError) { self.init(error.message, exitCode: error.code.exitCode) }

}

/// The documented exit codes that commands choose by themselves; see also `OvercrankError.Code`.
enum ExitStatus {
  static let problemsFound: Int32 = 1
  static let framesLost: Int32 = 4
  static let usage: Int32 = 64
  static let badData: Int32 = 65
  static let noInput: Int32 = 66
  static let unavailable: Int32 = 69
  static let cannotCreate: Int32 = 73
  static let inputOutput: Int32 = 74
  /// 128 + SIGINT, as in shells.
  static let interrupted: Int32 = 130
}
