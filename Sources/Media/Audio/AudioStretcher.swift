import Glibc

/// A filter of libavfilter that changes the speed of audio and keeps its pitch, for samples at
/// `SlowedAudio.rate`.
enum AudioStretcher: CaseIterable {
  /// The phase vocoder of librubberband: tones stay pure at any slow speed. Sped up, they may lose most of
  /// their strength.
  case rubberband
  /// Overlapping 43 ms pieces.
  case atempo

  /// Returns the best available one for the first `seconds` of a clip; `nil` if none can follow `course`.
  static func best(for course: AudioTimeMap, _ seconds: Double) -> AudioStretcher? {
    let speeds = course.speeds(in: seconds)
    if let speed = course.constantSpeed {
      return [rubberband, atempo].first { $0.isPresent && ($0 == .atempo || (0.01..<1).contains(speed)) }
    }
    // Above twice the speed, librubberband uses longer pieces, and the change is audible.
    return rubberband.isPresent && speeds.lowerBound >= 0.01 && speeds.upperBound <= 2 ? .rubberband : nil
  }

  /// The name of the filter in libavfilter.
  var name: String {
    switch self {
    case .rubberband: "rubberband"
    case .atempo: "atempo"
    }
  }

  /// Whether this libavfilter has it: it can be built without librubberband.
  var isPresent: Bool { LibAVFilter.has(name) }

  /// Returns the filters that play audio at `speed`.
  func filters(_ speed: Double) -> [String] {
    switch self {
    case .rubberband:
      // Its other transient modes make tones at half and a quarter of the speed warble by up to 20 cents, and
      // its standard window smears onsets twice as far.
      return ["rubberband=tempo=\(speed):transients=smooth:window=short"]
    case .atempo:
      // One filter slows down to a half at most; the factors of several in a row multiply.
      let count = max(1, Int(clamping: (-log2(speed)).rounded(.up)))
      let each = pow(speed, 1 / Double(count))
      return Array(repeating: "atempo=\(min(max(each, 0.5), 100))", count: count)
    }
  }

  /// The samples from the beginning of a piece of audio to the point that comes out at the beginning's
  /// correct time.
  ///
  /// Measured with clicks, tones and bursts of noise from 1/16 to 3/4: with these values, none begins more
  /// than some 20 ms early.
  var reach: Int { self == .rubberband ? 512 : 1536 }

  /// Returns the number of source samples from before the clip that it needs first.
  func lead(_ course: AudioTimeMap) -> Int {
    guard let speed = course.constantSpeed else { return reach }
    return Int(Double(reach) * max(0, 1 - speed))
  }
}
