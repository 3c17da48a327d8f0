import Timebase

/// The place of a camera's frames on the clock of its group.
struct ClockPlace: Hashable, Sendable {
  /// The time from the clock's zero to the camera's first frame.
  var offset = Duration.zero
  /// How much longer a second of the camera's timestamps is on the clock, in millionths.
  var ratePartsPerMillion = 0.0

  /// Returns the moment on the clock of one that lies `moment` after the camera's first frame.
  func moment(_ moment: Int128) -> Int128 {
    // Whole numbers, so that frames on an even grid stay on one.
    let trillionths = Int64(clamping: (ratePartsPerMillion * 1e6).rounded())
    return SpeedIntegral.moment(offset) + moment + moment * Int128(trillionths) / 1_000_000_000_000
  }
}

/// The time in which all cameras of a group have frames, in moments of ``SpeedIntegral`` on the group's clock.
struct CommonTime {
  /// A camera's frames and their place.
  struct Camera {
    let cadence: CaptureCadence
    let place: ClockPlace

    /// Places the frames by their timestamps, because rates that cameras state drift apart.
    init(
      _ frames: [FrameTiming], nominalInterval: Fraction?, lastInterval: Fraction? = nil, at place: ClockPlace
    ) {
      cadence = CaptureCadence(
        frames, nominalInterval: nominalInterval, lastInterval: lastInterval, followsStamps: true)
      self.place = place
    }

    /// The time of its frames: from the first to the end of the last.
    var frames: Range<Int128> {
      let start = place.moment(0)
      return start..<max(start, place.moment((cadence.moments.last ?? 0) + cadence.lastStay))
    }
  }

  /// The moment at which the last camera begins: the zero of a clip's times.
  let start: Int128
  /// The moment at which the first camera ends.
  let end: Int128

  /// Finds the common time of `cameras`; `nil` if there is none.
  init?(of cameras: [Camera]) {
    guard let start = cameras.map(\.frames.lowerBound).max(),
      let end = cameras.map(\.frames.upperBound).min(), start < end
    else { return nil }
    (self.start, self.end) = (start, min(end, start + Self.longest))
  }

  /// The limit of the arithmetic on clip time: that of a lone source.
  private static let longest = SpeedIntegral.moment(.nanoseconds(CaptureCadence.longestTime))

  /// Returns the time from the common start to a moment of a camera's own; if it is too far away to matter, the
  /// furthest.
  func time(of moment: Int128, at place: ClockPlace) -> Int128 {
    min(max(-Self.longest, place.moment(moment) - start), Self.longest)
  }

  /// The length in seconds of capture time, to the nanosecond.
  var duration: Fraction { Self.time(end - start).inSeconds }

  /// Returns the time from a camera's first frame to the common start.
  func lead(of camera: Camera) -> Duration { Self.time(start - camera.frames.lowerBound) }

  private static func time(_ moment: Int128) -> Duration {
    let half = Int128(1) << (SpeedIntegral.fractionBits - 1)
    return .nanoseconds(Int64(clamping: (moment * 1_000_000_000 + half) >> SpeedIntegral.fractionBits))
  }

  /// Returns the number of frames of a clip of `part` of this time: its length in the clip, rounded to whole
  /// frames; at least one.
  func frameCount(_ curve: SpeedCurve, rate: FrameRate, of part: ClipSpan) -> Int {
    let integral = SpeedIntegral(curve)
    let last = part.end.map { min(SpeedIntegral.moment($0), end - start) } ?? end - start
    let length = integral(last) - integral(min(last, SpeedIntegral.moment(part.start)))
    let rate = rate.framesPerSecond
    let unit = Int128(rate.denominator) << SpeedIntegral.fractionBits
    return max(1, Int(clamping: (2 * length * Int128(rate.numerator) + unit - 1) / (2 * unit)))
  }
}

extension Timeline {
  /// Creates the timeline of one camera in a clip of several: each frame of the clip shows the same moment of all.
  ///
  /// - Parameters:
  ///   - common: the time that all of them share.
  ///   - curve: the speed, by time from the common start.
  ///   - part: the part of that time to show.
  ///   - frameCount: the number of frames in the clip.
  init(
    _ camera: CommonTime.Camera, in common: CommonTime, speed curve: SpeedCurve, outputRate: FrameRate,
    fill: Fill, span part: ClipSpan, frameCount: Int
  ) {
    let part = ClipSpan(start: part.start, end: part.end ?? Duration(seconds: common.duration)).heldToVideos
    let schedule = OutputSchedule(camera.cadence, curve: curve, rate: outputRate, fill, part) {
      common.time(of: $0, at: camera.place)
    }
    self.init(schedule, camera.cadence, curve, outputRate, fill, part, frameCount: frameCount)
  }
}
