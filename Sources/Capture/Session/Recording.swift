public import Platform
public import Cameras
public import FoundationEssentials
public import Takes

/// The result of a recording.
public struct Recording: Hashable, Sendable {
  /// The accounting of the frames.
  public let accounting: FrameAccounting
  /// The accounting of the audio; `nil` if no microphone was recorded.
  public let audio: AudioAccounting?
  /// The facts known before the take's first frame.
  public let context: TakeContext
  /// The date of its start.
  public let startedAt: Date
  /// The trigger that began it.
  public let trigger: Take.Trigger
  /// Whether the take ended because its file reached its size limit.
  public let isFull: Bool
  /// The change of mode that it follows; `nil` if none.
  public let modeChange: Take.ModeChange?
  /// The number of frames within the requested time that were left out, because the first key frame came after them.
  public let skippedFrames: Int64
  /// The control changes during the take, on the frames' clock.
  public let controlChanges: [Take.ControlChange]
  /// The size of the ring in bytes.
  public let ringBytes: Int
  /// The peak fill of the ring in bytes, as the writer saw it.
  public let ringPeakBytes: Int
  /// The errno that explains why the ring's memory could be swapped out; 0 if it was locked.
  public let ringLockErrno: Int32
  /// The total size of the frames in the master.
  public let bytesWritten: Int64
  /// The reason why the take ended early; the master is complete all the same.
  public let failure: CaptureError?
  /// The error that kept the camera's settings from being restored.
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
      // A pre-roll is only accurate to a frame.
      let interval = facts.context.configuration.frameFormat.nominalInterval ?? .zero
      if kept + interval >= trigger.requestedPreRoll ?? .zero { trigger.preRollCut = nil }
      // The number must be that of the frame in the take, also where the camera's numbers repeat.
      if !accounting.hasCameraNumbers, let number = accounting.sequence(at: time) {
        trigger.sequence = UInt32(truncatingIfNeeded: number)
      }
    }
    self.trigger = trigger
    self.isFull = facts.isFull
    modeChange = facts.modeChange
    skippedFrames = facts.skippedFrames
    self.ringBytes = facts.ringBytes
    controlChanges = facts.controlChanges
    self.ringPeakBytes = facts.ringPeakBytes
    self.ringLockErrno = facts.ringLockErrno
    self.bytesWritten = bytesWritten
    self.failure = failure
  }

  /// The configuration that the camera accepted.
  public var configuration: StreamConfiguration { context.configuration }

  /// The depth of the ring, in frames of this take's mean size.
  public var ringDepth: RingDepth {
    RingDepth(
      byteCount: ringBytes, frameBytes: Int(bytesWritten / max(1, accounting.written)),
      interval: configuration.frameFormat.nominalInterval)
  }
}

/// The facts about a take apart from its frames.
struct TakeFacts: Sendable {
  var context: TakeContext
  var startedAt = Date()
  /// The time of its trigger, if different from its start.
  var moment: Date?
  var trigger = Take.Trigger(kind: "none")
  var isFull = false
  /// The number of frames before the first key frame.
  var skippedFrames: Int64 = 0
  var modeChange: Take.ModeChange?
  var controlChanges: [Take.ControlChange] = []
  var ringBytes: Int
  var ringPeakBytes = 0
  var ringLockErrno: Int32
}
