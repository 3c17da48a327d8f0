package import Overcrank

extension StudioSettings {
  /// The keys of a setup that are settings of a studio. Where `record` has such an option, it has the same name.
  private enum Key: String {
    case pre, post, mic, speed, rotate, mirror, label, trigger
    case afterTrigger = "after-trigger"
    /// Motion that is shown, but does not trigger.
    case motion
  }

  /// Creates the settings that `setup` holds; keys that mean nothing to a studio are ignored.
  ///
  /// - Throws: an error for an invalid value.
  package init(_ setup: Setup) throws {
    self.init()
    for entry in setup.entries {
      guard let key = Key(rawValue: entry.key), let text = entry.values.first else { continue }
      switch key {
      case .pre: preRoll = try Duration(text: text)
      case .post: postRoll = try Duration(text: text)
      case .mic: microphone = text == "none" ? nil : text
      case .speed:
        _ = try SpeedCurve(text: text)
        speed = text
      case .rotate: rotate = try PictureTurn(text: text).degrees
      case .mirror: mirror = ["true", "yes", "on"].contains(text.lowercased())
      case .label: label = text
      case .afterTrigger: afterTrigger = AfterTrigger(rawValue: text) ?? afterTrigger
      case .motion: motion = Motion(settings: try MotionSettings(text: text), triggers: false)
      case .trigger:
        guard let trigger = entry.values.first(where: { $0 == "motion" || $0.hasPrefix("motion=") }) else {
          continue
        }
        let settings = trigger.dropFirst("motion=".count)
        motion = Motion(
          settings: settings.isEmpty ? MotionSettings() : try MotionSettings(text: String(settings)),
          triggers: true)
      }
    }
    try check()
  }

  /// The entries that ``init(_:)`` reads.
  var entries: [Setup.Entry] {
    var entries = recordEntries()
    entries.append(Setup.Entry(key: Key.afterTrigger.rawValue, values: [afterTrigger.rawValue]))
    if let motion, !motion.triggers {
      entries.append(Setup.Entry(key: Key.motion.rawValue, values: ["\(motion.settings)"]))
    }
    return entries
  }

  /// The entries that `record` understands too; its pre-roll needs a trigger.
  func recordEntries(triggers: [String] = []) -> [Setup.Entry] {
    var entries: [Setup.Entry] = []
    func add(_ key: Key, _ value: String?) {
      if let value { entries.append(Setup.Entry(key: key.rawValue, values: [value])) }
    }
    add(.pre, "\(preRoll.inSeconds.decimal(places: 9))s")
    add(.post, "\(postRoll.inSeconds.decimal(places: 9))s")
    add(.mic, microphone ?? "none")
    add(.speed, speed)
    add(.rotate, rotate == 0 ? nil : "\(rotate)")
    add(.mirror, mirror ? "true" : nil)
    add(.label, label)
    let motions = motion.flatMap { $0.triggers ? "motion=\($0.settings)" : nil }
    let all = triggers + [motions].compactMap(\.self)
    if !all.isEmpty { entries.append(Setup.Entry(key: Key.trigger.rawValue, values: all)) }
    return entries
  }
}
