public import Platform
public import Media
public import Timebase

/// A report on the frames of a source in a clip.
public struct ClipReport: Hashable, Sendable {
  /// Frames in the source.
  public var captured: Int
  /// Captured frames that the clip shows.
  public var shown: Int
  /// Captured frames within the span that were skipped: too many for the clip's rate at its speed.
  public var skipped: Int
  /// Captured frames that were damaged; the one before is held instead.
  public var damaged: Int
  /// The first of the damaged frames, by their indices among the captured ones, counted from 0.
  public var damagedFrames: [Int] = []
  /// Frames in the clip.
  public var outputFrames: Int
  /// Frames per second of the clip.
  public var framesPerSecond: Fraction
  /// Captured frames per second of the clip if none were lost; `nil` if that varies.
  public var capturedFramesPerSecond: Fraction?
  /// The clip's length in seconds.
  public var duration: Fraction
  /// Capture seconds that pass in one second of the clip.
  public var speed: Fraction
  /// The order of its frames; `nil` for that in which they were captured.
  public var order: PlaybackOrder?
  /// The size of the pictures of an animation, or of a clip of several cameras; `nil` for other clips.
  public var size: Size?
  /// The cameras of a group that the clip shows together, over which all counts of frames are sums; `nil` for a clip
  /// of one source.
  public var layout: Layout?
  /// The quality, size or rate that it gives up to stay under a size; `nil` for nothing.
  public var reduction: SizeReduction?
  /// The treatment of the source's audio; `nil` if it has none.
  public var audio: ClipAudio?
  /// Whether the source's frames were copied, with only their times changed.
  public var isCopy = false
  /// Whether a copy plays along a curve, so that its frame rate varies.
  public var hasVaryingRate = false
  /// The source's length in seconds of capture time, if the requested part ends later; otherwise `nil`.
  public var videoEnd: Fraction?
  /// The first point or freeze of the curve that lies after the source's end, as text; `nil` if none does.
  public var unreachedPoint: String?
  /// Whether the audio was dropped because this libavcodec cannot decode it.
  public var hasUnknownAudio = false
  /// Whether each field of the source became a frame.
  public var isDeinterlaced = false
  /// Whether the source is marked as interlaced, and both fields stay in each frame.
  public var isInterlaced = false
  /// The reason why the source, and the clip with it, ends early; `nil` if it is complete.
  public var cutOff: OvercrankError?
  /// The number of times that the source's timestamps start again, as in joined recordings; in the clip, each
  /// part follows the one before.
  public var restartCount = 0
  /// Whether the frames have the decoder's order, because the source's times for them contradict one another.
  public var hasContradictoryTimes = false
  /// The longest time without a frame in the shown part of the source, if it is out of proportion; otherwise `nil`.
  /// `nil` also for masters with a take, which tells of lost frames, and for numbered images.
  public var gap: SourceGap?
  /// The number of frames rendered while the master was still being recorded; `nil` if this was not
  /// attempted.
  public var madeWhileRecording: Int?
  /// Whether the source has a high dynamic range (PQ or HLG) but the clip only 8 bits per sample.
  public var hasCoarseHDR = false
  /// The transfer function of the source's high dynamic range (PQ or HLG) that was mapped to the standard range;
  /// `nil` if none was.
  public var toneMappedTransfer: ColorDescription.Transfer?
  /// The source's clockwise rotation in degrees if it is not a multiple of 90, and the nearest multiple was used;
  /// otherwise `nil`.
  public var obliqueRotation: Double?
  /// Whether a copy loses its orientation because the container cannot store it.
  public var losesOrientation = false
  /// The number of different sizes of the source's frames; if there are several, as in recordings that were joined, all
  /// are scaled to the clip's.
  public var sizeCount = 1
  /// The settings with which a raw source was developed; `nil` if it was not.
  public var development: RawDevelopment?
  /// The origin of these settings; `nil` if it was not developed.
  public var developmentSource: DevelopmentSource?
  /// The flicker of lamps; `nil` if it was not looked for.
  public var flicker: Flicker?
  /// The lamps, by the frequency of their light in hertz, whose flicker could not have been found at the source's rate,
  /// or in so few frames; empty if all could, or some was found.
  public var hiddenLamps: [Int] = []

  /// The cameras of a group in one clip.
  public struct Layout: Hashable, Sendable {
    /// The number of cameras.
    public var cameras: Int
    /// The seconds of capture time in which all of them have frames.
    public var commonTime: Fraction
    /// The natural size of the pictures if they were scaled down to the usual size; otherwise `nil`.
    public var largerSize: Size?
  }

  /// A size in pixels.
  public struct Size: Hashable, Sendable {
    /// The pixels per row.
    public var width: Int
    /// The number of rows.
    public var height: Int
  }

  /// Flicker of AC-powered lamps in a source and in its clip.
  public enum Flicker: Hashable, Sendable {
    /// No flicker; nothing was changed.
    case none
    /// Flicker that was removed.
    ///
    /// - Parameters:
    ///   - hertz: the light's frequency: 100 or 120.
    ///   - before: the amplitude of the source's light around its mean, as a fraction of the mean.
    ///   - after: the same for the clip, measured in its pictures; `nil` if it shows too few to tell.
    case evened(hertz: Int, before: Double, after: Double?)
  }

  /// The actual range of a copied part, which may differ from the requested one; `nil` for other clips.
  public var cut: Cut?

  /// A part of a source, in seconds of capture time from its first frame.
  public struct Cut: Hashable, Sendable {
    /// The start of the part.
    public var start: Fraction
    /// The end of the part.
    public var end: Fraction
  }

  /// Frames of the clip that repeat the previous one.
  public var held: Int
  /// The frames that were interpolated.
  public var interpolation = Interpolation()

  /// The frames of a clip that were interpolated from the two captured ones around them.
  public struct Interpolation: Hashable, Sendable {
    /// The number of interpolated frames.
    public private(set) var frames = 0
    /// The number of interpolated frames that replace lost or damaged ones.
    public private(set) var framesInGaps = 0
    /// The number of frames that hold a captured one instead because nothing in it was found in the other: at
    /// cuts, and when lights switch.
    public private(set) var breaks = 0
    private var heldParts = 0.0

    /// The fraction of the interpolated area that shows a captured frame unchanged because nothing there was
    /// found in the other: from 0 to 1.
    public var heldPart: Double {
      frames + breaks > 0 ? (heldParts + Double(breaks)) / Double(frames + breaks) : 0
    }

    /// Counts an interpolated frame, `heldPart` of which shows a captured one.
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

  /// Creates the report of a clip by `timeline` that shows `shown` of its captured frames; the others are
  /// damaged.
  ///
  /// - Parameters:
  ///   - frameCount: the number of frames in the clip.
  ///   - alone: the number of captured frames that appear without interpolation.
  ///   - interpolation: the frames that were interpolated.
  ///   - hasOneSpeed: whether the speed is constant.
  init(
    _ timeline: Timeline, frameCount: Int, shown: Int, alone: Int, _ interpolation: Interpolation,
    hasOneSpeed: Bool
  ) {
    let wanted = timeline.shownFrameCount
    captured = timeline.capturedFrameCount
    self.shown = shown
    skipped = max(0, timeline.spanFrameCount - wanted)
    damaged = wanted - shown
    outputFrames = frameCount
    framesPerSecond = timeline.outputRate.framesPerSecond
    capturedFramesPerSecond = hasOneSpeed ? timeline.capturedRate : nil
    duration = timeline.duration(ofFrames: frameCount)
    speed = timeline.speed
    self.interpolation = interpolation
    held = max(0, outputFrames - interpolation.frames - alone)
  }

  /// Creates the report of a clip that shows `copied` of a source's frames once each.
  init(copied: Int, of captured: Int, duration: Fraction, speed: Fraction) {
    self.captured = captured
    shown = copied
    skipped = captured - copied
    damaged = 0
    outputFrames = copied
    isCopy = true
    framesPerSecond = duration > Fraction(0) ? Fraction(Int64(copied)) / duration : Fraction(0)
    self.duration = duration
    self.speed = speed
    held = 0
  }
}

/// The progress of making a clip.
public struct ClipProgress: Hashable, Sendable {
  /// A stage of the work.
  public enum Stage: Hashable, Sendable {
    /// The first pass, which measures the light of the source's frames.
    case metering
    /// The pass that makes the clip's frames.
    case making
  }

  /// The current stage.
  public var stage = Stage.making
  /// Frames done.
  public var done: Int
  /// Frames in total.
  public var total: Int
}
