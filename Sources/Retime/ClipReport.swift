public import Timebase

/// What became of the frames of a master in a clip.
public struct ClipReport: Hashable, Sendable {
  /// Frames of the master.
  public var captured: Int
  /// Captured frames that the clip shows.
  public var shown: Int
  /// Captured frames that a fast clip passes over.
  public var passedOver: Int
  /// Captured frames that were damaged; the one before is held in their place.
  public var damaged: Int
  /// Frames of the clip.
  public var outputFrames: Int
  /// Seconds that the clip lasts.
  public var duration: Fraction
  /// Capture seconds that pass in one second of the clip.
  public var speed: Fraction
  /// What became of the film's sound; `nil` where it has none.
  public var sound: ClipSound?

  /// A clip by `timeline` in which all but `damaged` of its frames could be shown.
  init(_ timeline: Timeline, damaged: Int) {
    captured = timeline.capturedFrameCount
    shown = timeline.shownFrameCount - damaged
    passedOver = captured - timeline.shownFrameCount
    self.damaged = damaged
    outputFrames = timeline.outputFrameCount
    duration = timeline.duration
    speed = timeline.speed
  }

  /// A clip that shows every frame once.
  init(copied: Int, duration: Fraction, speed: Fraction) {
    captured = copied
    shown = copied
    passedOver = 0
    damaged = 0
    outputFrames = copied
    self.duration = duration
    self.speed = speed
  }

  /// Frames of the clip that show again what the one before showed.
  public var held: Int { outputFrames - shown }
}

/// How far the making of a clip is.
public struct ClipProgress: Hashable, Sendable {
  /// Frames done.
  public var done: Int
  /// Frames in all.
  public var total: Int
}
