import Timebase

/// The moment of the source that each frame of a clip shows, also between captured frames, so that motion
/// tied to the source's time is smooth in the clip even if frames are held.
struct ClipMoments {
  private let schedule: OutputSchedule
  /// The capture time of each frame, in seconds from the first.
  private let times: [Double]

  init(_ timing: SourceTiming, _ spec: RenderSpec, of part: ClipSpan = .whole, outputRate: FrameRate) {
    let cadence = timing.cadence
    schedule = OutputSchedule(cadence, speed: spec.speed, rate: outputRate, spec.fill, part.heldToVideos)
    // If each frame has its own output frame, jitter in its time would show as jitter of the picture.
    let beat = spec.speed == nil ? cadence.interval.map(\.doubleValue) : nil
    times = (0..<cadence.frameCount).map { index in
      guard let beat else { return cadence.captureTime(index) / .seconds(1) }
      return Double(cadence.sequences?[index] ?? Int64(index)) * beat
    }
  }

  /// Returns the capture time of output frame `number`, in seconds from the source's first frame.
  func time(of number: Int) -> Double {
    let (arrivals, departures) = (schedule.arrivals, schedule.departures)
    guard !arrivals.isEmpty else { return 0 }
    let place = schedule.start + Int128(number) * schedule.unitsPerFrame
    var (low, high) = (0, arrivals.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if arrivals[middle] <= place { low = middle } else { high = middle }
    }
    // Time stops during a freeze.
    guard place > departures[low] else { return times[low] }
    // After the last frame, time continues at the pace before it.
    let from = low + 1 < arrivals.count ? low : max(0, low - 1)
    guard from + 1 < arrivals.count, arrivals[from + 1] > departures[from] else { return times[low] }
    let pace = (times[from + 1] - times[from]) / Double(arrivals[from + 1] - departures[from])
    return times[low] + Double(place - departures[low]) * pace
  }
}
