public import CameraModel
public import Timebase

/// One recording: how it was made, what was lost, and the files made from it. The content of `*.take.json`.
public struct Take: Codable, Hashable, Sendable {
  /// The version of Overcrank that recorded it.
  public var overcrank: String
  /// The camera that recorded it.
  public var camera: CameraIdentity
  /// The mode that was requested from the camera.
  public var mode: Mode
  /// The mode that the table promised and that was requested first; ``mode`` if the driver accepted it.
  public var requestedMode: Mode?
  /// The modes that the driver refused before ``mode``, best first; `nil` in takes of older versions.
  public var refusedModes: [ModeRefusal]?
  /// The rate that the user requested, in frames per second; `nil` if none was named.
  public var requestedFramesPerSecond: Double?
  /// The interval that the driver accepted; `nil` if it reports none.
  public var acceptedInterval: FrameInterval?
  /// The rate from the frames' own numbers and timestamps; `nil` for fewer than two frames.
  public var measuredFramesPerSecond: Double?
  /// The clock of ``timestamps``.
  public var clock: FrameClock
  /// The frames written with the time of their receipt, as the driver's timestamps cannot be right.
  public var timedAtDequeue: [FrameRun] = []
  /// The frames of a recovered take that were not in the journal: their numbers and times are estimated from
  /// those of their neighbours and the rate. `nil` in takes of older versions.
  public var estimated: [FrameRun]?
  /// The time at which recording began, in UTC as ISO 8601.
  public var startedAt: String
  /// The label from the user; `nil` if there is none.
  public var label: String?
  /// The counts, for which `sent = written + lost` always holds.
  public var frames: FrameCounts
  /// The runs of lost frames.
  public var losses: [Loss]
  /// Whether the camera's numbers always increased; if not, dropped frames cannot be counted.
  public var hasReliableSequence: Bool
  /// The camera's number of each frame written.
  public var sequences: FrameColumn
  /// The capture time of each frame written, on ``clock``.
  public var timestamps: FrameTimes
  /// The peak fill of the ring in bytes, as the writer saw it; `nil` in a recovered take.
  public var ringPeakBytes: Int?
  /// Ring capacity in bytes; `nil` in a recovered take.
  public var ringBytes: Int?
  /// Ring capacity, in frames of this take's mean size.
  public var ringFrames: Int?
  /// Ring capacity, as the time in which the camera sends `ringFrames`.
  @Nanoseconds public var ringDuration: Duration? = nil
  /// The changes of controls during the take, in order, by any program; `nil` in a recovered one.
  public var controlChanges: [ControlChange]?
  /// The state of the camera's controls, by name, with those that were changed for the take.
  public var controls: [String: ControlInForce]
  /// The change of mode before the take; `nil` if there was none, and in a recovered one.
  public var modeChange: ModeChange?
  /// The trigger that began the take; `nil` in a recovered one.
  public var trigger: Trigger?
  /// The master's file name, beside the take; `nil` if it was discarded.
  public var master: String?
  /// The master's playback speed, if it was changed in place since; `nil` if it plays as captured.
  public var masterSpeed: String?
  /// The clips made from it, beside the take.
  public var clips: [Clip]
  /// The requested clip; `nil` if there was none, and in takes of older versions.
  public var wantedClip: ClipDescription?
  /// The words of the command line that request it, which version 0.2.0 and earlier wrote in place of
  /// ``wantedClip``.
  public var clipWords: [String]?
  /// The audio; `nil` if no microphone was recorded.
  public var audio: Audio?
  /// Whether the take was recovered after a crash.
  public var isRecovered: Bool
  /// The turn of the frames for display, which the master's frames do not contain; `nil` if unspecified.
  public var turn: PictureTurn?
  /// The quality for which the mode was taken from a list, and why; `nil` if there was no list.
  public var quality: QualityChoice?
  /// The frames that are affected because frames depend on others; `nil` if each frame stands alone.
  public var interframe: Interframe?
  /// The master's size limit; `nil` if there was none.
  public var sizeLimit: SizeLimit?
  /// The reason why recording ended early; `nil` if it did not.
  public var failure: String?

  /// The frames that are affected because frames depend on others, as in H.264.
  public struct Interframe: Codable, Hashable, Sendable {
    /// The number of frames within the requested time that came before the first key frame: they cannot be decoded, and
    /// are not part of the take; `nil` in a recovered one.
    @Nullable public var skipped: Int64? = nil
    /// The number of frames in the master that may be damaged, because one was lost since the last key frame.
    public var atRisk: Int64

    /// Creates these facts of a take that may have skipped frames.
    public init(atRisk: Int64) { self.atRisk = atRisk }

    enum CodingKeys: String, CodingKey {
      case skipped
      case atRisk = "at_risk"
    }
  }

  /// A master's size limit.
  public struct SizeLimit: Codable, Hashable, Sendable {
    /// The maximum bytes of the finished file.
    public var bytes: Int64
    /// Whether the take ended because one more frame would have exceeded the limit; `nil` in a recovered one.
    @Nullable public var isReached: Bool? = nil

    /// Creates a limit of which it is not yet known whether it was reached.
    public init(bytes: Int64) { self.bytes = bytes }

    enum CodingKeys: String, CodingKey {
      case bytes
      case isReached = "reached"
    }
  }

  /// The counts of frames.
  public struct FrameCounts: Codable, Hashable, Sendable {
    /// From the first to the last frame, by the camera's numbers.
    public var sent: Int64
    /// Frames in the master.
    public var written: Int64
    /// Lost frames by stage.
    public var lost: Lost

    /// Creates these counts.
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
      /// Frames that were damaged.
      public var corrupt: Int64
      /// Frames refused by a full ring.
      public var ring: Int64
      /// Frames that could not be written.
      public var disk: Int64

      /// Creates counts of lost frames by stage.
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

      /// Creates counts of zero.
      package init() { self.init(driver: 0, corrupt: 0, ring: 0, disk: 0) }

      /// Accesses the number of frames that `stage` lost.
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

      /// The sum of all stages.
      public var total: Int64 {
        driver.adding(clamping: corrupt).adding(clamping: ring).adding(clamping: disk)
      }
    }
  }

  /// The reason why a pre-roll is shorter than requested.
  public enum PreRollCut: String, Codable, Hashable, Sendable {
    /// The camera had just started to send frames.
    case start
    /// The previous take ends there.
    case previousTake = "previous_take"
    /// The ring had no room for more.
    case ring
  }

  /// A control that was set during a take.
  public struct ControlChange: Codable, Hashable, Sendable {
    /// The time at which the driver had set it, on the clock of ``Take/timestamps``.
    public var time: Instant
    /// The control's name as v4l2-ctl spells it.
    public var name: String
    /// Its value from then on.
    public var value: Int64

    /// Creates a change of these facts.
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

  /// A change of mode between the previous take and this one.
  public struct ModeChange: Codable, Hashable, Sendable {
    /// The mode before it.
    public var from: Mode
    /// The time without frames.
    @Nanoseconds public var gap: Duration

    /// Creates a change from `mode` that left a `gap` without frames.
    public init(from mode: Mode, gap: Duration) {
      from = mode
      self.gap = gap
    }

    enum CodingKeys: String, CodingKey {
      case from
      case gap = "gap_ns"
    }
  }

  /// The trigger that began a take, with the time recorded before and after it. All but the kind are unknown
  /// if recording began with the command.
  public struct Trigger: Codable, Hashable, Sendable {
    /// A `TriggerKind`, or `none`: recording began with the command.
    public var kind: String
    /// The time of the trigger, on `CLOCK_MONOTONIC`.
    @Nullable public var time: Instant? = nil
    /// The maximum error of that time, as far as the trigger's source can tell; `nil` if it cannot.
    @Nanoseconds public var uncertainty: Duration? = nil
    /// The time of the trigger, on the clock of ``Take/timestamps``.
    @Nullable public var frameTime: Instant? = nil
    /// The requested time before it.
    @Nanoseconds public var requestedPreRoll: Duration? = nil
    /// The time from the first frame to the trigger.
    @Nanoseconds public var preRoll: Duration? = nil
    /// The reason why that is less than requested; `nil` if it is not.
    @Nullable public var preRollCut: PreRollCut? = nil
    /// The requested time of recording after it, or after the last one that extended the take; `nil` if the
    /// take had another end.
    @Nanoseconds public var postRoll: Duration? = nil
    /// The text that came with it from its source.
    @Nullable public var text: String? = nil
    /// The camera's number of the frame that showed the motion, or that the trigger fell into: the latest one
    /// captured at or before it. Without a pre-roll, that one is just before the take. `nil` if there was none,
    /// and in takes of older versions.
    @Nullable public var sequence: UInt32? = nil
    /// The strength of the trigger: for motion, the part of the region that had changed, from 0 to 1.
    @Nullable public var score: Double? = nil
    /// The times of further triggers that extended the take, on `CLOCK_MONOTONIC`.
    public var extensions: [Instant] = []

    /// Creates a trigger of `kind` about which nothing else is known yet.
    public init(kind: String) { self.kind = kind }
  }

  /// A clip that was made from the master.
  public struct Clip: Codable, Hashable, Sendable {
    /// The file's name, beside the take.
    public var file: String
    /// The speed, as in `1/8`.
    public var speed: String
    /// Frames per second of the file.
    public var framesPerSecond: Double
    /// Frames in the file.
    public var frames: Int
    /// The number of frames that repeat the one before: a frame was lost, or the camera was slower than the
    /// clip.
    public var held: Int
    /// The number of captured frames that are too many for the clip's rate at this speed; `nil` in takes of
    /// older versions.
    @Nullable public var skipped: Int?
    /// The result of the search for flicker; `nil` if it was not requested.
    @Nullable public var flicker: Flicker?
    /// The frames that were made to fill gaps between captured ones; `nil` if frames are repeated there.
    @Nullable public var interpolation: Interpolation?
    /// The conversion of a raw sensor's samples; `nil` if the sensor is not raw.
    @Nullable public var development: Development?
    /// The number of its frames that were made while the take was still being recorded; `nil` if that was not
    /// requested.
    @Nullable public var madeWhileRecording: Int?
    /// The request for the clip; `nil` in takes of older versions.
    @Nullable public var spec: ClipDescription?
    /// Whether an export moved it to another folder; `nil` if not. It is still named, so that a take that is
    /// moved there later finds it.
    public var isMoved: Bool?

    /// Creates a clip of these facts.
    public init(
      file: String, speed: String, framesPerSecond: Double, frames: Int, held: Int, skipped: Int? = nil,
      flicker: Flicker? = nil, interpolation: Interpolation? = nil, development: Development? = nil,
      madeWhileRecording: Int? = nil, spec: ClipDescription? = nil
    ) {
      self.spec = spec
      self.madeWhileRecording = madeWhileRecording
      self.file = file
      self.speed = speed
      self.framesPerSecond = framesPerSecond
      self.frames = frames
      self.held = held
      self.skipped = skipped
      self.flicker = flicker
      self.interpolation = interpolation
      self.development = development
    }

    enum CodingKeys: String, CodingKey {
      case file, speed, frames, held, flicker, interpolation, development, spec
      case framesPerSecond = "fps"
      case skipped = "left_out"
      case madeWhileRecording = "made_while_filming"
      case isMoved = "moved"
    }
  }

  enum CodingKeys: String, CodingKey {
    case overcrank, camera, mode, turn, quality, clock, estimated, frames, losses, controls, trigger, label,
      master, clips, audio, interframe, failure
    case requestedMode = "asked_mode"
    case refusedModes = "refused"
    case requestedFramesPerSecond = "asked_fps"
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
  /// The key that makes an encoder leave out the per-frame lists.
  static let withoutFrames = CodingUserInfoKey(rawValue: "overcrank.withoutFrames")

  /// Encodes the take; unknown values are `null`.
  public func encode(to encoder: any Encoder) throws {
    let mark = Self.withoutFrames.flatMap { encoder.userInfo[$0] }
    try encode(to: encoder, withFrames: mark == nil)
  }

  /// Encodes the take, with or without the number and time of each frame.
  package func encode(to encoder: any Encoder, withFrames: Bool) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(overcrank, forKey: .overcrank)
    try keys.encode(camera, forKey: .camera)
    try keys.encode(mode, forKey: .mode)
    try keys.encode(requestedMode, forKey: .requestedMode)
    try keys.encode(refusedModes, forKey: .refusedModes)
    try keys.encode(turn, forKey: .turn)
    try keys.encode(quality, forKey: .quality)
    try keys.encode(requestedFramesPerSecond, forKey: .requestedFramesPerSecond)
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
    try keys.encode(interframe, forKey: .interframe)
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
    case uncertainty = "uncertainty_ns"
    case frameTime = "frame_time_ns"
    case requestedPreRoll = "asked_pre_ns"
    case preRoll = "pre_ns"
    case preRollCut = "pre_cut"
    case postRoll = "post_ns"
    case extensions = "extensions_ns"
  }

  /// Decodes a trigger; missing values are unknown.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    self.init(kind: try keys.decode(String.self, forKey: .kind))
    // Sets the wrappers: Swift 6.2 cannot compile assignments of the wrapped values here.
    _time = try keys.decode(Nullable<Instant>.self, forKey: .time)
    _uncertainty = try keys.decode(Nanoseconds<Duration?>.self, forKey: .uncertainty)
    _frameTime = try keys.decode(Nullable<Instant>.self, forKey: .frameTime)
    _requestedPreRoll = try keys.decode(Nanoseconds<Duration?>.self, forKey: .requestedPreRoll)
    _preRoll = try keys.decode(Nanoseconds<Duration?>.self, forKey: .preRoll)
    let cut = try keys.decodeIfPresent(String.self, forKey: .preRollCut)
    _preRollCut = Nullable(wrappedValue: cut.flatMap(Take.PreRollCut.init))
    _postRoll = try keys.decode(Nanoseconds<Duration?>.self, forKey: .postRoll)
    _text = try keys.decode(Nullable<String>.self, forKey: .text)
    _sequence = try keys.decode(Nullable<UInt32>.self, forKey: .sequence)
    _score = try keys.decode(Nullable<Double>.self, forKey: .score)
    extensions = try keys.decodeIfPresent([Instant].self, forKey: .extensions) ?? []
  }
}

extension Take.FrameCounts {
  package init(_ accounting: FrameAccounting) {
    self.init(sent: accounting.sent, written: accounting.written, lost: accounting.lost)
  }
}

extension Take {
  /// Creates a take with this frame accounting, about which nothing else is known.
  package init(
    _ accounting: FrameAccounting, metadata: TakeMetadata, acceptedInterval: FrameInterval?,
    clock: FrameClock, master: String
  ) {
    self.init(
      overcrank: metadata.overcrank, camera: metadata.camera, mode: metadata.mode,
      requestedMode: metadata.requestedMode,
      refusedModes: metadata.refusedModes,
      requestedFramesPerSecond: metadata.requestedFramesPerSecond, acceptedInterval: acceptedInterval,
      measuredFramesPerSecond: accounting.measuredFramesPerSecond,
      clock: accounting.hasReliableTimestamps ? clock : .dequeue, timedAtDequeue: accounting.timedAtDequeue,
      estimated: accounting.estimated,
      startedAt: metadata.startedAt, label: metadata.label, frames: FrameCounts(accounting),
      losses: accounting.ledger.losses,
      hasReliableSequence: accounting.hasReliableSequence, sequences: accounting.sequences,
      timestamps: accounting.timestamps, controls: [:], master: master, clips: [], isRecovered: false)
    turn = metadata.turn
    quality = metadata.quality
    if mode.pixelFormat?.family == .interframe { interframe = Interframe(atRisk: accounting.atRisk) }
    sizeLimit = metadata.sizeLimit.map(SizeLimit.init)
    wantedClip = metadata.wantedClip
    clipWords = metadata.clipWords
  }
}
