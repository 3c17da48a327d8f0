import Glibc

/// A filter of libavfilter's that plays audio at another speed and keeps its pitch, for samples at
/// `SlowedAudio.rate`.
enum AudioStretcher: CaseIterable {
  /// librubberband's phase vocoder: tones stay pure however slow. Sped up, they may lose most of their strength.
  case rubberband
  /// Overlapping pieces of 43 ms.
  case atempo

  /// The best one for the first `seconds` of a clip of those that this libavfilter has; `nil` where none follows `course`.
  static func best(for course: AudioCourse, _ seconds: Double) -> AudioStretcher? {
    let speeds = course.speeds(in: seconds)
    if let speed = course.constantSpeed {
      return [rubberband, atempo].first { $0.isPresent && ($0 == .atempo || (0.01..<1).contains(speed)) }
    }
    // Above twice the speed librubberband takes longer pieces, and the change is heard.
    return rubberband.isPresent && speeds.lowerBound >= 0.01 && speeds.upperBound <= 2 ? .rubberband : nil
  }

  /// What libavfilter calls it.
  var name: String {
    switch self {
    case .rubberband: "rubberband"
    case .atempo: "atempo"
    }
  }

  /// Whether libavfilter has it: it can be built without librubberband.
  var isPresent: Bool { LibAVFilter.has(name) }

  /// The filters that play audio at `speed`.
  func filters(_ speed: Double) -> [String] {
    switch self {
    case .rubberband:
      // Its other ways with transients make tones at half and a quarter of the speed warble by up to 20 cents, and
      // its standard window smears onsets twice as far.
      return ["rubberband=tempo=\(speed):transients=smooth:window=short"]
    case .atempo:
      // One slows down to a half at most; those in a row multiply.
      let count = max(1, Int(clamping: (-log2(speed)).rounded(.up)))
      let each = pow(speed, 1 / Double(count))
      return Array(repeating: "atempo=\(min(max(each, 0.5), 100))", count: count)
    }
  }

  /// Samples from the beginning of a piece of audio to what comes out where the beginning belongs.
  ///
  /// Measured with clicks, tones and bursts of noise from 1/16 to 3/4: so none begins before its time by more than some
  /// 20 ms.
  var reach: Int { self == .rubberband ? 512 : 1536 }

  /// Samples of the film's audio from before the clip that it is given first.
  func lead(_ course: AudioCourse) -> Int {
    guard let speed = course.constantSpeed else { return reach }
    return Int(Double(reach) * max(0, 1 - speed))
  }
}
