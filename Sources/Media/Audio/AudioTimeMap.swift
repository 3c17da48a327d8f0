import Glibc

/// A mapping from each moment of a clip to the moment of its source that is heard then.
///
/// The parts of the source that are heard follow one another without gaps: *kept time* counts on from one to
/// the next. The clip's time follows from it by the speeds; the times at which the clip pauses are added.
/// Both are `Double` seconds, because they end up as sample positions.
package struct AudioTimeMap: Sendable {
  /// A part of the source that is heard, in seconds from its first picture.
  package struct Part: Hashable, Sendable {
    /// The start of the part.
    package var start: Double
    /// The end of the part; infinity for the last.
    package var end: Double

    /// Creates the part from `start` to `end`.
    package init(start: Double, end: Double = .infinity) {
      self.start = start
      self.end = end
    }
  }

  /// A stretch with a constant speed, or one that changes linearly with source time; it lasts until the next
  /// begins.
  package struct Stretch: Hashable, Sendable {
    /// The start in seconds of kept time.
    package var keptStart: Double
    /// The start in seconds of the clip, without pauses.
    package var clipStart: Double
    /// The source seconds per second of the clip, at its start.
    package var speed: Double
    /// The change in speed per second of the source.
    package var change: Double

    /// Creates a stretch.
    package init(keptStart: Double, clipStart: Double, speed: Double, change: Double) {
      self.keptStart = keptStart
      self.clipStart = clipStart
      self.speed = speed
      self.change = change
    }

    /// Returns the kept time at a moment of the clip: the solution of `x' = speed + change * x`.
    fileprivate func kept(_ clip: Double) -> Double {
      let elapsed = clip - clipStart
      return keptStart + (change == 0 ? speed * elapsed : speed * expm1(change * elapsed) / change)
    }

    /// Returns the inverse.
    fileprivate func clip(_ kept: Double) -> Double {
      let elapsed = kept - keptStart
      return clipStart + (change == 0 ? elapsed / speed : log1p(change * elapsed / speed) / change)
    }
  }

  /// A time at which the clip stands still, and is silent.
  package struct Pause: Hashable, Sendable {
    /// The moment at which it begins, in seconds of the clip without pauses.
    package var clipStart: Double
    /// The duration in seconds.
    package var duration: Double

    /// Creates a pause.
    package init(clipStart: Double, duration: Double) {
      self.clipStart = clipStart
      self.duration = duration
    }
  }

  /// The parts, ordered by time; at least one.
  package let parts: [Part]
  /// The stretches, ordered by time; at least one, the first of which begins at 0.
  package let stretches: [Stretch]
  /// The pauses, ordered by time.
  package let pauses: [Pause]

  /// Creates a course of these parts, stretches and pauses.
  package init(parts: [Part], stretches: [Stretch], pauses: [Pause] = []) {
    precondition(!parts.isEmpty && !stretches.isEmpty, "a course must have parts")
    self.parts = parts
    self.stretches = stretches
    self.pauses = pauses
  }

  /// Creates a course with one speed throughout, from `start` of the source on.
  package init(from start: Duration = .zero, speed: Double) {
    self.init(
      parts: [Part(start: start / .seconds(1))],
      stretches: [Stretch(keptStart: 0, clipStart: 0, speed: speed, change: 0)])
  }

  /// Returns the lowest and the highest speed in the first `seconds` of the clip.
  package func speeds(in seconds: Double) -> ClosedRange<Double> {
    var (lowest, highest) = (stretches[0].speed, stretches[0].speed)
    let flowing = seconds - pauses.reduce(0) { $0 + ($1.clipStart < seconds ? $1.duration : 0) }
    for (index, stretch) in stretches.enumerated() where stretch.clipStart < flowing {
      let end = index + 1 < stretches.count ? min(stretches[index + 1].clipStart, flowing) : flowing
      let last = stretch.speed * exp(stretch.change * (end - stretch.clipStart))
      lowest = min(lowest, stretch.speed, last)
      highest = max(highest, stretch.speed, last)
    }
    return lowest...highest
  }

  /// The speed if it is constant; otherwise `nil`.
  var constantSpeed: Double? {
    let speed = stretches[0].speed
    return stretches.allSatisfy { $0.speed == speed && $0.change == 0 } ? speed : nil
  }

  /// Returns the seconds of kept time, and the speed, at a moment of the clip without its pauses.
  func kept(atClip seconds: Double) -> (seconds: Double, speed: Double) {
    let stretch = stretches[stretch { $0.clipStart <= seconds }]
    return (stretch.kept(seconds), stretch.speed * exp(stretch.change * (seconds - stretch.clipStart)))
  }

  /// Returns the seconds of the clip without its pauses at a moment of kept time.
  func clip(atKept seconds: Double) -> Double {
    guard seconds > 0 else { return seconds / stretches[0].speed }
    return stretches[stretch { $0.keptStart <= seconds }].clip(seconds)
  }

  /// Returns the index of the last stretch that has begun, or of the first if none has.
  private func stretch(_ hasBegun: (Stretch) -> Bool) -> Int {
    var (low, high) = (0, stretches.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if hasBegun(stretches[middle]) { low = middle } else { high = middle }
    }
    return low
  }
}
