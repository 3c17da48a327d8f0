import Foundation

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

/// The logarithm of a film's brightness over time.
struct LightSeries {
  /// Seconds, rising.
  let times: [Double]
  let levels: [Double]
}

/// Windows on a series, each half over the next three.
struct LightWindows {
  private let series: LightSeries
  /// Half of a window's length in seconds.
  private let reach: Double
  /// Their middles, in seconds.
  private let centres: [Double]
  /// Samples a second.
  private let rate: Double

  /// Seconds of a window where it has ``fewest`` samples.
  private static let length = 0.5
  /// With fewer samples a window cannot tell a swing from a course.
  private static let fewest = 24.0
  private static let windowsPerLength = 4.0

  /// - Returns: `nil` where there are too few frames for a window.
  init?(_ series: LightSeries) {
    guard Double(series.times.count) >= Self.fewest, let first = series.times.first,
      let last = series.times.last, last > first
    else { return nil }
    // The middle step: frames may have been lost.
    let steps = zip(series.times, series.times.dropFirst()).map { $1 - $0 }.sorted()
    let step = steps[steps.count / 2]
    guard step > 0 else { return nil }
    let length = min(max(Self.length, Self.fewest * step), last - first + step)
    let count = max(1, Int(((last - first) / length * Self.windowsPerLength).rounded(.up)))
    self.series = series
    rate = 1 / step
    reach = length / 2
    centres = (0...count).map { first + (last - first) * Double($0) / Double(count) }
  }

  /// At most `count` of the windows, evenly spread.
  func spread(_ count: Int) -> [Int] {
    let step = max(1, centres.count / count)
    return Array(stride(from: 0, to: centres.count, by: step))
  }

  /// How much of the windows' variance a swing of `frequency` explains that their course does not, in the mean of a
  /// sample; `nil` where the camera's rate makes it stand still, or too slow to be told from the scene.
  ///
  /// The middle one of the windows counts: a window in which the scene changes must not decide.
  func power(_ frequency: Double, in windows: [Int]) -> Double? {
    guard canTell(frequency) else { return nil }
    let powers = windows.compactMap { window -> Double? in
      let samples = samples(in: window)
      guard let fit = fit(frequency, samples, at: centres[window]) else { return nil }
      let square = samples.reduce(0) { sum, sample in
        let value = fit.swing(at: series.times[sample])
        return sum + value * value
      }
      return square / Double(samples.count)
    }.sorted()
    return powers.isEmpty ? nil : powers[powers.count / 2]
  }

  /// The swing of `frequency` at each of `times`, which rise: what the windows around say, more the nearer they are.
  func swing(_ frequency: Double, at times: [Double]) -> [Double] {
    var sums = [Double](repeating: 0, count: times.count)
    var weights = sums
    var first = 0
    for (window, centre) in centres.enumerated() {
      let samples = samples(in: window)
      guard let fit = fit(frequency, samples, at: centre) else { continue }
      // Of the light, not of its logarithm, the mean is to be kept.
      let sum = samples.reduce(0) { $0 + exp(fit.swing(at: series.times[$1])) }
      let mean = log(sum / Double(samples.count))
      while first < times.count, times[first] < centre - reach { first += 1 }
      var index = first
      while index < times.count, times[index] <= centre + reach {
        let weight = 0.5 + 0.5 * cos(.pi * (times[index] - centre) / reach) + 1e-9
        sums[index] += weight * (fit.swing(at: times[index]) - mean)
        weights[index] += weight
        index += 1
      }
    }
    return zip(sums, weights).map { $1 > 0 ? $0 / $1 : 0 }
  }

  /// Whether the camera's rate leaves at least three swings of a window.
  private func canTell(_ frequency: Double) -> Bool { alias(frequency) * 2 * reach >= 3 }

  /// What `frequency` looks like at the camera's rate.
  private func alias(_ frequency: Double) -> Double {
    (frequency - (frequency / rate).rounded() * rate).magnitude
  }

  private func samples(in window: Int) -> Range<Int> {
    let (start, end) = (centres[window] - reach, centres[window] + reach)
    return place(of: start)..<place(of: end.nextUp)
  }

  /// The first sample that is not before `time`.
  private func place(of time: Double) -> Int {
    var (low, high) = (0, series.times.count)
    while low < high {
      let middle = (low + high) / 2
      if series.times[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// What a window's least squares found of a swing.
  struct Swing {
    let centre: Double
    /// Hertz, with the factors of cosine and sine.
    let waves: [(frequency: Double, cosine: Double, sine: Double)]

    func swing(at time: Double) -> Double {
      waves.reduce(0) { sum, wave in
        let angle = 2 * .pi * wave.frequency * (time - centre)
        return sum + wave.cosine * cos(angle) + wave.sine * sin(angle)
      }
    }
  }

  private func fit(_ frequency: Double, _ samples: Range<Int>, at centre: Double) -> Swing? {
    let waves = [frequency, 2 * frequency].filter(canTell)
    let count = Self.courseTerms + 2 * waves.count
    guard samples.count >= 2 * count else { return nil }
    var system = NormalEquations(count: count)
    var terms = [Double](repeating: 0, count: count)
    for sample in samples {
      let time = series.times[sample] - centre
      var power = 1.0
      for term in 0..<Self.courseTerms {
        terms[term] = power
        power *= time / reach
      }
      for (index, wave) in waves.enumerated() {
        let angle = 2 * .pi * wave * time
        terms[Self.courseTerms + 2 * index] = cos(angle)
        terms[Self.courseTerms + 2 * index + 1] = sin(angle)
      }
      system.add(terms, series.levels[sample])
    }
    guard let factors = system.solution() else { return nil }
    return Swing(
      centre: centre,
      waves: waves.enumerated().map { index, wave in
        let place = Self.courseTerms + 2 * index
        return (wave, factors[place], factors[place + 1])
      })
  }

  /// The terms of a cubic.
  private static let courseTerms = 4
}

/// A least-squares problem of a few unknowns, summed up sample by sample.
struct NormalEquations {
  private let count: Int
  /// Row by row.
  private var matrix: [Double]
  private var right: [Double]
  private var samples = 0

  /// Keeps terms apart that look alike at the times there are, as sine and cosine do at half the camera's rate: the part
  /// they share is split between them.
  private static let ridge = 1e-6

  init(count: Int) {
    self.count = count
    matrix = [Double](repeating: 0, count: count * count)
    right = [Double](repeating: 0, count: count)
  }

  /// A sample: the terms should add up to `value`.
  mutating func add(_ terms: [Double], _ value: Double) {
    samples += 1
    for row in 0..<count {
      right[row] += terms[row] * value
      for column in 0...row { matrix[row * count + column] += terms[row] * terms[column] }
    }
  }

  /// The terms' factors, by Cholesky's decomposition; `nil` where there are none.
  func solution() -> [Double]? {
    var lower = matrix
    for row in 0..<count {
      lower[row * count + row] += Self.ridge * Double(samples)
      for column in 0...row {
        var sum = lower[row * count + column]
        for term in 0..<column { sum -= lower[row * count + term] * lower[column * count + term] }
        if row == column {
          guard sum > 0 else { return nil }
          lower[row * count + row] = sum.squareRoot()
        } else {
          lower[row * count + column] = sum / lower[column * count + column]
        }
      }
    }
    var factors = right
    for row in 0..<count {
      for term in 0..<row { factors[row] -= lower[row * count + term] * factors[term] }
      factors[row] /= lower[row * count + row]
    }
    for row in (0..<count).reversed() {
      for term in row + 1..<count { factors[row] -= lower[term * count + row] * factors[term] }
      factors[row] /= lower[row * count + row]
    }
    return factors.allSatisfy(\.isFinite) ? factors : nil
  }
}
