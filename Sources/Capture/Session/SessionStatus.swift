public import Takes
public import Timebase

/// A snapshot of a session's status.
///
/// The session's writer counts and publishes it; progress, events and the studio only report it, so they
/// never disagree.
public struct SessionStatus: Hashable, Sendable {
  /// The phase of a session.
  public enum Phase: Hashable, Sendable {
    /// The camera is being opened, or no frame has come yet.
    case starting
    /// The newest frames wait in memory for a trigger.
    case armed
    /// Frames go into a take.
    case recording
    /// The frames around a trigger are being collected in memory.
    case gathering
    /// The stream is stopped, and frames in memory can be viewed and saved.
    case reviewing
    /// Frames have stopped: see ``SessionStatus/interruption``.
    case interrupted
    /// A stop was requested, and the session is ending.
    case ending
    /// The session is over.
    case ended
  }

  /// A number that increases with each change of the status.
  public internal(set) var revision = 0
  /// The session's phase.
  public var phase = Phase.starting
  /// Whether the camera captures: frames come, or are expected.
  public var isRunning = false
  /// The number of the take in progress, or of the next, from 1.
  public var takeNumber = 1
  /// The length of the pre-roll in memory; while gathering, the length of the span collected so far.
  public var held = Duration.zero
  /// The current interruption; `nil` if there is none.
  public var interruption: Interruption?
  /// The camera's mode and control changes. A change takes effect here with the first frame in the new mode.
  public var configuration: SessionConfiguration
  /// The newest frame of the stream; `nil` before its first.
  public var newest: LatestFrame?
  /// The rate over the newest second, by the frames' sequence numbers and timestamps; `nil` if unknown.
  public var framesPerSecond: Double?
  /// The frames of the stream since it was opened.
  public var frames = StreamFrames()
  /// The ring; `nil` while there is none.
  public var ring: RingStatus?
  /// The take in progress; `nil` between takes.
  public var take: TakeStatus?
  /// The current review, gathering or open; `nil` if there is none.
  public var review: ReviewStatus?
  /// The number of reviews that have begun.
  public var reviewCount = 0

  package init(configuration: SessionConfiguration) { self.configuration = configuration }

  /// An interruption of the stream.
  public struct Interruption: Hashable, Sendable {
    /// The reason.
    public var reason: InterruptionReason
    /// The error; `nil` if there was none.
    public var failure: CaptureError?
    /// Whether only ``SessionCommand/resume`` makes frames come again.
    public var waitsForResume = false
  }

  /// The newest frame of a stream.
  public struct LatestFrame: Hashable, Sendable {
    /// The camera's sequence number of the frame.
    public var sequence: UInt32
    /// The capture time, on the camera's clock.
    public var timestamp: Instant
    /// The number of frames that the camera has sent since the stream was opened, up to this one.
    public var sent: Int64
  }

  /// The fill of the ring.
  public struct RingStatus: Hashable, Sendable {
    /// The size of the ring in bytes.
    public var capacity: Int
    /// The number of waiting bytes.
    public var fillBytes: Int
    /// The time until the ring is full at the trend of the last second; `nil` if it is not filling up.
    public var timeUntilFull: Duration?

    /// The fill as a share, from 0 to 1.
    public var fill: Double { Double(fillBytes) / Double(capacity) }

    package init(capacity: Int, fillBytes: Int, timeUntilFull: Duration? = nil) {
      self.capacity = capacity
      self.fillBytes = fillBytes
      self.timeUntilFull = timeUntilFull
    }
  }

  /// A take in progress.
  public struct TakeStatus: Hashable, Sendable {
    /// The frame counts so far; `sent` is the sum of written and lost.
    public var frames: Take.FrameCounts
    /// The time from the first frame in the master to the last, by their own timestamps; includes the
    /// pre-roll.
    public var duration = Duration.zero
    /// The rate by the frames' own timestamps; `nil` below two frames.
    public var framesPerSecond: Double?
    /// The total size of the frames in the master.
    public var bytesWritten: Int64 = 0
    /// The share of the master's size limit that is written, from 0 to 1, without its index; `nil` if
    /// unlimited.
    public var limitFill: Double?
    /// Whether frames wait for the disk.
    public var waitsForDisk = false

    package init(frames: Take.FrameCounts = Take.FrameCounts(FrameAccounting())) { self.frames = frames }
  }

  /// The frames that are gathered for a review, or reviewed.
  public struct ReviewStatus: Hashable, Sendable {
    /// The number of frames.
    public var count = 0
    /// The number of frames lost between the first and the last.
    public var lost: Int64 = 0
    /// The capture time of the first frame; `nil` before it.
    public var first: Instant?
    /// The capture time of the last frame; `nil` before the first.
    public var last: Instant?
    /// The time of the trigger, on the camera's clock; `nil` if there was none.
    public var trigger: Instant?
    /// The index of the last frame captured before the trigger, from 0; `nil` if none.
    public var triggerIndex: Int?

    /// The time from the first frame to the last.
    public var duration: Duration { first.flatMap { first in last.map { $0 - first } } ?? .zero }

    package init(trigger: Instant? = nil) { self.trigger = trigger }
  }

  /// Whether a take is in progress.
  public var isRecording: Bool { take != nil }

  /// The number of frames lost from the current take or review.
  public var framesLost: Int64 { take?.frames.lost.total ?? review?.lost ?? 0 }
}
