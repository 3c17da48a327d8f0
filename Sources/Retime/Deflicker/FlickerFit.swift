import Glibc

/// The flicker of lamps on alternating current in the brightness of a film's frames.
///
/// Such light swings twice in each period of the mains, so 100 or 120 times a second, and fewer times again where a
/// camera that is slower than twice that shows it. In windows of half a second that overlap, the logarithm of the
/// brightness is taken apart by least squares: into a slow course (a cubic), which is the scene's own, and swings of the
/// frequency and its double at the very times the frames were captured, which are the lamps'. Windows follow lamps whose
/// swing changes, and mains that are not quite true.
struct FlickerFit {
  /// Swings of the light a second, as the mains have it: 100 or 120.
  let hertz: Int
  /// For each frame the logarithm of how much too bright it is.
  let swing: [Double]

  /// The depth of the swing: how far the light goes up and down around its mean, as a part of that.
  var depth: Double { Self.depth(swing) }

  /// Frequencies that lamps have.
  static let lamps = [100, 120]
  /// Swings less deep than this are noise or cannot be seen.
  private static let shallowest = 0.003
  /// A flicker stands out from frequencies beside it by at least this factor in power.
  private static let prominence = 6.0
  /// Hertz from a lamp's frequency where there should be nothing of it: beyond what a window tells apart.
  private static let beside = [-8.0, -6.5, -5, 5, 6.5, 8]
  /// How far mains and cameras' clocks stray, in hertz of the light, and the steps in which it is looked for.
  private static let stray = stride(from: -1.2, through: 1.2, by: 0.2)
  /// Windows that are looked at to find the frequency, spread over the film.
  private static let mostProbes = 48

  /// The flicker in frames of the brightness `light` at `times`; `nil` where there is none.
  ///
  /// - Parameters:
  ///   - times: seconds, rising.
  ///   - light: above 0; `nil` of frames that nothing is known of.
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

  /// How deep a swing at `hertz` still is in other brightness of frames, such as those of a clip, by the same fit.
  ///
  /// - Returns: `nil` where there are too few frames to tell.
  static func depth(hertz: Int, times: [Double], light: [Double]) -> Double? {
    let series = LightSeries(times: times, levels: light.map { log(max($0, 1e-6)) })
    guard let windows = LightWindows(series) else { return nil }
    let probes = windows.spread(mostProbes)
    let best = stray.map { Double(hertz) + $0 }
      .compactMap { frequency in windows.power(frequency, in: probes).map { (frequency, $0) } }
      .max { $0.1 < $1.1 }
    return best.map { depth(windows.swing($0.0, at: times)) }
  }

  /// Nineteen frames of twenty swing less far: their square would make more of swings that a camera samples at two points.
  private static func depth(_ swing: [Double]) -> Double {
    let mean = swing.reduce(0, +) / Double(max(1, swing.count))
    let distances = swing.map { ($0 - mean).magnitude }.sorted()
    return distances.isEmpty ? 0 : distances[distances.count * 19 / 20]
  }
}
