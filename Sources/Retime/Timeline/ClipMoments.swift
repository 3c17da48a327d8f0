import Timebase

/// Which moment of the film each frame of a clip shows, between captured frames too: what moves by the film's time moves
/// evenly in the clip, whatever frames are held.
struct ClipMoments {
  private let schedule: OutputSchedule
  /// The capture time of each frame, in seconds from the first.
  private let times: [Double]

  init(_ timing: FilmTiming, _ spec: RenderSpec, of part: ClipSpan = .whole, outputRate: FrameRate) {
    let cadence = timing.cadence
    schedule = OutputSchedule(cadence, speed: spec.speed, rate: outputRate, spec.fill, part.heldToFilms)
    // Where each frame has an output frame of its own, the jitter of its time would be seen as one of the picture.
    let beat = spec.speed == nil ? cadence.interval.map(\.doubleValue) : nil
    times = (0..<cadence.frameCount).map { index in
      guard let beat else { return cadence.captureTime(index) / .seconds(1) }
      return Double(cadence.sequences?[index] ?? Int64(index)) * beat
    }
  }

  /// The capture time of output frame `number`, in seconds from the film's first frame.
  func time(of number: Int) -> Double {
    let (arrivals, departures) = (schedule.arrivals, schedule.departures)
    guard !arrivals.isEmpty else { return 0 }
    let place = schedule.start + Int128(number) * schedule.unitsPerFrame
    var (low, high) = (0, arrivals.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if arrivals[middle] <= place { low = middle } else { high = middle }
    }
    // A freeze stands still.
    guard place > departures[low] else { return times[low] }
    // Behind the last frame time goes on as before it.
    let from = low + 1 < arrivals.count ? low : max(0, low - 1)
    guard from + 1 < arrivals.count, arrivals[from + 1] > departures[from] else { return times[low] }
    let pace = (times[from + 1] - times[from]) / Double(arrivals[from + 1] - departures[from])
    return times[low] + Double(place - departures[low]) * pace
  }
}
