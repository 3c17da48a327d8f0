internal import CLibAV
import Glibc
import Timebase

/// A filter of libavfilter's that plays sound at another speed and keeps its pitch, for samples at
/// ``SlowedSound/rate``.
enum SoundStretcher: CaseIterable {
  /// librubberband's phase vocoder: tones stay pure however slow. Sped up, they may lose most of their strength.
  case rubberband
  /// Overlapping pieces of 43 ms.
  case atempo

  /// The better one at `speed` of those that this libavfilter has.
  static func best(for speed: Fraction) -> SoundStretcher {
    rubberband.isPresent && (0.01..<1).contains(speed.doubleValue) ? .rubberband : .atempo
  }

  /// Whether libavfilter has it: it can be built without librubberband.
  var isPresent: Bool {
    switch self {
    case .rubberband: avfilter_get_by_name("rubberband") != nil
    case .atempo: avfilter_get_by_name("atempo") != nil
    }
  }

  /// The filters that play sound at `speed`.
  func filters(_ speed: Double) -> [String] {
    switch self {
    case .rubberband:
      // Its other ways with transients make tones at half and a quarter of the speed warble by up to 20 cents, and
      // its standard window smears onsets twice as far.
      return ["rubberband=tempo=\(speed):transients=smooth:window=short"]
    case .atempo:
      // One slows down to a half at most; those in a row multiply.
      let count = max(1, Int((-log2(speed)).rounded(.up)))
      let each = pow(speed, 1 / Double(count))
      return Array(repeating: "atempo=\(min(max(each, 0.5), 100))", count: count)
    }
  }

  /// Seconds of silence that go before the film's sound for it to come out when the film shows it.
  ///
  /// A stretcher moves pieces of sound by where they begin, so that what lies within one comes out too early when slowed
  /// down: by a share of the piece for each second that is added to a second. Measured with clicks, tones and bursts of
  /// noise from 1/16 to 3/4, these shares let none begin before its time by more than some 20 ms.
  func lead(at speed: Double) -> Double {
    let share = self == .rubberband ? 512.0 : 1536.0
    return share / 48_000 * max(0, 1 - speed)
  }
}
