public import CameraModel
public import Timebase

/// One recording: how it was made, what was lost, and what became of it. The content of `*.take.json`.
public struct Take: Codable, Hashable, Sendable {
  /// The version of Overcrank that filmed it.
  public var overcrank: String
  /// What filmed it.
  public var camera: CameraIdentity
  /// The mode that was asked of the camera.
  public var mode: Mode
  /// The mode that the table promised and that was asked for first; ``mode`` where the driver gave it.
  public var askedMode: Mode?
  /// The modes that the driver did not give before ``mode``, best first; `nil` in takes of older versions.
  public var refusedModes: [ModeRefusal]?
  /// The rate that the user asked for, in frames per second; `nil` where none was named.
  public var askedFramesPerSecond: Double?
  /// The interval that the driver gave back; `nil` where it knows none.
  public var acceptedInterval: FrameInterval?
  /// The rate by the frames' own numbers and timestamps; `nil` below two frames.
  public var measuredFramesPerSecond: Double?
  /// The clock of ``timestamps``.
  public var clock: FrameClock
  /// The frames written whose time is that of their receipt, as the driver's timestamps cannot be true.
  public var timedAtDequeue: [FrameRun] = []
  /// The frames of a recovered take that no journal told of: their numbers and times are estimated, by those of their
  /// neighbours and the rate. `nil` in takes of older versions.
  public var estimated: [FrameRun]?
  /// When filming began, by the calendar, in UTC as ISO 8601.
  public var startedAt: String
  /// What a person called it; `nil` where nobody did.
  public var label: String?
  /// The counts, for which `sent = written + lost` always holds.
  public var frames: FrameCounts
  /// The runs of lost frames.
  public var losses: [Loss]
  /// Whether the camera's numbers always went up; where not, losses in the driver cannot be told.
  public var hasReliableSequence: Bool
  /// The camera's number of each frame written.
  public var sequences: FrameColumn
  /// When each frame written was captured, on ``clock``.
  public var timestamps: FrameTimes
  /// The most bytes that waited in the ring, as the writer saw them; `nil` in a recovered take.
  public var ringPeakBytes: Int?
  /// Bytes in the ring; `nil` in a recovered take.
  public var ringBytes: Int?
  /// How many frames of this take's mean size it holds.
  public var ringFrames: Int?
  /// How long the camera takes to send these.
  @Nanoseconds public var ringDuration: Duration? = nil
  /// What became of controls during the take, in order, by whomever; `nil` in a recovered one.
  public var controlChanges: [ControlChange]?
  /// How the camera's controls stood, by name, and which were changed for the take.
  public var controls: [String: ControlInForce]
  /// The change of mode that the take follows; `nil` where it follows none, and in a recovered one.
  public var modeChange: ModeChange?
  /// What began the take; `nil` in a recovered one.
  public var trigger: Trigger?
  /// The master's file name, beside the take; `nil` where it was discarded.
  public var master: String?
  /// How fast the master plays, where it was changed in place since; `nil` where it plays as it was captured.
  public var masterSpeed: String?
  /// The clips made from it, beside the take.
  public var clips: [Clip]
  /// The clip that was wanted; `nil` where none was, and in takes of older versions.
  public var wantedClip: ClipDescription?
  /// The words of the command line that ask for it, which version 0.2.0 and earlier wrote in place of ``wantedClip``.
  public var clipWords: [String]?
  /// What was heard with the picture; `nil` where no microphone was recorded.
  public var audio: Audio?
  /// Whether the take was put together again after a crash.
  public var isRecovered: Bool
  /// How the frames are turned to be shown, which the master's do not say; `nil` where nobody said.
  public var turn: PictureTurn?
  /// Which of a list of qualities the mode was taken for, and why; `nil` where none was asked for.
  public var quality: QualityChoice?
  /// How large the master was allowed to become; `nil` where nobody said.
  public var sizeLimit: SizeLimit?
  /// Why filming ended before its time; `nil` where it did not.
  public var failure: String?

  /// How large a master was allowed to become.
  public struct SizeLimit: Codable, Hashable, Sendable {
    /// The bytes that the finished file may have at most.
    public var bytes: Int64
    /// Whether the take ended because one frame more would have been too many; `nil` in a recovered one.
    @Nullable public var isReached: Bool? = nil

    /// A limit of which it is not known yet whether it was reached.
    public init(bytes: Int64) { self.bytes = bytes }

    enum CodingKeys: String, CodingKey {
      case bytes
      case isReached = "reached"
    }
  }

  /// How many frames there were.
  public struct FrameCounts: Codable, Hashable, Sendable {
    /// From the first to the last, by the camera's numbers.
    public var sent: Int64
    /// In the master.
    public var written: Int64
    /// By stage.
    public var lost: Lost

    /// These counts.
    package init(
      sent: Int64,
      written: Int64,
      lost: Lost
    ) {
      self.sent = sent
      self.written = written
      self.lost = lost
    }

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

      /// Frames lost at each stage.
      package init(
        driver: Int64,
        corrupt: Int64,
        ring: Int64,
        disk: Int64
      ) {
        self.driver = driver
        self.corrupt = corrupt
        self.ring = ring
        self.disk = disk
      }

      /// None.
      package init() { self.init(driver: 0, corrupt: 0, ring: 0, disk: 0) }

      /// How many frames `stage` lost.
      public internal(set) subscript(stage: LossStage) -> Int64 {
        get {
          switch stage {
          case .driver: driver
          case .corrupt: corrupt
          case .ring: ring
          case .disk: disk
          }
        }
        set {
          switch stage {
          case .driver: driver = newValue
          case .corrupt: corrupt = newValue
          case .ring: ring = newValue
          case .disk: disk = newValue
          }
        }
      }

      /// All together.
      public var total: Int64 {
        driver.adding(clamping: corrupt).adding(clamping: ring).adding(clamping: disk)
      }
    }
  }

  /// What a pre-roll was cut by.
  public enum PreRollCut: String, Codable, Hashable, Sendable {
    /// The camera had sent frames for no longer.
    case start
    /// The take before it ends there.
    case previousTake = "previous_take"
    /// The ring had no room for more.
    case ring
  }

  /// A control that was set during a take.
  public struct ControlChange: Codable, Hashable, Sendable {
    /// When the driver had taken it, on the clock of ``Take/timestamps``.
    public var time: Instant
    /// The control's name as v4l2-ctl spells it.
    public var name: String
    /// Its value from then on.
    public var value: Int64

    /// A change of these facts.
    public init(time: Instant, name: String, value: Int64) {
      self.time = time
      self.name = name
      self.value = value
    }

    enum CodingKeys: String, CodingKey {
      case name, value
      case time = "time_ns"
    }
  }

  /// A change of mode between the take before and this one.
  public struct ModeChange: Codable, Hashable, Sendable {
    /// The mode before it.
    public var from: Mode
    /// How long no frame came.
    @Nanoseconds public var gap: Duration

    /// A change from `mode`, for which no frame came for `gap`.
    public init(from mode: Mode, gap: Duration) {
      from = mode
      self.gap = gap
    }

    enum CodingKeys: String, CodingKey {
      case from
      case gap = "gap_ns"
    }
  }

  /// What began a take, and what lies before and after that moment. All but the kind are unknown
  /// where filming began with the command.
  public struct Trigger: Codable, Hashable, Sendable {
    /// A `TriggerKind`, or `none`: filming began with the command.
    public var kind: String
    /// When it came, on `CLOCK_MONOTONIC`.
    @Nullable public var time: Instant? = nil
    /// The same moment on the clock of ``Take/timestamps``.
    @Nullable public var frameTime: Instant? = nil
    /// How much was to be kept of the time before it.
    @Nanoseconds public var askedPreRoll: Duration? = nil
    /// How long before it the first frame was captured.
    @Nanoseconds public var preRoll: Duration? = nil
    /// Why that is less than was asked for; `nil` where it is not.
    @Nullable public var preRollCut: PreRollCut? = nil
    /// How long after it, or after the last that followed it, filming was to go on; `nil` where it had another end.
    @Nanoseconds public var postRoll: Duration? = nil
    /// What its source said with it.
    @Nullable public var text: String? = nil
    /// The camera's number of the frame that showed it; `nil` where none did.
    @Nullable public var sequence: UInt32? = nil
    /// How much that was: of motion, the part of the region that had changed, from 0 to 1.
    @Nullable public var score: Double? = nil
    /// When further ones came that kept the take going, on `CLOCK_MONOTONIC`.
    public var extensions: [Instant] = []

    /// A trigger of `kind` of which no more is known yet.
    public init(kind: String) { self.kind = kind }
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
    /// Frames in the file that repeat the one before: a frame was lost, or the camera was slower than the clip.
    public var held: Int
    /// Captured frames that are too many for the clip's rate at this speed; `nil` in takes of older versions.
    @Nullable public var leftOut: Int?
    /// What was found of the flicker of lamps; `nil` where nobody asked.
    @Nullable public var flicker: Flicker?
    /// What was made where the film has no frame; `nil` where frames are repeated there.
    @Nullable public var interpolation: Interpolation?
    /// How the numbers of a raw sensor were developed; `nil` where they were not.
    @Nullable public var development: Development?
    /// How many of its frames were made while the take was still being recorded; `nil` where nobody asked.
    @Nullable public var madeWhileFilming: Int?
    /// What was asked for; `nil` in takes of older versions.
    @Nullable public var spec: ClipDescription?
    /// Whether an export moved it to another folder; `nil` where none did. It is still named, so that a take that follows
    /// it there finds it.
    public var isMoved: Bool?

    /// A clip of these facts.
    public init(
      file: String, speed: String, framesPerSecond: Double, frames: Int, held: Int, leftOut: Int? = nil,
      flicker: Flicker? = nil, interpolation: Interpolation? = nil, development: Development? = nil,
      madeWhileFilming: Int? = nil, spec: ClipDescription? = nil
    ) {
      self.spec = spec
      self.madeWhileFilming = madeWhileFilming
      self.file = file
      self.speed = speed
      self.framesPerSecond = framesPerSecond
      self.frames = frames
      self.held = held
      self.leftOut = leftOut
      self.flicker = flicker
      self.interpolation = interpolation
      self.development = development
    }

    enum CodingKeys: String, CodingKey {
      case file, speed, frames, held, flicker, interpolation, development, spec
      case framesPerSecond = "fps"
      case leftOut = "left_out"
      case madeWhileFilming = "made_while_filming"
      case isMoved = "moved"
    }
  }

  enum CodingKeys: String, CodingKey {
    case overcrank, camera, mode, turn, quality, clock, estimated, frames, losses, controls, trigger, label,
      master, clips, audio, failure
    case askedMode = "asked_mode"
    case refusedModes = "refused"
    case askedFramesPerSecond = "asked_fps"
    case acceptedInterval = "accepted_interval"
    case measuredFramesPerSecond = "measured_fps"
    case startedAt = "started_at"
    case hasReliableSequence = "sequence_reliable"
    case timedAtDequeue = "timed_at_dequeue"
    case sequences = "sequence"
    case timestamps = "timestamp_ns"
    case ringPeakBytes = "ring_peak_bytes"
    case ringBytes = "ring_bytes"
    case ringFrames = "ring_frames"
    case ringDuration = "ring_ns"
    case controlChanges = "control_changes"
    case modeChange = "mode_change"
    case isRecovered = "recovered"
    case masterSpeed = "master_speed"
    case sizeLimit = "size_limit"
    case wantedClip = "wanted_clip"
    case clipWords = "clip_options"
  }
}

extension Take {
  /// Has an encoder leave out what there is of each frame.
  static let withoutFrames = CodingUserInfoKey(rawValue: "overcrank.withoutFrames")

  /// Writes the take; what is unknown is `null`.
  public func encode(to encoder: any Encoder) throws {
    let isWithout = Self.withoutFrames.map { encoder.userInfo[$0] != nil } ?? false
    try encode(to: encoder, withFrames: !isWithout)
  }

  /// Writes the take, with the number and time of each frame or without.
  package func encode(to encoder: any Encoder, withFrames: Bool) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(overcrank, forKey: .overcrank)
    try keys.encode(camera, forKey: .camera)
    try keys.encode(mode, forKey: .mode)
    try keys.encode(askedMode, forKey: .askedMode)
    try keys.encode(refusedModes, forKey: .refusedModes)
    try keys.encode(turn, forKey: .turn)
    try keys.encode(quality, forKey: .quality)
    try keys.encode(askedFramesPerSecond, forKey: .askedFramesPerSecond)
    try keys.encode(acceptedInterval, forKey: .acceptedInterval)
    try keys.encode(measuredFramesPerSecond, forKey: .measuredFramesPerSecond)
    try keys.encode(clock, forKey: .clock)
    try keys.encode(timedAtDequeue, forKey: .timedAtDequeue)
    try keys.encode(estimated, forKey: .estimated)
    try keys.encode(startedAt, forKey: .startedAt)
    try keys.encode(label, forKey: .label)
    try keys.encode(frames, forKey: .frames)
    try keys.encode(losses, forKey: .losses)
    try keys.encode(hasReliableSequence, forKey: .hasReliableSequence)
    try keys.encode(ringPeakBytes, forKey: .ringPeakBytes)
    try keys.encode(ringBytes, forKey: .ringBytes)
    try keys.encode(ringFrames, forKey: .ringFrames)
    try keys.encode(_ringDuration, forKey: .ringDuration)
    try keys.encode(controls, forKey: .controls)
    try keys.encode(controlChanges, forKey: .controlChanges)
    try keys.encode(modeChange, forKey: .modeChange)
    try keys.encode(trigger, forKey: .trigger)
    try keys.encode(master, forKey: .master)
    try keys.encode(masterSpeed, forKey: .masterSpeed)
    try keys.encode(clips, forKey: .clips)
    try keys.encode(wantedClip, forKey: .wantedClip)
    try keys.encodeIfPresent(clipWords, forKey: .clipWords)
    try keys.encode(audio, forKey: .audio)
    try keys.encode(isRecovered, forKey: .isRecovered)
    try keys.encode(sizeLimit, forKey: .sizeLimit)
    try keys.encode(failure, forKey: .failure)
    guard withFrames else { return }
    try keys.encode(sequences, forKey: .sequences)
    try keys.encode(timestamps, forKey: .timestamps)
  }
}

extension Take.Trigger {
  enum CodingKeys: String, CodingKey {
    case kind, text, sequence, score
    case time = "time_ns"
    case frameTime = "frame_time_ns"
    case askedPreRoll = "asked_pre_ns"
    case preRoll = "pre_ns"
    case preRollCut = "pre_cut"
    case postRoll = "post_ns"
    case extensions = "extensions_ns"
  }

  /// Reads a trigger; what is missing is unknown.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    self.init(kind: try keys.decode(String.self, forKey: .kind))
    time = try keys.decodeIfPresent(Instant.self, forKey: .time)
    frameTime = try keys.decodeIfPresent(Instant.self, forKey: .frameTime)
    _askedPreRoll = try keys.decode(Nanoseconds<Duration?>.self, forKey: .askedPreRoll)
    _preRoll = try keys.decode(Nanoseconds<Duration?>.self, forKey: .preRoll)
    preRollCut = try keys.decodeIfPresent(String.self, forKey: .preRollCut)
      .flatMap(Take.PreRollCut.init)
    _postRoll = try keys.decode(Nanoseconds<Duration?>.self, forKey: .postRoll)
    text = try keys.decodeIfPresent(String.self, forKey: .text)
    sequence = try keys.decodeIfPresent(UInt32.self, forKey: .sequence)
    score = try keys.decodeIfPresent(Double.self, forKey: .score)
    extensions = try keys.decodeIfPresent([Instant].self, forKey: .extensions) ?? []
  }
}

extension Take.FrameCounts {
  package init(_ accounting: FrameAccounting) {
    self.init(sent: accounting.sent, written: accounting.written, lost: accounting.lost)
  }
}

extension Take {
  /// A take with this frame accounting, about which nothing else is known.
  package init(
    _ accounting: FrameAccounting, metadata: TakeMetadata, acceptedInterval: FrameInterval?,
    clock: FrameClock, master: String
  ) {
    self.init(
      overcrank: metadata.overcrank, camera: metadata.camera, mode: metadata.mode,
      askedMode: metadata.askedMode,
      refusedModes: metadata.refusedModes,
      askedFramesPerSecond: metadata.askedFramesPerSecond, acceptedInterval: acceptedInterval,
      measuredFramesPerSecond: accounting.measuredFramesPerSecond,
      clock: accounting.hasReliableTimestamps ? clock : .dequeue, timedAtDequeue: accounting.timedAtDequeue,
      estimated: accounting.estimated,
      startedAt: metadata.startedAt, label: metadata.label, frames: FrameCounts(accounting),
      losses: accounting.ledger.losses,
      hasReliableSequence: accounting.hasReliableSequence, sequences: accounting.sequences,
      timestamps: accounting.timestamps, controls: [:], master: master, clips: [], isRecovered: false)
    turn = metadata.turn
    quality = metadata.quality
    sizeLimit = metadata.sizeLimit.map(SizeLimit.init)
    wantedClip = metadata.wantedClip
    clipWords = metadata.clipWords
  }
}
