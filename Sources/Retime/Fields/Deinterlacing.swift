import Media
import Timebase

/// How the frames of an interlaced film become twice as many.
struct Deinterlacing {
  let order: FieldOrder
  /// That of the film's own frames.
  let timing: FilmTiming
}

extension FilmTiming {
  /// That of a frame for each field: the second of each was filmed half a frame after the first.
  func ofFields() -> FilmTiming {
    var fields: [FrameTiming] = []
    fields.reserveCapacity(2 * frames.count)
    let half = Fraction(1, 2)
    let usual = cadence.nominalInterval.map { Duration(seconds: $0 * half) }
    for (index, frame) in frames.enumerated() {
      var step = cadence.lastInterval.map { Duration(seconds: $0 * half) } ?? usual ?? .zero
      if index + 1 < frames.count {
        let next = frames[index + 1]
        // Behind a lost frame, the next says nothing of when this one's second field was filmed.
        let count = next.sequence.flatMap { next in
          frame.sequence.map { max(1, next.subtracting(clamping: $0)) }
        }
        let interval = next.timestamp - frame.timestamp
        step = interval / (2 * Int(clamping: count ?? 1))
        if count == nil, let usual, step > usual * 2 { step = usual }
      }
      let first = frame.sequence.map { $0.multiplied(clamping: 2) }
      fields.append(FrameTiming(sequence: first, timestamp: frame.timestamp))
      fields.append(
        FrameTiming(sequence: first?.adding(clamping: 1), timestamp: frame.timestamp + step))
    }
    var timing = FilmTiming(
      fields, cadence.nominalInterval.map { $0 * half }, cadence.lastInterval.map { $0 * half },
      cutOff: cutOff)
    (timing.restartCount, timing.start) = (restartCount, start)
    return timing
  }
}
