import FoundationEssentials
import Platform
package import SystemPackage
import Timebase

extension SlowMotionTags {
  /// Reads the sidecar of Apple's Photos beside the video: `IMG_0001.AAE` beside `IMG_0001.MOV`.
  mutating func readSidecar(of path: FilePath) {
    for sidecar in Self.sidecars(of: path) {
      guard let bytes = try? InputFile.bytes(of: sidecar, upTo: Self.largestSidecar) else { continue }
      return readSidecar(bytes, at: sidecar)
    }
  }

  /// Returns the possible paths of the sidecar of the video at `path`.
  package static func sidecars(of path: FilePath) -> [FilePath] {
    guard let stem = path.stem else { return [] }
    return ["\(stem).AAE", "\(stem).aae"].map { path.beside($0) }
  }

  /// A megabyte; the sidecar of a slow motion has a kilobyte.
  private static let largestSidecar: Int64 = 1 << 20

  private mutating func readSidecar(_ bytes: [UInt8], at path: FilePath) {
    guard let adjustments = try? PropertyListDecoder().decode(Adjustments.self, from: Data(bytes)) else {
      return problems.append("its sidecar \(path.name) is damaged")
    }
    // Other adjustments are cuts and colours.
    guard adjustments.format == "com.apple.video.slomo" else { return }
    guard let data = adjustments.data,
      let motion = try? PropertyListDecoder().decode(SlowMotion.self, from: data).slowMotion,
      let speed = Self.speed(motion.rate)
    else { return problems.append("its sidecar \(path.name) has no readable slow motion") }
    let stretches = motion.regions.map { $0.stretch(at: speed) }
    guard !stretches.contains(nil), let sound = Self.sound(stretches.compactMap(\.self)) else {
      return problems.append("its sidecar \(path.name) states an impossible time")
    }
    sidecar = path
    appleStretches = sound
  }

  /// Returns the speed for `rate`, a float such as 1/8.
  private static func speed(_ rate: Double) -> Fraction? {
    guard rate.isFinite, rate >= Speed.slowest.doubleValue, rate <= Speed.fastest.doubleValue else {
      return nil
    }
    let times = 1 / rate
    if (times - times.rounded()).magnitude < 1e-3, times.rounded() >= 1 {
      return Fraction(1, Int64(clamping: times.rounded()))
    }
    return Fraction(Int64(clamping: (rate * 1_000_000).rounded()), 1_000_000)
  }

  /// The sidecar, a property list.
  private struct Adjustments: Decodable {
    var format: String?
    var data: Data?

    enum CodingKeys: String, CodingKey {
      case format = "adjustmentFormatIdentifier"
      case data = "adjustmentData"
    }
  }

  /// The property list within the sidecar.
  private struct SlowMotion: Decodable {
    var slowMotion: Motion

    struct Motion: Decodable {
      var rate: Double
      var regions: [Region]
    }

    struct Region: Decodable {
      var timeRange: TimeRange

      func stretch(at speed: Fraction) -> Stretch? {
        guard let start = timeRange.start.fraction, let duration = timeRange.duration.fraction else {
          return nil
        }
        return Stretch(
          start: Duration(seconds: start), end: Duration(seconds: start + duration), speed: speed)
      }
    }

    struct TimeRange: Decodable {
      var start: Time
      var duration: Time
    }

    /// A `CMTime`.
    struct Time: Decodable {
      var value: Int64
      var timescale: Int32
      var flags: UInt32

      /// The time in seconds, at most a week; `nil` if it is invalid. The lowest flag marks a valid time.
      var fraction: Fraction? {
        guard flags & 1 == 1, timescale > 0, value >= 0 else { return nil }
        let seconds = Fraction(value, Int64(timescale))
        return seconds <= Fraction(7 * 24 * 3600) ? seconds : nil
      }
    }
  }
}
