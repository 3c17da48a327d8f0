public import FoundationEssentials
public import Cameras
public import Timebase

/// One recording: how it was made, what was lost, and what became of it. The content of `*.take.json`.
public struct Take: Codable, Hashable, Sendable {
  /// The version of Overcrank that filmed it.
  public var overcrank: String
  /// What filmed it.
  public var camera: CameraIdentity
  /// The mode that was asked of the camera.
  public var mode: Mode
  /// The rate that the user asked for, in frames per second; `nil` where none was named.
  public var askedFramesPerSecond: Double?
  /// The interval that the driver gave back; `nil` where it knows none.
  public var acceptedInterval: FrameInterval?
  /// The rate by the frames' own numbers and timestamps; `nil` below two frames.
  public var measuredFramesPerSecond: Double?
  /// The clock of ``timestamps``.
  public var clock: FrameClock
  /// When filming began, by the calendar, in UTC as ISO 8601.
  public var startedAt: String
  /// The counts, for which `sent = written + lost` always holds.
  public var frames: FrameCounts
  /// The runs of lost frames.
  public var losses: [Loss]
  /// Whether the camera's numbers always went up; where not, losses in the driver cannot be told.
  public var hasReliableSequence: Bool
  /// The camera's number of each frame written.
  public var sequences: [Int64]
  /// When each frame written was captured, in nanoseconds on ``clock``.
  public var timestamps: [Int64]
  /// The most bytes that waited in the ring, as the writer saw them.
  public var ringPeakBytes: Int
  /// Bytes in the ring.
  public var ringBytes: Int
  /// The controls that were changed for the take, by name; none so far.
  public var controls: [String: Int64]
  /// What began the take.
  public var trigger: Trigger
  /// The master's file name, beside the take; `nil` where it was discarded.
  public var master: String?
  /// How fast the master plays, where it was changed in place since; `nil` where it plays as it was captured.
  public var masterSpeed: String?
  /// The clips made from it, beside the take.
  public var clips: [Clip]
  /// Whether the take was put together again after a crash.
  public var isRecovered: Bool
  /// Why filming ended before its time; `nil` where it did not.
  public var failure: String?

  /// How many frames there were.
  public struct FrameCounts: Codable, Hashable, Sendable {
    /// From the first to the last, by the camera's numbers.
    public var sent: Int64
    /// In the master.
    public var written: Int64
    /// By stage.
    public var lost: Lost

    /// Frames lost at each stage.
    public struct Lost: Codable, Hashable, Sendable {
      /// Gaps in the camera's numbers.
      public var driver: Int64
      /// Damaged.
      public var corrupt: Int64
      /// Refused by a full ring.
      public var ring: Int64
      /// Not written.
      public var disk: Int64

      /// All together.
      public var total: Int64 { driver + corrupt + ring + disk }
    }
  }

  /// What began a take.
  public struct Trigger: Codable, Hashable, Sendable {
    /// `none`: filming began with the command.
    public var kind: String
  }

  /// A clip that was made from the master.
  public struct Clip: Codable, Hashable, Sendable {
    /// The file's name, beside the take.
    public var file: String
    /// How fast it plays, as in `1/8`.
    public var speed: String
    /// Frames per second of the file.
    public var framesPerSecond: Double
    /// Frames in the file.
    public var frames: Int
    /// Output frames that repeat the one before, where a frame was lost.
    public var held: Int

    /// A clip of these facts.
    public init(file: String, speed: String, framesPerSecond: Double, frames: Int, held: Int) {
      self.file = file
      self.speed = speed
      self.framesPerSecond = framesPerSecond
      self.frames = frames
      self.held = held
    }

    enum CodingKeys: String, CodingKey {
      case file, speed, frames, held
      case framesPerSecond = "fps"
    }
  }

  enum CodingKeys: String, CodingKey {
    case overcrank, camera, mode, clock, frames, losses, controls, trigger, master, clips, failure
    case askedFramesPerSecond = "asked_fps"
    case acceptedInterval = "accepted_interval"
    case measuredFramesPerSecond = "measured_fps"
    case startedAt = "started_at"
    case hasReliableSequence = "sequence_reliable"
    case sequences = "sequence"
    case timestamps = "timestamp_ns"
    case ringPeakBytes = "ring_peak_bytes"
    case ringBytes = "ring_bytes"
    case isRecovered = "recovered"
    case masterSpeed = "master_speed"
  }
}

extension Take {
  /// Writes the take; what is unknown is `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(overcrank, forKey: .overcrank)
    try keys.encode(camera, forKey: .camera)
    try keys.encode(mode, forKey: .mode)
    try keys.encode(askedFramesPerSecond, forKey: .askedFramesPerSecond)
    try keys.encode(acceptedInterval, forKey: .acceptedInterval)
    try keys.encode(measuredFramesPerSecond, forKey: .measuredFramesPerSecond)
    try keys.encode(clock, forKey: .clock)
    try keys.encode(startedAt, forKey: .startedAt)
    try keys.encode(frames, forKey: .frames)
    try keys.encode(losses, forKey: .losses)
    try keys.encode(hasReliableSequence, forKey: .hasReliableSequence)
    try keys.encode(sequences, forKey: .sequences)
    try keys.encode(timestamps, forKey: .timestamps)
    try keys.encode(ringPeakBytes, forKey: .ringPeakBytes)
    try keys.encode(ringBytes, forKey: .ringBytes)
    try keys.encode(controls, forKey: .controls)
    try keys.encode(trigger, forKey: .trigger)
    try keys.encode(master, forKey: .master)
    try keys.encode(masterSpeed, forKey: .masterSpeed)
    try keys.encode(clips, forKey: .clips)
    try keys.encode(isRecovered, forKey: .isRecovered)
    try keys.encode(failure, forKey: .failure)
  }
}

extension Take.FrameCounts {
  init(_ account: TakeAccount) {
    self.init(
      sent: account.sent, written: account.written,
      lost: Lost(
        driver: account.ledger.count(of: .driver), corrupt: account.ledger.count(of: .corrupt),
        ring: account.ledger.count(of: .ring), disk: account.ledger.count(of: .disk)))
  }
}

extension Take {
  /// The take that `recording` is.
  ///
  /// - Parameters:
  ///   - asked: the rate that the user named.
  ///   - started: when filming began, by the calendar.
  ///   - master: the master's file name.
  ///   - version: the version of Overcrank.
  public init(
    _ recording: Recording, camera: CameraIdentity, mode: Mode, asked: FrameRate?, started: Date,
    master: String, version: String
  ) {
    let account = recording.account
    self.init(
      overcrank: version, camera: camera, mode: mode,
      askedFramesPerSecond: asked?.framesPerSecond.doubleValue,
      acceptedInterval: recording.configuration.acceptedInterval,
      measuredFramesPerSecond: account.measuredFramesPerSecond, clock: recording.configuration.clock,
      startedAt: started.formatted(.iso8601), frames: FrameCounts(account),
      losses: account.ledger.losses, hasReliableSequence: account.hasReliableSequence,
      sequences: account.sequences, timestamps: account.timestamps, ringPeakBytes: recording.ringPeakBytes,
      ringBytes: recording.ringBytes, controls: [:], trigger: Trigger(kind: "none"), master: master,
      clips: [], isRecovered: false, failure: recording.failure?.description)
  }
}
