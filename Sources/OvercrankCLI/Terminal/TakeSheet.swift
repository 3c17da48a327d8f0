import Overcrank

/// The content of a take, for people.
struct TakeSheet {
  private let entry: LibraryEntry
  private let take: Take
  private let group: StoredGroup?

  init(_ entry: LibraryEntry, _ take: Take) {
    self.entry = entry
    group = entry.group
    self.take = take
  }

  /// The text with one line per fact.
  var text: String {
    var rows: [(String, String?)] = [
      ("label", take.label), ("group", group.map(words)),
      ("recorded", "\(take.startedAt) with Overcrank \(take.overcrank)"),
      ("camera", [take.camera.name, take.camera.card, take.camera.driver].compactMap(\.self).unique()),
      ("mode", "\(take.mode)"), ("rate", rates), ("frames", take.counts), ("length", length),
      ("clock", take.clock.rawValue), ("trigger", trigger), ("controls", controls), ("moved", movements),
      ("turned", turned), ("audio", take.audio?.words), ("failure", take.failure),
    ]
    if take.isRecovered { rows.append(("recovered", "yes: the recording was cut off")) }
    if let estimated = take.estimated, !estimated.isEmpty {
      let count = estimated.reduce(0) { $0 + $1.count }
      rows.append(
        ("estimated", "the numbers and times of \(count) frames that the journal does not list"))
    }
    for loss in take.losses.prefix(Self.mostLosses) {
      let last = loss.sequence.adding(clamping: loss.count.subtracting(clamping: 1))
      let numbers = loss.count == 1 ? "number \(loss.sequence)" : "numbers \(loss.sequence) to \(last)"
      rows.append(("lost", "\(loss.count) \(loss.stage.place): the camera's \(numbers)"))
    }
    if take.losses.count > Self.mostLosses {
      rows.append(("", "and \(take.losses.count - Self.mostLosses) more runs, which --json prints"))
    }
    if let master = entry.master { rows.append(("master", Self.file(master, take.masterSpeed))) }
    let clips = Set(entry.clips)
    for clip in take.clips {
      guard let path = entry.path.file(named: clip.file), clips.contains(path) else { continue }
      rows.append(("clip", Self.file(path, clip.speed) + ", \(FrameRate.text(clip.framesPerSecond)) fps"))
    }
    for problem in entry.problemsWithGroups { rows.append(("problem", problem)) }
    return (["\(entry.path)"] + rows.compactMap { name, words in words.map { Self.row(name, $0.printable) } })
      .joined(separator: "\n")
  }

  private static let mostLosses = 10

  /// Returns the camera of the take in `stored`, and the other takes there.
  private func words(of stored: StoredGroup) -> String {
    let camera = stored.camera(ofTake: entry.path)
    let others = stored.group.cameras.filter { $0 != camera }.map(\.take)
    let words = "camera \(camera?.name ?? "") of \(stored.path.name)"
    return others.isEmpty ? words : words + ", with \(others.joined(separator: ", "))"
  }

  /// Returns a line of a sheet.
  static func row(_ name: String, _ words: String) -> String {
    "  " + name + String(repeating: " ", count: max(1, 11 - name.count)) + words
  }

  /// Returns the name of a video, its size and its speed.
  static func file(_ path: FilePath, _ speed: String?) -> String {
    [path.name, path.sizeWords, speed.map { "plays at \($0)" }].compactMap(\.self).joined(separator: ", ")
  }

  /// The claimed, the accepted and the measured rate.
  private var rates: String {
    let claimed = take.mode.rate.map { "\($0) fps claimed" }
    let accepted = take.acceptedInterval?.rate.map { "\($0) accepted" }
    let measured = take.measuredFramesPerSecond.map { "\(FrameRate.text($0)) measured" }
    return [claimed, accepted, measured].compactMap(\.self).joined(separator: ", ")
  }

  private var trigger: String? {
    guard let trigger = take.trigger else { return nil }
    // Without triggers, the program starts all cameras of a group at once.
    if group != nil, trigger.isStartOfGroup { return "none: the command began the recording" }
    guard trigger.kind != "none" else {
      return take.modeChange == nil
        ? "none: the command began the recording, or the saved part does not include the moment of the trigger"
        : "none: it continues the previous take, in another mode"
    }
    let words = [
      trigger.kind == "program" ? "a program, such as the studio" : trigger.kind,
      trigger.text.map { "\"\($0)\"" },
      frame(of: trigger),
      trigger.preRollWords,
      trigger.extensions.isEmpty ? nil : "\(trigger.extensions.count) more",
    ]
    return words.compactMap(\.self).joined(separator: ", ")
  }

  /// Returns the frame that the trigger fell into, by its number in the master and its time; `nil` if it is unknown.
  private func frame(of trigger: Take.Trigger) -> String? {
    guard let number = trigger.sequence, let first = take.timestamps.first else { return nil }
    // Masters count from 0, cameras from anywhere, and in 32 bits.
    for (index, (sequence, time)) in zip(take.sequences, take.timestamps).enumerated()
    where UInt32(truncatingIfNeeded: sequence) == number {
      return "in frame \(index), at \((time - first).inSeconds.decimal(places: 3)) s"
    }
    return trigger.frameTime.map { $0 < first } == true ? "before the first frame" : nil
  }

  private var controls: String? {
    let set = take.controls.sorted { $0.key < $1.key }.compactMap { name, control in
      control.to.map { "\(name) \($0)" }
    }
    return set.isEmpty ? nil : "set for the take: " + set.joined(separator: ", ")
  }

  /// The rotation and mirroring of its clips.
  private var turned: String? {
    guard let turn = take.turn, turn != .none else { return nil }
    let words = [
      turn.degrees == 0 ? nil : "\(turn.degrees) degrees clockwise", turn.isMirrored ? "mirrored" : nil,
    ]
    return "in clips: " + words.compactMap(\.self).joined(separator: ", ")
  }

  /// The seconds from the first frame to the last, as text.
  private var length: String? {
    guard let first = take.timestamps.first, let last = take.timestamps.last else { return nil }
    return "\((last - first).inSeconds.decimal(places: 3)) s from the first frame to the last"
  }

  /// The controls that moved during the take, each with its first and last value.
  private var movements: String? {
    guard let changes = take.controlChanges, !changes.isEmpty else { return nil }
    let names = Set(changes.map(\.name)).sorted()
    return names.map { name in
      let steps = changes.filter { $0.name == name }
      let end = steps.last.map { "\($0.value)" } ?? ""
      return steps.count == 1
        ? "\(name) to \(end)" : "\(name) from \(steps[0].value) to \(end) in \(steps.count) steps"
    }.joined(separator: ", ")
  }
}

extension Take.Trigger {
  /// Whether it is the start of a recording without triggers, if its take is one of a group.
  var isStartOfGroup: Bool { kind == "program" && requestedPreRoll ?? .zero == .zero && postRoll == nil }
}

extension LossStage {
  /// The stage at which frames were lost, to continue a sentence.
  fileprivate var place: String {
    switch self {
    case .driver: "by the driver"
    case .corrupt: "because they arrived damaged"
    case .ring: "in the ring"
    case .disk: "by the disk"
    }
  }
}

extension [String] {
  /// Returns the texts joined by commas, each once.
  fileprivate func unique() -> String {
    var seen: [String] = []
    for text in self where !seen.contains(text) { seen.append(text) }
    return seen.joined(separator: ", ")
  }
}

extension LibraryEntry {
  /// The problems with the take, and those of group files that may name it.
  fileprivate var problemsWithGroups: [String] {
    problems.map(\.description) + StoredGroup.damaged(around: path.folder).flatMap(\.remarks)
  }
}

/// A stored take in the form that `--json` prints: the content of its file, with full paths.
struct StoredTakeReport: Encodable {
  private var take: Take
  private let entry: LibraryEntry
  private let hasFrames: Bool

  init(_ entry: LibraryEntry, _ take: Take, hasFrames: Bool) {
    var take = take
    take.master = take.master.map { (entry.path.file(named: $0)?.absolutePath) ?? $0 }
    for index in take.clips.indices {
      let name = take.clips[index].file
      take.clips[index].file = entry.path.file(named: name)?.absolutePath ?? name
    }
    self.take = take
    self.entry = entry
    self.hasFrames = hasFrames
  }

  private enum CodingKeys: String, CodingKey {
    case take, problems, group
    case masterBytes = "master_bytes"
    case groupCamera = "group_camera"
  }

  func encode(to encoder: any Encoder) throws {
    try take.encode(to: encoder, withFrames: hasFrames)
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(entry.path.absolutePath, forKey: .take)
    try keys.encode(entry.master?.fileSize, forKey: .masterBytes)
    try keys.encode(entry.problemsWithGroups, forKey: .problems)
    let group = entry.group
    try keys.encode(group?.path.absolutePath, forKey: .group)
    try keys.encode(group?.camera(ofTake: entry.path)?.name, forKey: .groupCamera)
  }
}
