package import Overcrank

/// What a person sets in a studio, apart from the camera.
package struct StudioSettings: Hashable, Sendable, Encodable {
  /// What becomes of a take that was triggered.
  package enum AfterTrigger: String, Sendable, Codable {
    /// It is written, and its clip made.
    case save
    /// It stays in memory until a person says what becomes of it.
    case review
    /// It is written, and clips wait until nothing is filmed.
    case carryOn = "continue"
  }

  /// Motion, and whether it triggers.
  package struct Motion: Hashable, Sendable {
    /// What counts as motion.
    package var settings: MotionSettings
    /// Whether it triggers, or is only shown.
    package var triggers: Bool
  }

  /// How much of the time before a trigger belongs to a take.
  package var preRoll = Duration.seconds(2)
  /// How much of the time after it does.
  package var postRoll = Duration.seconds(1)
  /// What becomes of a take that was triggered.
  package var afterTrigger = AfterTrigger.save
  /// The microphone, by its name; `nil` for pictures alone.
  package var microphone: String?
  /// The text of the clips' speed or curve; `nil` shows every captured frame once.
  package var speed: String?
  /// How clips and stills are turned.
  package var turn = PictureTurn.none
  /// What counts as motion; `nil` where nobody looks.
  package var motion: Motion?
  /// What the takes to come are called; `nil` for nothing.
  package var label: String?
}

extension StudioSettings {
  /// What a trigger that says nothing else means.
  var span: TakeSpan {
    TakeSpan(
      preRoll: preRoll, limit: RecordingLimit(duration: postRoll),
      outcome: afterTrigger == .review ? .review : .take)
  }

  private enum CodingKeys: String, CodingKey {
    case microphone, speed, rotate, mirror, motion, label
    case preRoll = "pre_ns"
    case postRoll = "post_ns"
    case afterTrigger = "after_trigger"
  }

  /// Writes the settings; what is not set is `null`.
  package func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(preRoll.wholeNanoseconds, forKey: .preRoll)
    try keys.encode(postRoll.wholeNanoseconds, forKey: .postRoll)
    try keys.encode(afterTrigger, forKey: .afterTrigger)
    try keys.encode(microphone, forKey: .microphone)
    try keys.encode(speed, forKey: .speed)
    try keys.encode(turn.degrees, forKey: .rotate)
    try keys.encode(turn.isMirrored, forKey: .mirror)
    try keys.encode(motion, forKey: .motion)
    try keys.encode(label, forKey: .label)
  }
}

extension StudioSettings.Motion: Encodable {
  enum CodingKeys: String, CodingKey, CaseIterable { case threshold, area, region, triggers }

  /// Writes the settings as `PUT /api/settings` takes them.
  package func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(settings.threshold, forKey: .threshold)
    try keys.encode(settings.area, forKey: .area)
    try keys.encode(settings.region.map { "\($0)" }, forKey: .region)
    try keys.encode(triggers, forKey: .triggers)
  }
}
