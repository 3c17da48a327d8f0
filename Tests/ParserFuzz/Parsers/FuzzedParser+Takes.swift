import CameraModel
import Foundation
import Retime
import SystemPackage
import Takes
import Timebase

extension FuzzedParser {
  /// Curves of every kind: a speed, none, ramps, freezes.
  private static let curves: [SpeedCurve?] = [
    nil, SpeedCurve(.normal), try? SpeedCurve(text: "1/10000"), try? SpeedCurve(text: "2997/25%"),
    try? SpeedCurve(text: "0s:1, 0.05s:1/4, ease 0.2s:2, 0.25s:freeze 0.1s"),
    try? SpeedCurve(text: "0s:1/10000, 168h:100, 168h:freeze 168h"),
  ]

  func feedTake(_ bytes: [UInt8]) throws(Broken) {
    guard var take = try? JSONDecoder().decode(Take.self, from: Data(bytes)) else { return }
    let again: Take
    do {
      again = try JSONDecoder().decode(Take.self, from: JSONEncoder().encode(take))
    } catch {
      throw Broken("a take that was read cannot be written and read again: \(error)")
    }
    try promise(again == take, "a take is another when it is read again")
    let pace = SourcePace(speed: Fraction(1, 3), framesPerSecond: Fraction(80))
    for name in [take.master].compactMap(\.self) + take.clips.map(\.file) { _ = take.enter(pace, of: name) }
    let source = ClipSource("fuzzed.mov", take: take)
    for (place, curve) in Self.curves.enumerated() {
      try time(
        source.timing ?? [], nominal: take.acceptedInterval, curve,
        ClipSpan(start: .milliseconds(7 * place), end: place % 2 == 0 ? nil : .milliseconds(900)))
    }
  }

  func feedTiming(_ bytes: [UInt8]) throws(Broken) {
    var numbers = NumberSource(bytes)
    let nominal: FrameInterval? =
      numbers.bool() ? FrameInterval(numbers.number(), numbers.number()) : nil
    let last: Fraction? =
      numbers.bool() ? Fraction(numbers.number(), max(1, numbers.number(Int64.self))) : nil
    let curve = numbers.bool() ? numberedCurve(&numbers) : numbers.element(of: Self.curves)
    // A clip's options are checked earlier.
    let rate = FrameRate(
      Fraction(Int64(numbers.number(Int32.self)), max(1, Int64(numbers.number(Int32.self)))))
    let span = ClipSpan(
      start: .nanoseconds(max(0, numbers.number(Int64.self))),
      end: numbers.bool() ? .nanoseconds(numbers.number(Int64.self)) : nil)
    let isCounted = numbers.bool()
    // Usually the next frame follows soon; sometimes it has any time and number.
    var (time, sequence): (Int64, Int64) = (numbers.number(), numbers.number())
    var frames: [FrameTiming] = []
    while !numbers.isEmpty, frames.count < 64 {
      frames.append(
        FrameTiming(sequence: isCounted ? sequence : nil, timestamp: Instant(nanoseconds: time)))
      if numbers.bool() { time = numbers.number() } else { time &+= Int64(numbers.number(Int32.self)) }
      sequence = numbers.bool() ? numbers.number() : sequence &+ 1
    }
    try self.time(frames, nominal: nominal, curve, span, last: last, rate: rate)
  }

  private func numberedCurve(_ numbers: inout NumberSource) -> SpeedCurve? {
    var points: [SpeedCurve.Point] = []
    var freezes: [SpeedCurve.Freeze] = []
    for _ in 0...numbers.byte() % 6 {
      let time = Duration.nanoseconds(numbers.number(Int64.self))
      if numbers.byte() % 4 == 0 {
        freezes.append(.init(time: time, duration: .nanoseconds(numbers.number(Int64.self))))
      } else {
        let factor = Fraction(
          Int64(numbers.number(Int32.self)), max(1, Int64(numbers.number(Int32.self))))
        guard let speed = Speed(factor) else { continue }
        points.append(.init(time: time, speed: speed, isEased: numbers.bool()))
      }
    }
    points.sort { $0.time < $1.time }
    freezes.sort { $0.time < $1.time }
    return try? SpeedCurve(points: points, freezes: freezes)
  }

  /// Builds the timelines of `frames`, and checks whether each shows its frames in order.
  func time(
    _ frames: [FrameTiming], nominal: FrameInterval?, _ curve: SpeedCurve?, _ span: ClipSpan,
    last: Fraction? = nil, rate: FrameRate? = nil
  ) throws(Broken) {
    for fill in Fill.allCases {
      let timeline = Timeline(
        frames, nominalInterval: nominal?.rate?.interval, lastInterval: last, speed: curve,
        outputRate: rate ?? FrameRate(whole: 30), fill: fill, span: span)
      _ = (timeline.duration, timeline.speed.doubleValue, timeline.capturedDuration, timeline.lastShownFrame)
      var shown = 0
      for index in 0..<timeline.capturedFrameCount {
        let frames = timeline.outputFrames(showing: index)
        try promise(
          frames.lowerBound >= shown && frames.upperBound <= timeline.outputFrameCount,
          "frame \(index) is shown in \(frames) of \(timeline.outputFrameCount), after \(shown)")
        shown = frames.upperBound
        if let first = frames.first {
          try promise(timeline[first] == index, "output frame \(first) does not show frame \(index)")
          let share = timeline.share(ofNextIn: first)
          try promise((0...255).contains(share), "a share of \(share) of the next frame")
        }
      }
      // A longer one is refused before it is cut into segments.
      guard timeline.capturedFrameCount > 0, timeline.outputFrameCount < 48_000_000 else { continue }
      let segments = timeline.segments(encoderCount: 2, keyframeInterval: 250)
      try promise(
        segments.first?.lowerBound == 0 && segments.last?.upperBound == timeline.capturedFrameCount
          && zip(segments, segments.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound },
        "segments \(segments) are not the whole film")
    }
  }
}
