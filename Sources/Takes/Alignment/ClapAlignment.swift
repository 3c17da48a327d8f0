import Glibc
package import Media

/// Compares the audio of two takes by the sudden noises in both.
package enum ClapAlignment {
  /// The reason why two takes' audio does not tell their offset.
  package enum Failure: Error, Hashable {
    /// One of them is silent, or too short.
    case silent
    /// Several offsets fit equally.
    case repeated
  }

  /// The part of a second in which loudness is compared first.
  private static let step = 0.001
  /// The most noises that are compared with each other.
  private static let mostOnsets = 2000
  /// The seconds around a noise that are compared sample by sample, and how far.
  private static let window = 0.02
  private static let reach = 0.004
  /// The steps between two noises that count as two, and the most that are compared sample by sample.
  private static let apart = 100
  private static let mostClaps = 20
  /// The difference of two clocks beyond which noises are not taken for one, in parts.
  private static let largestDrift = 200e-6

  /// Returns the nanoseconds from the first frame of `reference` to that of `camera`, by what both heard.
  ///
  /// Several noises tell the rate of the clocks too.
  package static func estimate(
    _ camera: SourceAudio, on reference: SourceAudio
  ) throws(Failure) -> OffsetEstimate {
    let (own, other) = (onsets(of: camera), onsets(of: reference))
    let length = (own.map(\.place).max() ?? 0) - (own.map(\.place).min() ?? 0)
    // How well the noises coincide, by the steps between the two beginnings.
    var likenesses: [Int: Double] = [:]
    for first in own {
      for second in other {
        likenesses[second.place - first.place, default: 0] += first.strength * second.strength
      }
    }
    // A noise may fall on the border of two steps.
    func likeness(_ lag: Int) -> Double { (lag - 1...lag + 1).reduce(0) { $0 + (likenesses[$1] ?? 0) } }
    let lags = likenesses.keys.map { (lag: $0, likeness: likeness($0)) }
    guard let best = lags.max(by: { ($0.likeness, $1.lag) < ($1.likeness, $0.lag) }) else { throw .silent }
    guard !lags.contains(where: { ($0.lag - best.lag).magnitude > 30 && $0.likeness >= 0.8 * best.likeness })
    else { throw .repeated }
    // The noise that both heard best, and others, which clocks that differ move apart.
    let drift = 1 + Int(clamping: Double(length) * largestDrift)
    let pairs = own.flatMap { first in
      other.map {
        Pair(place: first.place, lag: $0.place - first.place, strength: first.strength * $0.strength)
      }
      .filter { ($0.lag - best.lag).magnitude <= drift }
    }
    guard
      let loudest = pairs.filter({ ($0.lag - best.lag).magnitude <= 1 }).max(by: { $0.strength < $1.strength }
      )
    else { throw .silent }
    let claps = distinct(pairs, around: loudest).map { Clap($0, camera, reference) }
    guard let estimate = estimate(claps) else { throw .repeated }
    return estimate
  }

  /// The steps of one noise in both.
  private struct Pair {
    let place: Int
    let lag: Int
    let strength: Double
  }

  /// A noise in both, compared sample by sample.
  private struct Clap {
    /// The place in the camera's audio, how much later it is in the other one's, and the bound of the error of that, in
    /// nanoseconds.
    let (place, lag, error): (Double, Double, Double)

    init(_ pair: Pair, _ camera: SourceAudio, _ reference: SourceAudio) {
      let (place, lag) = (Double(pair.place) * step, Double(pair.lag) * step)
      let fine = fine(camera, reference, at: place, offset: lag)
      // A likeness of one means the same sound to the sample; of a half, the same noise in another room.
      let error = max(fine.likeness > 0.5 ? 100e-6 : 1e-3, fine.spread)
      (self.place, self.lag, self.error) = (place * 1e9, (lag + fine.distance) * 1e9, error * 1e9)
    }
  }

  /// Returns the best pair of each noise, the loudest first. Clocks that differ move the noises apart.
  private static func distinct(_ pairs: [Pair], around loudest: Pair) -> [Pair] {
    var claps = [loudest]
    for pair in pairs.sorted(by: { $0.strength > $1.strength }) where claps.count < mostClaps {
      guard pair.strength >= loudest.strength / 10 else { break }
      let distance = Double((pair.place - loudest.place).magnitude)
      guard Double((pair.lag - loudest.lag).magnitude) <= 1 + distance * largestDrift,
        !claps.contains(where: { ($0.place - pair.place).magnitude < apart })
      else { continue }
      claps.append(pair)
    }
    return claps
  }

  /// Fits the offset and the rate of the clocks to the noises. One that contradicts the others is left out.
  private static func estimate(_ claps: [Clap]) -> OffsetEstimate? {
    var claps = claps
    while true {
      let equations =
        claps.map { WeightedFit.Equation(terms: [1, $0.place / 1e6], value: $0.lag, error: $0.error / 2) }
        + [WeightedFit.Equation(terms: [0, 1], value: 0, error: OffsetEstimate.usualDeviation)]
      guard let fit = WeightedFit(equations) else { return nil }
      let excess = zip(fit.residuals, claps).map { $0.magnitude / $1.error }
      if claps.count > 2, let worst = excess.indices.max(by: { excess[$0] < excess[$1] }), excess[worst] > 2 {
        claps.remove(at: worst)
        continue
      }
      let errors = [claps.map { $0.error / 2 }]
      let bounds = (0...1).map { place in
        let clock = (fit.gains(of: place).last ?? 0) * OffsetEstimate.usualDeviation
        return 2 * hypot(fit.error(of: place, byAlike: errors), clock)
      }
      let isMeasured = claps.count > 1
      return OffsetEstimate(
        .clap, offset: fit.values[0], uncertainty: bounds[0], rate: isMeasured ? fit.values[1] : 0,
        rateUncertainty: isMeasured ? bounds[1] : nil)
    }
  }

  /// A step in which it becomes loud suddenly, and how much louder than usual.
  private struct Onset {
    let place: Int
    let strength: Double
  }

  /// Returns the strongest onsets.
  private static func onsets(of audio: SourceAudio) -> [Onset] {
    guard audio.rate > 0 else { return [] }
    let count = Int(clamping: Double(audio.samples.count) / audio.rate / step)
    guard count > 20 else { return [] }
    let energy = (0..<count).map { index in
      let first = Int(clamping: Double(index) * step * audio.rate)
      let end = Int(clamping: Double(index + 1) * step * audio.rate)
      let range = first..<min(max(first + 1, end), audio.samples.count)
      return range.reduce(0.0) { $0 + Double(audio.samples[$1]) * Double(audio.samples[$1]) }
        / Double(range.count)
    }
    let usual = energy.sorted()[count / 2]
    let loudness = energy.map { ($0 / max(usual, 1e-9) + 1).squareRoot() }
    let rises = (1..<count).map { index in
      Onset(
        place: index,
        strength: loudness[index] - max(loudness[index - 1], loudness[max(0, index - 5)]) - 1)
    }
    return Array(rises.filter { $0.strength > 0 }.sorted { $0.strength > $1.strength }.prefix(mostOnsets))
  }

  /// Returns the seconds to add to `offset` so that the samples around `place` are most alike, how much they
  /// are, from 0 to 1, and how far other distances are that fit nearly as well: a tone fits at each period.
  private static func fine(
    _ camera: SourceAudio, _ reference: SourceAudio, at place: Double, offset: Double
  ) -> (distance: Double, likeness: Double, spread: Double) {
    let half = Int(clamping: window / 2 * camera.rate)
    let centre = Int(clamping: place * camera.rate)
    let own = (centre - half..<centre + half).filter { camera.samples.indices.contains($0) }
    let reachSamples = Int(clamping: reach * reference.rate)
    var found: [(distance: Double, likeness: Double)] = []
    for shift in -reachSamples...reachSamples {
      var (product, ownEnergy, otherEnergy) = (0.0, 0.0, 0.0)
      let start = (place + offset) * reference.rate + Double(shift)
      for index in own {
        let target = start + Double(index - centre) * reference.rate / camera.rate
        let other = Int(clamping: target.rounded())
        guard reference.samples.indices.contains(other) else { continue }
        let (a, b) = (Double(camera.samples[index]), Double(reference.samples[other]))
        product += a * b
        ownEnergy += a * a
        otherEnergy += b * b
      }
      guard ownEnergy > 0, otherEnergy > 0 else { continue }
      found.append((Double(shift) / reference.rate, product / (ownEnergy * otherEnergy).squareRoot()))
    }
    guard let best = found.max(by: { $0.likeness < $1.likeness }), best.likeness > 0 else {
      return (0, 0, reach)
    }
    let near = found.filter { $0.likeness >= 0.8 * best.likeness }
    let spread = near.map { ($0.distance - best.distance).magnitude }.max() ?? 0
    return (best.distance, best.likeness, spread)
  }
}
