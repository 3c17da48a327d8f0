import Platform
public import Media
import Synchronization

/// The removal of the flicker of AC-powered lamps.
public struct Deflicker: PlainStage {
  /// Creates the stage.
  public init() {}

  /// The stage's key in the description of a clip.
  public static var name: String { "deflicker" }

  /// Returns `WholeSourceNeed.flicker`: the fit needs the light of all frames.
  public func wholeSourceNeed(of video: VideoTrack?, sensor: SensorFacts?) -> WholeSourceNeed? { .flicker }
}

extension Deflicker: ChangingStage {
  static var isOverlay: Bool { false }

  func prepare(for pictures: PicturePlan, _ timing: SourceTiming) -> any PreparedStage { LightCorrection() }
}

/// The light of a source's frames, and the factors that even it out.
private final class LightCorrection: PreparedStage {
  private struct State {
    var times: [Double] = []
    var flicker: FlickerFit?
    var gains: [Double] = []
    /// The mean light of the clip's pictures, by their indices among the captured frames.
    var light: [Int: Double] = [:]
  }

  private let state = Mutex(State())

  func analyse(
    _ plan: ClipPlan, progress: (@Sendable (ClipProgress) -> Void)?
  ) async throws(OvercrankError) {
    let meter = try await LightMeter(plan, progress: progress)
    let flicker = meter.flicker
    state.withLock {
      $0 = State(times: meter.times, flicker: flicker, gains: flicker.map(LightMeter.gains) ?? [])
    }
  }

  func process(_ picture: consuming Picture, of index: Int) throws(OvercrankError) -> Picture {
    let gain = state.withLock { $0.gains.indices.contains(index) ? $0.gains[index] : nil }
    guard let gain else { return picture }
    let even = try picture.multiplyingLight(by: gain)
    let mean = even.meanLight
    state.withLock { $0.light[index] = mean }
    return even
  }

  func report(to report: inout ClipReport) {
    let (times, flicker, light) = state.withLock {
      ($0.times, $0.flicker, $0.light.sorted { $0.key < $1.key })
    }
    report.flicker =
      flicker.map { flicker in
        .evened(
          hertz: flicker.hertz, before: flicker.depth,
          after: FlickerFit.depth(
            hertz: flicker.hertz, times: light.map { times[$0.key] }, light: light.map(\.value)))
      } ?? ClipReport.Flicker.none
    if flicker == nil { report.hiddenLamps = FlickerFit.hiddenLamps(times: times) }
  }
}
