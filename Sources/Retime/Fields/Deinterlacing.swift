import Media
import Timebase

/// The split of an interlaced source's frames into two fields each.
struct Deinterlacing {
  let order: FieldOrder
  /// The timing of the source's own frames.
  let timing: SourceTiming
}

extension SourceTiming {
  /// Returns the timing with a frame per field: the second field was captured half a frame after the first.
  func ofFields() -> SourceTiming {
    var fields: [FrameTiming] = []
    fields.reserveCapacity(2 * frames.count)
    let half = Fraction(1, 2)
    let usual = cadence.nominalInterval.map { Duration(seconds: $0 * half) }
    for (index, frame) in frames.enumerated() {
      var step = cadence.lastInterval.map { Duration(seconds: $0 * half) } ?? usual ?? .zero
      if index + 1 < frames.count {
        let next = frames[index + 1]
        // After lost frames, the next frame's time does not bound this one's second field.
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
    var timing = SourceTiming(
      fields, cadence.nominalInterval.map { $0 * half }, cadence.lastInterval.map { $0 * half },
      cutOff: cutOff)
    (timing.restartCount, timing.start) = (restartCount, start)
    timing.hasContradictoryTimes = hasContradictoryTimes
    return timing
  }
}
