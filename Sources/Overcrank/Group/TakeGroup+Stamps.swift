import Platform
import Takes
import Timebase

extension TakeGroup.Camera {
  /// Places the take of one camera beside that of the first by the frames' timestamps, which share one clock
  /// on one machine; if a camera has a clock of its own, by the trigger of both takes.
  ///
  /// - Parameters:
  ///   - name: the camera's name in the group.
  ///   - file: the take's file.
  ///   - take: the camera's take.
  ///   - first: the take of the group's first camera; `nil` for that camera itself.
  init(name: String, take file: String, of take: Take, beside first: Take?) {
    guard let first else {
      self.init(name: name, take: file, methods: [take.hasCommonClock ? .stamps : .trigger])
      return
    }
    let starts = [first, take].map { $0.timestamps.first ?? Instant(nanoseconds: 0) }
    if take.hasCommonClock, first.hasCommonClock {
      let errors = [first, take].map { $0.stampUnsteadiness / .nanoseconds(1) }
      self.init(
        name: name, take: file, offset: starts[1] - starts[0],
        uncertainty: .nanoseconds(
          Int64(clamping: errors.reduce(0) { $0 + $1 * $1 }.squareRoot().rounded(.up))),
        methods: [.stamps])
      return
    }
    let leads = zip([first, take], starts).map { take, start in
      take.trigger?.frameTime.map { $0 - start } ?? .zero
    }
    self.init(
      name: name, take: file, offset: leads[0] - leads[1], uncertainty: nil, methods: [.trigger])
  }
}

extension Take {
  /// Whether its timestamps are those of the machine's clock. A trigger has another time among the frames if
  /// the driver's clock turned out to differ.
  fileprivate var hasCommonClock: Bool { clock == .monotonic && trigger?.frameTime == trigger?.time }

  /// The error of a timestamp in 95 of 100 frames: its distance from the even pace that suits all frames
  /// best. An error that all of the camera's timestamps have is not in it.
  var stampUnsteadiness: Duration {
    guard let start = timestamps.first, let origin = sequences.first else { return .zero }
    let points = zip(sequences, timestamps).map { sequence, time in
      (Double(sequence - origin), Double((time - start).wholeNanoseconds))
    }
    let count = Double(points.count)
    let meanX = points.reduce(0) { $0 + $1.0 } / count
    let meanY = points.reduce(0) { $0 + $1.1 } / count
    let spread = points.reduce(0) { $0 + ($1.0 - meanX) * ($1.0 - meanX) }
    let slope = spread > 0 ? points.reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) } / spread : 0
    let errors = points.map { (($0.1 - meanY) - slope * ($0.0 - meanX)).magnitude }.sorted()
    return .nanoseconds(Int64(clamping: errors[(errors.count - 1) * 95 / 100].rounded(.up)))
  }
}
