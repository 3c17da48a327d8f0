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
  /// Whether it was left out because this libavcodec cannot decode it.
  public var hasUnknownAudio = false
  /// Whether the film has a high dynamic range (PQ or HLG), and the clip only 8 bits for it.
  public var hasCoarseHDR = false
  /// Whether a player no longer knows how to turn the picture, which the container has no place for.
  public var losesOrientation = false
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
  /// Frames of the clip that are mixed of two captured ones.
  public var blended: Int

  /// A clip by `timeline` in which `shown` of its captured frames could be shown, and the others are damaged.
  ///
  /// - Parameter hasOneSpeed: whether it plays at one speed throughout.
  init(_ timeline: Timeline, shown: Int, hasOneSpeed: Bool) {
    let (wanted, blendedCount, aloneCount) = timeline.tally
    captured = timeline.capturedFrameCount
    self.shown = shown
    passedOver = max(0, timeline.spanFrameCount - wanted)
    damaged = wanted - shown
    outputFrames = timeline.outputFrameCount
    framesPerSecond = timeline.outputRate.framesPerSecond
    capturedFramesPerSecond = hasOneSpeed ? timeline.capturedRate : nil
    duration = timeline.duration
    speed = timeline.speed
    blended = blendedCount
    held = max(0, outputFrames - blendedCount - max(0, aloneCount - damaged))
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
    blended = 0
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
