import Overcrank

/// Changes to the settings; `nil` leaves a setting as it is.
struct SettingsChange: Hashable, Sendable {
  var preRoll: Duration?
  var postRoll: Duration?
  var afterTrigger: StudioSettings.AfterTrigger?
  var microphone: String??
  var speed: String??
  var rotate: Int?
  var mirror: Bool?
  var motion: StudioSettings.Motion??
  var label: String??
}

extension SettingsChange: Decodable {
  init(from decoder: any Decoder) throws {
    let keys = try decoder.known(StudioSettings.CodingKeys.self)
    preRoll = try keys.time(.preRoll)
    postRoll = try keys.time(.postRoll)
    afterTrigger = try keys.text(.afterTrigger)?.map { text in
      guard let known = StudioSettings.AfterTrigger(rawValue: text) else {
        throw keys.wrong(.afterTrigger, "must be save, review or continue")
      }
      return known
    }
    microphone = try keys.text(.microphone)
    speed = try keys.speed(.speed)
    rotate = try keys.whole(.rotate).map { degrees in
      guard [0, 90, 180, 270].contains(degrees) else {
        throw keys.wrong(.rotate, "must be 0, 90, 180 or 270")
      }
      return Int(degrees)
    }
    mirror = try keys.flag(.mirror)
    motion = try keys.presence(.motion)
    label = try keys.label(.label)
  }
}

extension StudioSettings {
  mutating func apply(_ change: SettingsChange) {
    preRoll = change.preRoll ?? preRoll
    postRoll = change.postRoll ?? postRoll
    afterTrigger = change.afterTrigger ?? afterTrigger
    microphone = change.microphone ?? microphone
    speed = change.speed ?? speed
    rotate = change.rotate ?? rotate
    mirror = change.mirror ?? mirror
    motion = change.motion ?? motion
    label = change.label ?? label
  }

  /// The longest time before or after a trigger, which is more than any memory holds.
  private static let longest = Duration.seconds(600)

  /// Refuses settings that are out of range.
  func check() throws(StudioError) {
    guard preRoll >= .zero, preRoll <= Self.longest, postRoll > .zero, postRoll <= Self.longest else {
      throw StudioError(
        .badRequest, "Pre-roll must be from 0 to 10 minutes, post-roll above 0 and at most 10 minutes.")
    }
    guard let label else { return }
    do { try LibraryEntry.checkLabel(label) } catch { throw StudioError(.badRequest, "\(error)") }
  }

  /// Refuses settings that yield no frame in `mode`.
  func check(for mode: Mode) throws(StudioError) {
    if let rate = mode.rate?.framesPerSecond, rate > Fraction(0) {
      let interval = Duration.nanoseconds(Int64(clamping: 1e9 / rate.doubleValue))
      guard preRoll + postRoll >= interval else {
        throw StudioError(
          .badRequest,
          "Pre-roll and post-roll together are shorter than the frame interval, "
            + "\(interval.inSeconds.decimal(places: 6)) s, so a take would have no frame. Lengthen them.")
      }
    }
  }

  /// Refuses times that this machine's memory cannot hold.
  ///
  /// - Parameters:
  ///   - mode: the mode to capture.
  ///   - measured: the measured bytes per second; `nil` if unknown.
  ///   - ringBytes: the bytes of the current ring, which would be freed.
  func checkMemory(for mode: Mode, measured: Double?, beside ringBytes: Int) throws(StudioError) {
    guard let bytesPerSecond = measured ?? RingSize.leastBytesPerSecond(of: mode), bytesPerSecond > 0 else {
      return
    }
    let held = span.outcome == .review ? preRoll + postRoll : preRoll
    let most = RingSize.mostBytes(beside: ringBytes)
    let needed = held / .seconds(1) * bytesPerSecond
    guard needed > Double(most) else { return }
    func gigabytes(_ bytes: Double) -> String { "\((bytes / 1e8).rounded() / 10) GB" }
    let what = span.outcome == .review ? "A review's pre-roll and post-roll" : "The pre-roll"
    throw StudioError(
      .refused,
      "\(what) would take \(gigabytes(needed)) of memory in this mode, but only "
        + "\(gigabytes(Double(most))) is available: half of the free memory, and at most 4.3 GB. Choose "
        + "\(Int(clamping: Double(most) / bytesPerSecond)) s or less, or a smaller mode.")
  }
}
