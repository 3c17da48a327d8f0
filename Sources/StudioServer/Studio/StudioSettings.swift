package import Overcrank

/// The user's settings in a studio, apart from the camera.
package struct StudioSettings: Hashable, Sendable, Encodable {
  /// The treatment of a triggered take.
  package enum AfterTrigger: String, Sendable, Codable {
    /// Saving of the take and its clip.
    case save
    /// Review of the take in memory, until the user decides about it.
    case review
    /// Saving of the take, with clips delayed while another take is recorded.
    case carryOn = "continue"
  }

  /// Motion detection, and whether it triggers.
  package struct Motion: Hashable, Sendable {
    /// The settings of motion detection.
    package var settings: MotionSettings
    /// Whether motion triggers; otherwise it is only shown.
    package var triggers: Bool
  }

  /// The time before a trigger that belongs to a take.
  @Nanoseconds package var preRoll = Duration.seconds(2)
  /// The time after a trigger that belongs to a take.
  @Nanoseconds package var postRoll = Duration.seconds(1)
  /// The treatment of a triggered take.
  package var afterTrigger = AfterTrigger.save
  /// The microphone's name; `nil` to record no audio.
  @Nullable package var microphone: String? = nil
  /// The clips' speed or curve, as text; `nil` shows every captured frame once.
  @Nullable package var speed: String? = nil
  /// The clockwise rotation of clips and stills: 0, 90, 180 or 270.
  package var rotate = 0
  /// Whether clips and stills are then mirrored.
  package var mirror = false
  /// Motion detection; `nil` if it is off.
  @Nullable package var motion: Motion? = nil
  /// The label of future takes; `nil` for none.
  @Nullable package var label: String? = nil
}

extension StudioSettings {
  /// The rotation and mirroring of clips and stills.
  var turn: PictureTurn { PictureTurn(degrees: rotate, isMirrored: mirror) ?? .none }

  /// The span of a trigger that has none of its own.
  var span: TakeSpan {
    TakeSpan(
      preRoll: preRoll, limit: RecordingLimit(duration: postRoll),
      outcome: afterTrigger == .review ? .review : .take)
  }

  /// The keys of the settings, and of a change to them.
  enum CodingKeys: String, CodingKey, CaseIterable {
    case microphone, speed, rotate, mirror, motion, label
    case preRoll = "pre_ns"
    case postRoll = "post_ns"
    case afterTrigger = "after_trigger"
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
