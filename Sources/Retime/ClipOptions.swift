public import Media
public import Timebase

/// How a clip is made.
public struct ClipOptions: Hashable, Sendable {
  /// How the frames of a clip are coded.
  public enum Codec: String, Hashable, Sendable, CaseIterable {
    /// H.264, which plays anywhere.
    case h264
  }

  /// How fast the clip plays; `nil` shows every sensor frame once.
  public var speed: Speed?
  /// Frames per second of the clip.
  public var outputRate: FrameRate
  /// How its frames are coded.
  public var codec: Codec
  /// The encoder's trade of time for size.
  public var preset: VideoEncoder.Preset
  /// The encoder's constant rate factor, from 0 (lossless) to 51 (worst).
  public var quality: Double
  /// What becomes of the film's sound; `nil` keeps it, stretched, down to half the speed.
  public var sound: ClipSound?

  /// The options of a clip; those left out make one that looks as good as its master and plays anywhere.
  public init(
    speed: Speed? = nil, outputRate: FrameRate = FrameRate(whole: 30), codec: Codec = .h264,
    preset: VideoEncoder.Preset = .veryfast, quality: Double = 20,
    sound: ClipSound? = nil
  ) {
    self.speed = speed
    self.outputRate = outputRate
    self.codec = codec
    self.preset = preset
    self.quality = quality
    self.sound = sound
  }

  /// Finds out whether a clip can be made so, before anything is.
  ///
  /// - Throws: ``MediaError/Code/unsupported`` with what is possible.
  func check() throws(MediaError) {
    guard (0...51).contains(quality) else {
      throw MediaError(.unsupported, "a quality of \(quality) is not from 0 (lossless) to 51 (worst).")
    }
    try outputRate.framesPerSecond.checkFitsContainer("a rate")
    try speed?.factor.checkFitsContainer("a speed")
  }
}

extension Fraction {
  /// - Throws: ``MediaError/Code/unsupported`` where a term does not fit the 31 bits that containers have for it.
  func checkFitsContainer(_ name: String) throws(MediaError) {
    guard max(numerator, denominator) <= Int32.max else {
      throw MediaError(
        .unsupported, "\(name) of \(self) has more digits than a container can hold. Round it.")
    }
  }
}
