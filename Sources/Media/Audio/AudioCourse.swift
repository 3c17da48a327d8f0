import Glibc

/// Which moment of a film is heard at each moment of a clip.
///
/// The parts of the film that are heard follow one another at once: *kept time* counts on from one to the next. The clip's
/// time follows from it by the speeds; moments at which the clip stands still come on top. Both are
/// reckoned in seconds as `Double`: they end as places of samples.
package struct AudioCourse: Sendable {
  /// A part of the film that is heard, in seconds from its first picture.
  package struct Part: Hashable, Sendable {
    /// Where it begins.
    package var start: Double
    /// Where it ends; infinity for the last.
    package var end: Double

    /// The part from `start` to `end`.
    package init(start: Double, end: Double = .infinity) {
      self.start = start
      self.end = end
    }
  }

  /// A stretch over which the speed is one, or changes evenly with the film's time; it lasts until the next begins.
  package struct Stretch: Hashable, Sendable {
    /// Seconds of kept time at which it begins.
    package var keptStart: Double
    /// Seconds of the clip, without pauses, at which it begins.
    package var clipStart: Double
    /// Seconds of the film that pass in one second of the clip, at its beginning.
    package var speed: Double
    /// What is added to the speed in a second of the film.
    package var change: Double

    /// A stretch.
    package init(keptStart: Double, clipStart: Double, speed: Double, change: Double) {
      self.keptStart = keptStart
      self.clipStart = clipStart
      self.speed = speed
      self.change = change
    }

    /// Kept time at a moment of the clip: `x' = speed + change * x`, solved.
    fileprivate func kept(_ clip: Double) -> Double {
      let elapsed = clip - clipStart
      return keptStart + (change == 0 ? speed * elapsed : speed * expm1(change * elapsed) / change)
    }

    /// The way back.
    fileprivate func clip(_ kept: Double) -> Double {
      let elapsed = kept - keptStart
      return clipStart + (change == 0 ? elapsed / speed : log1p(change * elapsed / speed) / change)
    }
  }

  /// A time in which the clip stands still, and is silent.
  package struct Pause: Hashable, Sendable {
    /// Seconds of the clip, without pauses, at which it comes.
    package var clipStart: Double
    /// Seconds that it lasts.
    package var duration: Double

    /// A pause.
    package init(clipStart: Double, duration: Double) {
      self.clipStart = clipStart
      self.duration = duration
    }
  }

  /// In the order of time, at least one.
  package let parts: [Part]
  /// In the order of time, at least one; the first begins at 0.
  package let stretches: [Stretch]
  /// In the order of time.
  package let pauses: [Pause]

  /// A course of these parts, stretches and pauses.
  package init(parts: [Part], stretches: [Stretch], pauses: [Pause] = []) {
    precondition(!parts.isEmpty && !stretches.isEmpty, "a course leads somewhere")
    self.parts = parts
    self.stretches = stretches
    self.pauses = pauses
  }

  /// One speed throughout, from `start` of the film on.
  package init(from start: Duration = .zero, speed: Double) {
    self.init(
      parts: [Part(start: start / .seconds(1))],
      stretches: [Stretch(keptStart: 0, clipStart: 0, speed: speed, change: 0)])
  }

  /// The lowest and the highest speed in the first `seconds` of the clip.
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

  /// The speed, where it is one throughout.
  var constantSpeed: Double? {
    let speed = stretches[0].speed
    return stretches.allSatisfy { $0.speed == speed && $0.change == 0 } ? speed : nil
  }

  /// Seconds of kept time, and the speed, at a moment of the clip without its pauses.
  func kept(atClip seconds: Double) -> (seconds: Double, speed: Double) {
    let stretch = stretches[stretch { $0.clipStart <= seconds }]
    return (stretch.kept(seconds), stretch.speed * exp(stretch.change * (seconds - stretch.clipStart)))
  }

  /// Seconds of the clip without its pauses at a moment of kept time.
  func clip(atKept seconds: Double) -> Double {
    guard seconds > 0 else { return seconds / stretches[0].speed }
    return stretches[stretch { $0.keptStart <= seconds }].clip(seconds)
  }

  /// The last stretch that has begun; the first in any case.
  private func stretch(_ hasBegun: (Stretch) -> Bool) -> Int {
    var (low, high) = (0, stretches.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if hasBegun(stretches[middle]) { low = middle } else { high = middle }
    }
    return low
  }
}
