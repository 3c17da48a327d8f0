public import Capture
import Media
public import Platform
public import Retime
public import Takes

/// A take whose master is whole, and its clip once that is made.
public struct FinishedTake: Sendable {
  /// Which take it is, counted from 1.
  public let number: Int
  /// Where its files are.
  public let files: TakeFiles
  /// What the session left.
  public let recording: Recording
  /// What its take file says.
  public internal(set) var take: Take
  /// How the clip was made; `nil` where there is none.
  public internal(set) var clip: ClipReport?
  /// What became of its export; `nil` where none was asked for.
  public internal(set) var export: TakeExport.Outcome?
  /// The file that was recorded; `nil` where that is not known.
  let identity: FileIdentity?
  /// The lock of the master, until its clip is entered; `nil` where none is to be made, or another program was faster.
  let lock: FileLock?
  /// The session's clock.
  let clock: SessionClock
}

/// All that a recording left.
public struct FinishedRecording: Sendable {
  /// The takes, in order.
  public var takes: [FinishedTake]
  /// Why it ended before its time; all takes until then are whole.
  public var failure: OvercrankError?
  /// What could not be put back on the camera.
  public var restoreFailure: OvercrankError?
}
