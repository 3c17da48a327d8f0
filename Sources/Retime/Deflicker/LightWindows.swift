import Glibc

/// The logarithm of a source's brightness over time.
struct LightSeries {
  /// Seconds, ascending.
  let times: [Double]
  let levels: [Double]
}

/// Windows on a series, each overlapping its three successors.
struct LightWindows {
  private let series: LightSeries
  /// Half a window's length, in seconds.
  private let reach: Double
  /// The centres of the windows, in seconds.
  private let centres: [Double]
  /// Samples per second.
  private let rate: Double

  /// The length of a window in seconds, if that holds at least ``fewest`` samples.
  private static let length = 0.5
  /// The fewest samples with which a window can separate a swing from the trend.
  private static let fewest = 24.0
  private static let windowsPerLength = 4.0

  /// Creates the windows on a series; `nil` if it has too few frames for one.
  init?(_ series: LightSeries) {
    guard Double(series.times.count) >= Self.fewest, let first = series.times.first,
      let last = series.times.last, last > first
    else { return nil }
    // The median step: frames may have been lost.
    let steps = zip(series.times, series.times.dropFirst()).map { $1 - $0 }.sorted()
    let step = steps[steps.count / 2]
    guard step > 0 else { return nil }
    let length = min(max(Self.length, Self.fewest * step), last - first + step)
    let count = max(1, Int(clamping: ((last - first) / length * Self.windowsPerLength).rounded(.up)))
    self.series = series
    rate = 1 / step
    reach = length / 2
    centres = (0...count).map { first + (last - first) * Double($0) / Double(count) }
  }

  /// Returns at most `count` of the windows, evenly spread.
  func spread(_ count: Int) -> [Int] {
    let step = max(1, centres.count / count)
    return Array(stride(from: 0, to: centres.count, by: step))
  }

  /// Returns the mean variance per sample that a swing of `frequency` explains beyond the trend; `nil` if the
  /// frame rate aliases the swing to zero, or to a rate too slow to separate from the scene.
  ///
  /// The result is the median over the windows, so that a window in which the scene changes does not decide.
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

  /// Returns the swing of `frequency` at each of `times`, which ascend: the surrounding windows' fits,
  /// weighted by proximity.
  func swing(_ frequency: Double, at times: [Double]) -> [Double] {
    var sums = [Double](repeating: 0, count: times.count)
    var weights = sums
    var first = 0
    for (window, centre) in centres.enumerated() {
      let samples = samples(in: window)
      guard let fit = fit(frequency, samples, at: centre) else { continue }
      // Keeps the mean of the light itself, not of its logarithm.
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

  /// Whether at least three periods of `frequency`, aliased by the frame rate, fit in a window.
  func canTell(_ frequency: Double) -> Bool { alias(frequency) * 2 * reach >= 3 }

  /// Returns the frequency at which `frequency` appears at the camera's frame rate.
  private func alias(_ frequency: Double) -> Double {
    (frequency - (frequency / rate).rounded() * rate).magnitude
  }

  private func samples(in window: Int) -> Range<Int> {
    let (start, end) = (centres[window] - reach, centres[window] + reach)
    return place(of: start)..<place(of: end.nextUp)
  }

  /// Returns the index of the first sample that is not before `time`.
  private func place(of time: Double) -> Int {
    var (low, high) = (0, series.times.count)
    while low < high {
      let middle = (low + high) / 2
      if series.times[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The swing that least squares found in a window.
  struct Swing {
    let centre: Double
    /// Frequencies in hertz, with the coefficients of cosine and sine.
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
