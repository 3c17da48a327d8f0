public import Takes
public import Timebase

/// How a session stands at one moment.
///
/// The session's writer counts and publishes it; progress, events and the studio tell what it says, and count nothing
/// themselves. So two of them never disagree.
public struct SessionStatus: Hashable, Sendable {
  /// The phase of a session.
  public enum Phase: Hashable, Sendable {
    /// The camera is being opened, or no frame has come yet.
    case starting
    /// The newest frames wait in memory for a trigger.
    case armed
    /// Frames go into a take.
    case recording
    /// The frames around a trigger are awaited, and stay in memory.
    case gathering
    /// Nothing captures, and frames in memory can be looked at and saved.
    case reviewing
    /// No frames come: see ``SessionStatus/interruption``.
    case interrupted
    /// The last frames were asked for, and the session ends.
    case ending
    /// The session is over.
    case ended
  }

  /// Higher by one for each status that differs from the one before.
  public internal(set) var revision = 0
  /// The session's phase.
  public var phase = Phase.starting
  /// Whether the camera captures: frames come, or are on their way.
  public var isRunning = false
  /// The number of the take in progress, or of the next, counted from 1.
  public var takeNumber = 1
  /// How much of the time before a trigger is in memory; while frames gather, how much of what belongs together.
  public var held = Duration.zero
  /// Why no frames come; `nil` where they do.
  public var interruption: Interruption?
  /// The camera's mode and controls. A change counts once a frame has come in the new mode.
  public var configuration: SessionConfiguration
  /// The newest frame of the stream; `nil` before its first.
  public var newest: LatestFrame?
  /// The rate of the newest second, by the frames' own numbers and times; `nil` where it is not known.
  public var framesPerSecond: Double?
  /// The frames of the stream since it was opened.
  public var frames = StreamFrames()
  /// The memory for frames; `nil` while there is none.
  public var ring: RingStatus?
  /// The take in progress; `nil` between takes.
  public var take: TakeStatus?
  /// The review that gathers or is open; `nil` where there is none.
  public var review: ReviewStatus?
  /// How many reviews have begun.
  public var reviewCount = 0

  package init(configuration: SessionConfiguration) { self.configuration = configuration }

  /// Why no frames come.
  public struct Interruption: Hashable, Sendable {
    /// The kind of reason.
    public var reason: InterruptionReason
    /// The failure; `nil` where there was none.
    public var failure: CaptureError?
    /// Whether only ``SessionCommand/resume`` has frames come again.
    public var waitsForResume = false
  }

  /// The newest frame of a stream.
  public struct LatestFrame: Hashable, Sendable {
    /// The camera's number of the frame.
    public var sequence: UInt32
    /// When it was captured, on the camera's clock.
    public var timestamp: Instant
    /// How many frames the camera has sent since the stream was opened, up to this one.
    public var sent: Int64
  }

  /// The memory for frames.
  public struct RingStatus: Hashable, Sendable {
    /// Bytes that it holds.
    public var capacity: Int
    /// Bytes that wait in it.
    public var fillBytes: Int
    /// How long it takes until it is full, if it goes on as in the last second; `nil` where it does not fill up.
    public var timeUntilFull: Duration?

    /// How much of it is taken, from 0 to 1.
    public var fill: Double { Double(fillBytes) / Double(capacity) }

    package init(capacity: Int, fillBytes: Int, timeUntilFull: Duration? = nil) {
      self.capacity = capacity
      self.fillBytes = fillBytes
      self.timeUntilFull = timeUntilFull
    }
  }

  /// A take in progress.
  public struct TakeStatus: Hashable, Sendable {
    /// Its frames so far: as many were sent as were written and lost.
    public var frames: Take.FrameCounts
    /// The time from the first frame in the master to the last, by their own timestamps: the pre-roll
    /// counts.
    public var duration = Duration.zero
    /// The rate by the frames' own timestamps; `nil` below two frames.
    public var framesPerSecond: Double?
    /// Bytes of frames in the master.
    public var bytesWritten: Int64 = 0
    /// Which part of the bytes that the master may have are written, from 0 to 1, its index aside; `nil` where it
    /// may have any number.
    public var limitFill: Double?
    /// Whether frames wait for the disk.
    public var waitsForDisk = false

    package init(frames: Take.FrameCounts = Take.FrameCounts(FrameAccounting())) { self.frames = frames }
  }

  /// Frames that gather for a review, or are reviewed.
  public struct ReviewStatus: Hashable, Sendable {
    /// How many there are.
    public var count = 0
    /// How many were lost between the first and the last.
    public var lost: Int64 = 0
    /// When the first was captured; `nil` before it.
    public var first: Instant?
    /// When the last was captured; `nil` before the first.
    public var last: Instant?
    /// When what triggered came, on the camera's clock; `nil` where nothing did.
    public var trigger: Instant?
    /// The frame that was captured last when the trigger came, counted from 0; `nil` where none was.
    public var triggerIndex: Int?

    /// From the first frame to the last.
    public var duration: Duration { first.flatMap { first in last.map { $0 - first } } ?? .zero }

    package init(trigger: Instant? = nil) { self.trigger = trigger }
  }

  /// Whether a take is recorded.
  public var isRecording: Bool { take != nil }

  /// How many frames were lost of what is recorded, gathered or reviewed.
  public var framesLost: Int64 { take?.frames.lost.total ?? review?.lost ?? 0 }
}
