public import Capture
public import Platform
public import Retime
public import Takes

/// A take with a complete master, and with its clip once that is made.
public struct FinishedTake: Sendable {
  /// The number of the take, counted from 1.
  public let number: Int
  /// The take's files.
  public let files: TakeFiles
  /// The session's record of the take.
  public let recording: Recording
  /// The content of the take file.
  public internal(set) var take: Take
  /// A report on the clip; `nil` if there is none.
  public internal(set) var clip: ClipReport?
  /// The outcome of its export; `nil` if none was requested.
  public internal(set) var export: TakeExport.Outcome?
  /// The identity of the recorded file; `nil` if unknown.
  let identity: FileIdentity?
  /// The lock of the master until its clip is in the take; `nil` if there will be none, or if another program
  /// locked it first.
  let lock: FileLock?
  /// The session's clock.
  let clock: SessionClock
}

/// The result of a recording.
public struct FinishedRecording: Sendable {
  /// The takes, in order.
  public var takes: [FinishedTake]
  /// The error that ended it early; `nil` if none did. All takes before that are complete.
  public var failure: OvercrankError?
  /// The error of restoring the camera's state; `nil` if there was none.
  public var restoreFailure: OvercrankError?
}
