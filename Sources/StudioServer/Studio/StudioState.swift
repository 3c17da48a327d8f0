public import CameraModel
public import Timebase

/// All that a page shows of a studio at one moment.
public struct StudioState: Sendable, Encodable {
  /// What the studio does.
  public enum Phase: String, Sendable, Encodable {
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
  public var version: String
  /// What the studio does.
  public var phase: Phase
  /// The camera; `nil` without one.
  @Nullable public var camera: Camera?
  /// The rate that the driver accepted; `nil` before the first frame.
  @Nullable public var acceptedFramesPerSecond: Double?
  /// The rate by the newest second's frames; `nil` where it is not known.
  @Nullable public var measuredFramesPerSecond: Double?
  /// What keeps it from working; `nil` where nothing does.
  @Nullable public var problem: StudioError?
  /// Why no frames come; `nil` where they do.
  @Nullable public var interruption: Interruption?
  /// What a person has set.
  public var settings: StudioSettings
  /// How much of the pre-roll is in memory.
  @Nanoseconds public var held: Duration
  /// The take in progress; `nil` where there is none.
  @Nullable public var take: TakeInProgress?
  /// How many frames were lost since the camera was started.
  public var framesLost: Int64
  /// How full the memory for frames is, from 0 to 1.
  public var ringFill: Double
  /// How many seconds of this mode it holds; `nil` where that is not known.
  @Nullable public var ringSeconds: Double?
  /// The disk that takes go to; `nil` where it does not tell.
  @Nullable public var disk: Disk?
  /// What is heard; `nil` without a microphone.
  @Nullable public var audio: Audio?
  /// What moves; `nil` while nobody looks.
  @Nullable public var motion: Motion?
  /// How many photos were asked for and are not written yet.
  public var photosInProgress: Int
  /// What is reviewed; `nil` where nothing is.
  @Nullable public var review: Review?
  /// The clips that are being made.
  public var clips: [ClipInProgress]
  /// Another number whenever the takes have changed.
  public var library: Int

  /// A camera, and how it is set.
  public struct Camera: Hashable, Sendable, Encodable {
    /// What it is opened by: a path, or `sim:` and what follows.
    public var id: String
    /// What people call it.
    public var name: String
    /// The mode that is captured.
    public var mode: StudioMode
    /// How its pictures are turned in clips and stills.
    public var turn: PictureTurn
  }

  /// Why no frames come.
  public struct Interruption: Hashable, Sendable, Encodable {
    /// As in events: `unplugged` and so on.
    public var reason: String
    /// What the driver said; `nil` where nothing.
    @Nullable public var message: String?
    /// Whether only a person has it go on.
    public var waitsForResume: Bool
  }

  /// A take in progress.
  public struct TakeInProgress: Hashable, Sendable, Encodable {
    /// What becomes of it.
    public enum Kind: String, Sendable, Encodable {
      /// A take.
      case take
      /// A Motion Photo.
      case motionPhoto = "motion_photo"
    }

    /// Counted from 1 since the camera was started.
    public var number: Int
    /// What becomes of it.
    public var kind: Kind
    /// What triggered it; `nil` for one that was begun by Record.
    @Nullable public var trigger: String?
    /// The time from its first frame to its last.
    @Nanoseconds public var duration: Duration
    /// Frames in the master.
    public var written: Int64
    /// Frames lost.
    public var lost: Int64
    /// Bytes in the master.
    public var bytes: Int64
  }

  /// A disk.
  public struct Disk: Hashable, Sendable, Encodable {
    /// What is free on it.
    public var freeBytes: Int64
    /// How long it lasts at what this camera fills; `nil` where that is not known.
    @Nullable public var secondsLeft: Double?
  }

  /// What is heard.
  public struct Audio: Hashable, Sendable, Encodable {
    /// The microphone.
    public var name: String
    /// The highest sample of each channel of late, from 0 to 1.
    public var levels: [Double]
  }

  /// What moves.
  public struct Motion: Hashable, Sendable, Encodable {
    /// How much of the region moves, from 0 to 1.
    public var score: Double
    /// How much triggers.
    public var area: Double
    /// Whether that is enough.
    public var fires: Bool
  }

  /// What is reviewed.
  public struct Review: Hashable, Sendable, Encodable {
    /// Another number for each review.
    public var id: Int
    /// How many frames there are.
    public var frames: Int
    /// The frame of the trigger, counted from 0: the one that was captured last when it came; `nil` where none was.
    @Nullable public var trigger: Int?
    /// From the first frame to the last.
    @Nanoseconds public var duration: Duration
    /// The time between frames; zero where it is not known.
    @Nanoseconds public var interval: Duration
    /// How many frames were lost between the first and the last.
    public var lost: Int64
    /// The parts that were saved.
    public var saved: [Part]

    /// Frames from one to another, both included, counted from 0.
    public struct Part: Hashable, Sendable, Codable {
      /// The first.
      public var first: Int
      /// The last.
      public var last: Int
    }
  }

  /// A clip that is being made.
  public struct ClipInProgress: Hashable, Sendable, Encodable {
    /// The take's id, as the list of takes has it.
    public var take: String
    /// How much of it is made, from 0 to 1.
    public var fraction: Double
  }
}

/// A mode, and how people read it.
public struct StudioMode: Hashable, Sendable, Encodable {
  /// The mode.
  public var mode: Mode

  /// The mode `mode`.
  public init(_ mode: Mode) { self.mode = mode }

  private enum CodingKeys: String, CodingKey { case text }

  /// Writes the mode with a further key, `text`.
  public func encode(to encoder: any Encoder) throws {
    try mode.encode(to: encoder)
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(mode.description, forKey: .text)
  }
}
