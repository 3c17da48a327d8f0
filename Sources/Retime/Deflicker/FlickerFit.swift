import Glibc

/// Flicker of AC-powered lamps in the brightness of a source's frames.
///
/// Such light swings twice per mains period, so 100 or 120 times a second; a frame rate below twice that
/// aliases it to fewer. In overlapping windows of half a second, least squares splits the logarithm of the
/// brightness into a slow trend (a cubic), which belongs to the scene, and sinusoids of the frequency and its
/// double at the frames' actual capture times, which belong to the lamps. The windows follow lamps whose
/// swing changes and a mains frequency that drifts.
struct FlickerFit {
  /// The light's nominal frequency in hertz: 100 or 120.
  let hertz: Int
  /// The excess brightness of each frame, as a logarithm.
  let swing: [Double]

  /// The amplitude of the swing around its mean, as a fraction of the mean.
  var depth: Double { Self.depth(swing) }

  /// Frequencies of lamps, in hertz.
  static let lamps = [100, 120]
  /// The smallest depth that counts as flicker; less is noise or invisible.
  private static let shallowest = 0.003
  /// The factor in power by which flicker must exceed the frequencies beside it.
  private static let prominence = 6.0
  /// Offsets from a lamp's frequency, in hertz, at which none of its power remains: outside a window's
  /// resolution.
  private static let beside = [-8.0, -6.5, -5, 5, 6.5, 8]
  /// The offsets to search, in hertz of the light: mains and camera clocks deviate that far.
  private static let stray = stride(from: -1.2, through: 1.2, by: 0.2)
  /// The most windows to examine for the frequency, spread over the source.
  private static let mostProbes = 48

  /// Finds the flicker in frames of brightness `light` at `times`; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - times: seconds, ascending.
  ///   - light: brightness above 0; `nil` for unknown frames.
  init?(times: [Double], light: [Double?]) {
    let known = light.indices.filter { light[$0].map { $0 > 0 } ?? false && times[$0].isFinite }
    let series = LightSeries(times: known.map { times[$0] }, levels: known.map { log(light[$0] ?? 1) })
    guard let windows = LightWindows(series) else { return nil }
    let probes = windows.spread(Self.mostProbes)
    var best: (hertz: Int, frequency: Double, power: Double)?
    for lamp in Self.lamps {
      for stray in Self.stray {
        let frequency = Double(lamp) + stray
        guard let power = windows.power(frequency, in: probes) else { continue }
        if power > best?.power ?? 0 { best = (lamp, frequency, power) }
      }
    }
    guard let best else { return nil }
    let others = Self.beside.compactMap { windows.power(Double(best.hertz) + $0, in: probes) }.sorted()
    guard let usual = others.isEmpty ? nil : others[others.count / 2], best.power > Self.prominence * usual
    else { return nil }
    let swing = windows.swing(best.frequency, at: times)
    guard Self.depth(swing) >= Self.shallowest else { return nil }
    (hertz, self.swing) = (best.hertz, swing)
  }

  /// Returns the lamps, in hertz, whose flicker cannot be found in frames at `times`: the camera's rate turns it into
  /// steady light or a beat as slow as the scene's own changes, or there are too few frames.
  static func hiddenLamps(times: [Double]) -> [Int] {
    let series = LightSeries(times: times, levels: times.map { _ in 0 })
    guard let windows = LightWindows(series) else { return lamps }
    return lamps.filter { !windows.canTell(Double($0)) }
  }

  /// Returns the depth of the swing at `hertz` in another series of brightness, such as a clip's, by the same
  /// fit.
  ///
  /// - Returns: `nil` if there are too few frames to tell.
  static func depth(hertz: Int, times: [Double], light: [Double]) -> Double? {
    let series = LightSeries(times: times, levels: light.map { log(max($0, 1e-6)) })
    guard let windows = LightWindows(series) else { return nil }
    let probes = windows.spread(mostProbes)
    let best = stray.map { Double(hertz) + $0 }
      .compactMap { frequency in windows.power(frequency, in: probes).map { (frequency, $0) } }
      .max { $0.1 < $1.1 }
    return best.map { depth(windows.swing($0.0, at: times)) }
  }

  /// Returns the 95th percentile of the distance from the mean. A root mean square would overstate swings
  /// that the camera samples at only two points.
  private static func depth(_ swing: [Double]) -> Double {
    let mean = swing.reduce(0, +) / Double(max(1, swing.count))
    let distances = swing.map { ($0 - mean).magnitude }.sorted()
    return distances.isEmpty ? 0 : distances[distances.count * 19 / 20]
  }
}
