import Timebase

/// The frames of a take that the packets of its master hold, by the packets' times.
///
/// Where a file without an index of all frames is damaged, libav skips the frames without a word. Counted, the ones behind
/// them would get the times of the missing ones.
struct PacketPlaces {
  /// Microseconds from the first frame: whole and strictly ascending, as masters have them.
  private let times: [Int64]
  /// Microseconds of a tick.
  private let tick: Fraction

  /// Creates the places of the frames of a master, whose first has the time 0.
  ///
  /// - Parameter timeBase: seconds per tick of the master.
  init(_ frames: [FrameTiming], _ timeBase: Fraction) {
    var last: Int64 = -1
    times = frames.map { frame in
      let time = frame.timestamp.nanoseconds.subtracting(clamping: frames[0].timestamp.nanoseconds) / 1000
      last = max(time, last.adding(clamping: 1))
      return last
    }
    tick = timeBase * Fraction(1_000_000)
  }

  /// Returns the frame that the packet at `timestamp` holds: `index`, or a later one if those from `index` on are missing.
  func place(ofPacketAt timestamp: Int64?, from index: Int) -> Int {
    guard let timestamp, times.indices.contains(index), let end = times.last else { return index }
    let time = tick.scaling(timestamp)
    // Half a tick of rounding, and the rounding of the time base.
    let tolerance = (tick + Fraction(1)).scaling(2).adding(clamping: time.magnitudeClamped / 1_000_000)
    func distance(_ place: Int) -> Int64 { time.subtracting(clamping: times[place]).magnitudeClamped }
    guard time > times[index].adding(clamping: tolerance), time <= end.adding(clamping: tolerance) else {
      return index
    }
    var place = index
    while place + 1 < times.count, distance(place + 1) <= distance(place) { place += 1 }
    return place
  }
}

extension Int64 {
  fileprivate var magnitudeClamped: Int64 { Int64(clamping: magnitude) }
}
