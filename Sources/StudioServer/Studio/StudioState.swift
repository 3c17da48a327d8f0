package import Overcrank

/// All that a page shows of a studio at one moment.
package struct StudioState: Sendable, Encodable {
  /// What the studio does.
  package enum Phase: String, Sendable, Encodable {
    /// There is no camera.
    case noCamera = "no_camera"
    /// The camera is being opened, or no frame has come yet.
    case starting
    /// Stands by, with the newest frames in memory.
    case armed
    /// Frames go into a take.
    case filming
    /// After a trigger: the frames up to its end are awaited, and stay in memory.
    case gathering
    /// What was triggered is in memory; nothing is captured.
    case reviewing
    /// A part of what is reviewed is being written.
    case saving
    /// No frames come.
    case interrupted
    /// The camera cannot be used.
    case failed
  }

  /// The version of the program.
  package var version: String
  /// What the studio does.
  package var phase: Phase
  /// The camera; `nil` without one.
  @Nullable package var camera: Camera?
  /// The rate that the driver accepted; `nil` before the first frame.
  @Nullable package var acceptedFramesPerSecond: Double?
  /// The rate by the newest second's frames; `nil` where it is not known.
  @Nullable package var measuredFramesPerSecond: Double?
  /// What keeps it from working; `nil` where nothing does.
  @Nullable package var problem: StudioError?
  /// Why no frames come; `nil` where they do.
  @Nullable package var interruption: Interruption?
  /// What a person has set.
  package var settings: StudioSettings
  /// How much of the pre-roll is in memory.
  @Nanoseconds package var held: Duration
  /// The take in progress; `nil` where there is none.
  @Nullable package var take: TakeInProgress?
  /// How many frames were lost since the camera was started.
  package var framesLost: Int64
  /// How full the memory for frames is, from 0 to 1.
  package var ringFill: Double
  /// How many seconds of this mode it holds; `nil` where that is not known.
  @Nullable package var ringSeconds: Double?
  /// The disk that takes go to; `nil` where it does not tell.
  @Nullable package var disk: Disk?
  /// What is heard; `nil` without a microphone.
  @Nullable package var audio: Audio?
  /// What moves; `nil` while nobody looks.
  @Nullable package var motion: Motion?
  /// How many photos were asked for and are not written yet.
  package var photosInProgress: Int
  /// What is reviewed; `nil` where nothing is.
  @Nullable package var review: Review?
  /// The clips that are being made.
  package var clips: [ClipInProgress]
  /// Another number whenever the takes have changed.
  package var library: Int

  /// A camera, and how it is set.
  package struct Camera: Hashable, Sendable, Encodable {
    /// What it is opened by: a path, or `sim:` and what follows.
    package var id: String
    /// What people call it.
    package var name: String
    /// The mode that is captured.
    package var mode: StudioMode
    /// How its pictures are turned in clips and stills.
    package var turn: PictureTurn
  }

  /// Why no frames come.
  package struct Interruption: Hashable, Sendable, Encodable {
    /// As in events: `unplugged` and so on.
    package var reason: String
    /// What the driver said; `nil` where nothing.
    @Nullable package var message: String?
    /// Whether only a person has it go on.
    package var waitsForResume: Bool
  }

  /// A take in progress.
  package struct TakeInProgress: Hashable, Sendable, Encodable {
    /// What becomes of it.
    package enum Kind: String, Sendable, Encodable {
      /// A take.
      case take
      /// A Motion Photo.
      case motionPhoto = "motion_photo"
    }

    /// Counted from 1 since the camera was started.
    package var number: Int
    /// What becomes of it.
    package var kind: Kind
    /// What triggered it; `nil` for one that was begun by Record.
    @Nullable package var trigger: String?
    /// The time from its first frame to its last.
    @Nanoseconds package var duration: Duration
    /// Frames in the master.
    package var written: Int64
    /// Frames lost.
    package var lost: Int64
    /// Bytes in the master.
    package var bytes: Int64
  }

  /// A disk.
  package struct Disk: Hashable, Sendable, Encodable {
    /// What is free on it.
    package var freeBytes: Int64
    /// How long it lasts at what this camera fills; `nil` where that is not known.
    @Nullable package var secondsLeft: Double?
  }

  /// What is heard.
  package struct Audio: Hashable, Sendable, Encodable {
    /// The microphone.
    package var name: String
    /// The highest sample of each channel of late, from 0 to 1.
    package var levels: [Double]
  }

  /// What moves.
  package struct Motion: Hashable, Sendable, Encodable {
    /// How much of the region moves, from 0 to 1.
    package var score: Double
    /// How much triggers.
    package var area: Double
    /// Whether that is enough.
    package var fires: Bool
  }

  /// What is reviewed.
  package struct Review: Hashable, Sendable, Encodable {
    /// Another number for each review.
    package var id: Int
    /// How many frames there are.
    package var frames: Int
    /// The frame of the trigger, counted from 0: the one that was captured last when it came; `nil` where none was.
    @Nullable package var trigger: Int?
    /// From the first frame to the last.
    @Nanoseconds package var duration: Duration
    /// The time between frames; zero where it is not known.
    @Nanoseconds package var interval: Duration
    /// How many frames were lost between the first and the last.
    package var lost: Int64
    /// The parts that were saved.
    package var saved: [Part]

    /// Frames from one to another, both included, counted from 0.
    package struct Part: Hashable, Sendable, Codable {
      /// The first.
      package var first: Int
      /// The last.
      package var last: Int
    }
  }

  /// A clip that is being made.
  package struct ClipInProgress: Hashable, Sendable, Encodable {
    /// The take's id, as the list of takes has it.
    package var take: String
    /// How much of it is made, from 0 to 1.
    package var fraction: Double
  }
}

/// A mode, and how people read it.
package struct StudioMode: Hashable, Sendable, Encodable {
  /// The mode.
  package var mode: Mode

  /// The mode `mode`.
  package init(_ mode: Mode) { self.mode = mode }

  private enum CodingKeys: String, CodingKey { case text }

  /// Writes the mode with a further key, `text`.
  package func encode(to encoder: any Encoder) throws {
    try mode.encode(to: encoder)
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(mode.description, forKey: .text)
  }
}
