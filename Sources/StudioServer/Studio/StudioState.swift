package import Overcrank

/// The state of a studio at one moment, as a page shows it.
package struct StudioState: Sendable, Encodable {
  /// The phase of a studio.
  package enum Phase: String, Sendable, Encodable {
    /// No camera.
    case noCamera = "no_camera"
    /// The opening of the camera, up to its first frame.
    case starting
    /// Waiting for a trigger, with the newest frames in memory.
    case armed
    /// Recording a take.
    case recording = "filming"
    /// Waiting for the rest of a triggered take's frames, which stay in memory.
    case gathering
    /// Review of the triggered frames in memory; nothing is captured.
    case reviewing
    /// Writing a part of the reviewed frames.
    case saving
    /// An interruption: no frames arrive.
    case interrupted
    /// A camera that cannot be used.
    case failed
  }

  /// The version of the program.
  package var version: String
  /// The studio's phase.
  package var phase: Phase
  /// The camera; `nil` if there is none.
  @Nullable package var camera: Camera?
  /// The rate that the driver accepted; `nil` before the first frame.
  @Nullable package var acceptedFramesPerSecond: Double?
  /// The rate measured over the newest second of frames; `nil` if unknown.
  @Nullable package var measuredFramesPerSecond: Double?
  /// The problem that keeps the studio from working; `nil` if there is none.
  @Nullable package var problem: StudioError?
  /// The reason that no frames arrive; `nil` while they do.
  @Nullable package var interruption: Interruption?
  /// The user's settings.
  package var settings: StudioSettings
  /// The duration of the frames in memory that would go into a take.
  @Nanoseconds package var held: Duration
  /// The take in progress; `nil` if there is none.
  @Nullable package var take: TakeInProgress?
  /// The number of frames lost since the camera was started.
  package var framesLost: Int64
  /// The fill level of the ring, from 0 to 1.
  package var ringFill: Double
  /// The ring's capacity in seconds of this mode; `nil` if unknown.
  @Nullable package var ringSeconds: Double?
  /// The disk for takes; `nil` if its free space is unknown.
  @Nullable package var disk: Disk?
  /// The path of the folder for takes.
  package var folder = ""
  /// The audio input; `nil` without a microphone.
  @Nullable package var audio: Audio?
  /// The detected motion; `nil` if detection is off.
  @Nullable package var motion: Motion?
  /// The number of requested photos that are not written yet.
  package var photosInProgress: Int
  /// The review; `nil` if there is none.
  @Nullable package var review: Review?
  /// The clips that are waiting or being made.
  package var clips: [ClipInProgress]
  /// A number that changes whenever the takes do.
  package var library: Int
  /// All cameras that are open, in their order; the keys above are those of the one that hears the triggers.
  package var cameras: [Member] = []

  /// One of the cameras that record the same moments; or the lone one.
  package struct Member: Hashable, Sendable, Encodable {
    /// The letter: A, B and so on.
    package var letter: String
    /// The camera and its settings.
    package var camera: Camera
    /// The rate that the driver accepted; `nil` before the first frame.
    @Nullable package var acceptedFramesPerSecond: Double?
    /// The rate measured over the newest second of frames; `nil` if unknown.
    @Nullable package var measuredFramesPerSecond: Double?
    /// The number of frames lost since the camera was started.
    package var framesLost: Int64
    /// The fill level of the ring, from 0 to 1.
    package var ringFill: Double
    /// The number of frames in the master of the take in progress; `nil` if there is none.
    @Nullable package var written: Int64?
    /// The problem that ended the camera's recording; `nil` if it works.
    @Nullable package var problem: StudioError?
  }

  /// A camera and its settings.
  package struct Camera: Hashable, Sendable, Encodable {
    /// The name by which it is opened: a path, or `sim:` with options.
    package var id: String
    /// The camera's name for display.
    package var name: String
    /// The mode in use.
    package var mode: StudioMode
    /// The rotation and mirroring of its pictures in clips and stills.
    package var turn: PictureTurn
  }

  /// The reason that no frames arrive.
  package struct Interruption: Hashable, Sendable, Encodable {
    /// The reason, as in events: `unplugged` and so on.
    package var reason: String
    /// The driver's message; `nil` if there is none.
    @Nullable package var message: String?
    /// Whether the session continues only when the user resumes it.
    package var waitsForResume: Bool
  }

  /// A take in progress.
  package struct TakeInProgress: Hashable, Sendable, Encodable {
    /// The purpose of a take.
    package enum Kind: String, Sendable, Encodable {
      /// A take.
      case take
      /// A Motion Photo.
      case motionPhoto = "motion_photo"
    }

    /// The take's number, counted from 1 since the camera was started.
    package var number: Int
    /// The purpose of the take.
    package var kind: Kind
    /// The kind of trigger; `nil` for a take that was started by Record.
    @Nullable package var trigger: String?
    /// The time from its first frame to its last.
    @Nanoseconds package var duration: Duration
    /// The number of frames in the master.
    package var written: Int64
    /// The number of lost frames.
    package var lost: Int64
    /// The number of bytes in the master.
    package var bytes: Int64
  }

  /// The disk for takes.
  package struct Disk: Hashable, Sendable, Encodable {
    /// The number of free bytes.
    package var freeBytes: Int64
    /// The seconds until it is full at the camera's data rate; `nil` if unknown.
    @Nullable package var secondsLeft: Double?
  }

  /// An audio input.
  package struct Audio: Hashable, Sendable, Encodable {
    /// The microphone's name.
    package var name: String
    /// The recent peak of each channel, from 0 to 1.
    package var levels: [Double]
  }

  /// The detected motion.
  package struct Motion: Hashable, Sendable, Encodable {
    /// The moving fraction of the region, from 0 to 1.
    package var score: Double
    /// The fraction that triggers.
    package var area: Double
    /// Whether the score is high enough to trigger.
    package var fires: Bool
  }

  /// A review of frames in memory.
  package struct Review: Hashable, Sendable, Encodable {
    /// A number that differs for each review.
    package var id: Int
    /// The number of frames.
    package var frames: Int
    /// The index of the trigger's frame, the last one captured when the trigger came; `nil` without a
    /// trigger.
    @Nullable package var trigger: Int?
    /// The time from the first frame to the last.
    @Nanoseconds package var duration: Duration
    /// The time between frames; zero if unknown.
    @Nanoseconds package var interval: Duration
    /// The number of frames lost between the first and the last.
    package var lost: Int64
    /// Whether it ended because memory was full, before its end or a stop.
    package var isMemoryFull = false
    /// The saved parts.
    package var saved: [Part]

    /// A range of frames by index, with both ends included.
    package struct Part: Hashable, Sendable, Codable {
      /// The index of the first frame.
      package var first: Int
      /// The index of the last frame.
      package var last: Int
    }
  }

  /// A clip that is waiting or being made.
  package struct ClipInProgress: Hashable, Sendable, Encodable {
    /// The take's id, as in the list of takes.
    package var take: String
    /// The fraction that is done, from 0 to 1.
    package var fraction: Double
  }
}

/// A mode with its text for display.
package struct StudioMode: Hashable, Sendable, Encodable {
  /// The mode.
  package var mode: Mode

  /// Creates a mode with its text.
  package init(_ mode: Mode) { self.mode = mode }

  private enum CodingKeys: String, CodingKey { case text }

  /// Writes the mode with an additional key, `text`.
  package func encode(to encoder: any Encoder) throws {
    try mode.encode(to: encoder)
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(mode.description, forKey: .text)
  }
}
