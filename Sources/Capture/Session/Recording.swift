public import Platform
public import Cameras
public import FoundationEssentials
public import Takes
import Timebase

/// What a recording left.
public struct Recording: Hashable, Sendable {
  /// The books.
  public let accounting: FrameAccounting
  /// The books of the audio; `nil` where no microphone was recorded.
  public let audio: AudioAccounting?
  /// What was known of the take before its first frame.
  public let context: TakeContext
  /// When it began, by the calendar.
  public let startedAt: Date
  /// What began it.
  public let trigger: Take.Trigger
  /// Whether the take ended because its file may become no larger.
  public let isFull: Bool
  /// The change of mode that it follows; `nil` where it follows none.
  public let modeChange: Take.ModeChange?
  /// The controls that were set meanwhile, on the frames' clock.
  public let controlChanges: [Take.ControlChange]
  /// Bytes in the ring.
  public let ringBytes: Int
  /// The most bytes that waited in the ring, as the writer saw them.
  public let ringPeakBytes: Int
  /// Why the ring's memory could be swapped out, as an errno; 0 where it could not.
  public let ringLockErrno: Int32
  /// Bytes of frames in the master.
  public let bytesWritten: Int64
  /// Why filming ended before its time; the master is whole all the same.
  public let failure: CaptureError?
  /// What could not be put back on the camera.
  public internal(set) var restoreFailure: OvercrankError?

  init(
    accounting: FrameAccounting, audio: AudioAccounting?, bytesWritten: Int64, facts: TakeFacts,
    failure: CaptureError?
  ) {
    self.accounting = accounting
    self.audio = audio
    self.context = facts.context
    self.startedAt = facts.startedAt
    var trigger = facts.trigger
    if let time = trigger.frameTime, let first = accounting.timestamps.first {
      let kept = max(.zero, time - first)
      trigger.preRoll = kept
      // No pre-roll is nearer to what was asked for than a frame.
      let interval = facts.context.configuration.frameFormat.nominalInterval ?? .zero
      if kept + interval >= trigger.askedPreRoll ?? .zero { trigger.preRollCut = nil }
    }
    self.trigger = trigger
    self.isFull = facts.isFull
    modeChange = facts.modeChange
    self.ringBytes = facts.ringBytes
    controlChanges = facts.controlChanges
    self.ringPeakBytes = facts.ringPeakBytes
    self.ringLockErrno = facts.ringLockErrno
    self.bytesWritten = bytesWritten
    self.failure = failure
  }

  /// What the camera had agreed to.
  public var configuration: StreamConfiguration { context.configuration }

  /// What the ring holds of frames as large as those written were in the mean.
  public var ringDepth: RingDepth {
    RingDepth(
      byteCount: ringBytes, frameBytes: Int(bytesWritten / max(1, accounting.written)),
      interval: configuration.frameFormat.nominalInterval)
  }
}

/// What is known of a take apart from its frames.
struct TakeFacts: Sendable {
  var context: TakeContext
  var startedAt = Date()
  /// When its trigger came, where that is not when it began.
  var moment: Date?
  var trigger = Take.Trigger(kind: "none")
  var isFull = false
  var modeChange: Take.ModeChange?
  var controlChanges: [Take.ControlChange] = []
  var ringBytes: Int
  var ringPeakBytes = 0
  var ringLockErrno: Int32
}
