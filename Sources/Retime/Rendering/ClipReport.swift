public import Platform
public import Media
public import Timebase

/// What became of the frames of a master in a clip.
public struct ClipReport: Hashable, Sendable {
  /// Frames of the master.
  public var captured: Int
  /// Captured frames that the clip shows.
  public var shown: Int
  /// Captured frames of the part shown that are too many for the clip's rate at its speed.
  public var passedOver: Int
  /// Captured frames that were damaged; the one before is held in their place.
  public var damaged: Int
  /// The first of the damaged frames, by their places among the captured ones, counted from 0.
  public var damagedFrames: [Int] = []
  /// Frames of the clip.
  public var outputFrames: Int
  /// Frames per second of the clip.
  public var framesPerSecond: Fraction
  /// Captured frames for each second of the clip, were none lost; `nil` where that is not one number.
  public var capturedFramesPerSecond: Fraction?
  /// Seconds that the clip lasts.
  public var duration: Fraction
  /// Capture seconds that pass in one second of the clip.
  public var speed: Fraction
  /// What became of the film's audio; `nil` where it has none.
  public var audio: ClipAudio?
  /// Whether the film's frames are in the clip as they were, and only their times are others.
  public var isCopy = false
  /// Whether a copy plays along a curve, so that its rate varies.
  public var hasVaryingRate = false
  /// Seconds of capture time that the film lasts, where the part asked for ends later; else `nil`.
  public var filmEnd: Fraction?
  /// Whether it was left out because this libavcodec cannot decode it.
  public var hasUnknownAudio = false
  /// Whether each field of the film is a frame of its own.
  public var isDeinterlaced = false
  /// Whether the film says that it is interlaced, and both fields stay in each frame.
  public var isInterlaced = false
  /// Why the film ended before its end, and the clip with it; `nil` where it is whole.
  public var cutOff: OvercrankError?
  /// How often the film's times start again, as in recordings that were joined into one file; in the clip, each part follows
  /// the one before it.
  public var restartCount = 0
  /// How many of its frames were made while the film was still being recorded; `nil` where nobody asked.
  public var madeWhileFilming: Int?
  /// Whether the film has a high dynamic range (PQ or HLG), and the clip only 8 bits for it.
  public var hasCoarseHDR = false
  /// Whether a player no longer knows how to turn the picture of a copy, which the container has no place for.
  public var losesOrientation = false
  /// How a raw film was developed; `nil` where it was not.
  public var development: RawDevelopment?
  /// What told how; `nil` where it was not developed.
  public var developmentSource: DevelopmentSource?
  /// What was found of the flicker of lamps; `nil` where nobody asked.
  public var flicker: Flicker?

  /// The flicker of lamps on alternating current in a film, and in the clip.
  public enum Flicker: Hashable, Sendable {
    /// There is none, and nothing was changed.
    case none
    /// It was evened out.
    ///
    /// - Parameters:
    ///   - hertz: swings of the light a second: 100 or 120.
    ///   - before: how far the film's light swings around its mean, as a part of that.
    ///   - after: the same of the clip, measured in its pictures; `nil` where it shows too few to tell.
    case evened(hertz: Int, before: Double, after: Double?)
  }

  /// Where a copy of a part of the film begins and ends, which may not be where it was asked to; `nil` for others.
  public var cut: Cut?

  /// A part of a film, in seconds of capture time from its first frame.
  public struct Cut: Hashable, Sendable {
    /// Where it begins.
    public var start: Fraction
    /// Where it ends.
    public var end: Fraction
  }

  /// Frames of the clip that show again what the one before showed.
  public var held: Int
  /// What was made where the film has no frame.
  public var interpolation = Interpolation()

  /// The frames of a clip that were made of the two captured ones around them.
  public struct Interpolation: Hashable, Sendable {
    /// How many there are.
    public private(set) var frames = 0
    /// How many of them stand where frames were lost or damaged.
    public private(set) var framesInGaps = 0
    /// In how many places a captured frame stays instead, as nothing in it was found in the other: at cuts, and where
    /// lights switch.
    public private(set) var breaks = 0
    private var heldParts = 0.0

    /// How much of what was to be made shows a captured frame as it is, as nothing there was found in the other: from 0
    /// to 1.
    public var heldPart: Double {
      frames + breaks > 0 ? (heldParts + Double(breaks)) / Double(frames + breaks) : 0
    }

    /// Enters a frame that was to be made, of which `heldPart` shows a captured one.
    mutating func count(heldPart: Double, isInGap: Bool) {
      guard heldPart < 1 else { return breaks += 1 }
      frames += 1
      heldParts += heldPart
      if isInGap { framesInGaps += 1 }
    }

    static func + (one: Self, other: Self) -> Self {
      var sum = one
      sum.frames += other.frames
      sum.framesInGaps += other.framesInGaps
      sum.breaks += other.breaks
      sum.heldParts += other.heldParts
      return sum
    }
  }

  /// A clip by `timeline` in which `shown` of its captured frames could be shown, and the others are damaged.
  ///
  /// - Parameters:
  ///   - alone: how many of them are seen alone.
  ///   - interpolation: what was made between them.
  ///   - hasOneSpeed: whether it plays at one speed throughout.
  init(
    _ timeline: Timeline, shown: Int, alone: Int, _ interpolation: Interpolation, hasOneSpeed: Bool
  ) {
    let wanted = timeline.shownFrameCount
    captured = timeline.capturedFrameCount
    self.shown = shown
    passedOver = max(0, timeline.spanFrameCount - wanted)
    damaged = wanted - shown
    outputFrames = timeline.outputFrameCount
    framesPerSecond = timeline.outputRate.framesPerSecond
    capturedFramesPerSecond = hasOneSpeed ? timeline.capturedRate : nil
    duration = timeline.duration
    speed = timeline.speed
    self.interpolation = interpolation
    held = max(0, outputFrames - interpolation.frames - alone)
  }

  /// A clip that shows `copied` of a film's frames once.
  init(copied: Int, of captured: Int, duration: Fraction, speed: Fraction) {
    self.captured = captured
    shown = copied
    passedOver = captured - copied
    damaged = 0
    outputFrames = copied
    isCopy = true
    framesPerSecond = duration > Fraction(0) ? Fraction(Int64(copied)) / duration : Fraction(0)
    self.duration = duration
    self.speed = speed
    held = 0
  }
}

/// How far the making of a clip is.
public struct ClipProgress: Hashable, Sendable {
  /// What is being done.
  public enum Stage: Hashable, Sendable {
    /// A first look at the light of the film's frames.
    case metering
    /// The clip's frames are made.
    case making
  }

  /// What is being done.
  public var stage = Stage.making
  /// Frames done.
  public var done: Int
  /// Frames in all.
  public var total: Int
}
