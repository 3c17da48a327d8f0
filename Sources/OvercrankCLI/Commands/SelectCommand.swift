import ArgumentParser
import Overcrank

struct SelectCommand: ParsableCommand, RuledOptions {
  static let configuration = CommandConfiguration(
    commandName: "select", abstract: "Shows which mode a recording would use, and why.",
    discussion: """
      Among the modes that reach at least 0.99 of the requested rate, the widest wins, then the tallest, then the one \
      with the nearest rate, then unbinned before binned, full range before limited, and MJPEG before raw before other \
      compressed formats. --prefer unbinned puts modes that are known to be unbinned before wider ones.

      --verify sets the camera to the mode, reads back what the driver gives, and tries the next mode if that is less. \
      The camera is then restored. "record" does the same.
      """)

  @OptionGroup var mode: ModeOptions

  @OptionGroup var source: TableOptions

  @Flag(help: "Set the camera to the mode, and check whether the driver gives it.")
  var verify = false

  @OptionGroup var output: OutputOptions

  var given: [String] { [String](given: ["--verify": verify, "--from": source.from != nil]) }

  func validate() throws {
    try refuseConflicts()
    try source.validate(cameras: mode.named.cameras)
  }

  func run() throws {
    let profiles = ProfileLibrary(for: output)
    let camera = source.from == nil ? try mode.named.camera(profiles, output) : mode.named.cameras.first
    let table = try source.table(camera: camera, profiles, output)
    let wishes = mode.choices(from: table)
    let choices = ModeChoice.possible(wishes)
    let words = ModeWords(
      table: table,
      head: source.from.map { "overcrank select --from \($0.description.shellWord)" } ?? "overcrank record",
      camera: camera, name: camera ?? source.from?.description ?? table.card ?? "The camera",
      from: source.from)
    var answer = SelectAnswer(choice: choices[0], words: words)
    if verify, choices[0].mode != nil {
      // Without a name, this is the camera that the table came from.
      let device = try CaptureDevice(named: camera, profiles: profiles)
      // The camera is briefly set to the mode: signals wait until its settings are restored.
      Interruption.shared.hold()
      let trial = try device.trial(of: choices)
      try Interruption.shared.release("Interrupted: the mode was not verified.")
      ModeWords.announce(trial, name: words.name, output)
      answer.trial = trial
    }
    answer.quality = answer.mode.flatMap { _ in
      QualityChoice(
        answer.choice, after: wishes, of: mode.wishes.quality ?? [], refused: answer.trial?.refused ?? [])
    }
    if output.json {
      try Console.sayJSON(answer)
      if answer.mode == nil { throw ExitCode(ExitStatus.unavailable) }
      return
    }
    if let trial = answer.trial, trial.mode == nil { throw ModeWords.failure(of: trial, name: words.name) }
    guard answer.mode != nil else { throw words.failure(of: choices[0]) }
    if let words = answer.mode.flatMap({ ModeWords.skipped(for: $0, in: table) }) { output.remark(words) }
    Console.say(answer.lines(asked: mode.fps, isVerbose: output.verbose).joined(separator: "\n"))
  }
}

/// The result of `select`.
struct SelectAnswer: Encodable {
  /// The choice according to the table.
  var choice: ModeChoice
  let words: ModeWords
  /// The result of trying the modes; `nil` if the driver was not asked.
  var trial: ModeTrial? {
    didSet { choice = trial?.choice ?? choice }
  }

  /// The quality that was chosen, and why; `nil` if none was requested.
  var quality: QualityChoice?

  /// The mode to take.
  var mode: Mode? { trial.map(\.mode) ?? choice.mode }

  /// The reason for the choice.
  private var reason: String {
    guard let trial, !trial.refused.isEmpty else { return choice.reason }
    let count = trial.refused.count == 1 ? "1 better mode" : "\(trial.refused.count) modes"
    return "the driver does not deliver \(count): " + trial.refused.map(\.words).joined(separator: "; ")
  }

  /// The modes that rank after the chosen one.
  private var runnersUp: [ModeChoice.RunnerUp] {
    guard let trial else { return choice.runnersUp }
    let taken = trial.adjustedFrom ?? trial.mode
    let all = choice.runnersUp
    guard let place = all.firstIndex(where: { $0.mode == taken }) else { return all }
    return Array(all[(place + 1)...])
  }

  /// Returns lines for people: the chosen mode, the reason, the best of the others.
  func lines(asked: RequestedRate?, isVerbose: Bool) -> [String] {
    guard let mode else { return [] }
    var lines = ["\(mode)", "  \(reason)"]
    if let words = quality?.words { lines.append("  \(words)") }
    if let words = ModeWords.faster(mode, than: asked) { lines.append("  \(words)") }
    if let accepted = trial?.accepted {
      lines.append("  verified: the driver gives \(accepted)")
    }
    let most = isVerbose ? Int.max : 3
    lines += runnersUp.prefix(most).map { "  then \($0.mode): \($0.reason)" }
    if runnersUp.count > most { lines.append("  and \(runnersUp.count - most) more: --verbose lists them") }
    return lines
  }

  private enum CodingKeys: String, CodingKey {
    case mode, quality, reason, nearest, verified, accepted, refused
    case runnersUp = "runners_up"
  }

  /// Encodes the choice, overridden by what the driver accepted.
  func encode(to encoder: any Encoder) throws {
    try choice.encode(to: encoder)
    var keys = encoder.container(keyedBy: CodingKeys.self)
    if choice.mode == nil || mode == nil {
      try keys.encode(
        choice.nearest.map { Nearest(mode: $0, command: words.command(taking: $0, choice.request)) },
        forKey: .nearest)
    }
    try keys.encode(quality, forKey: .quality)
    guard let trial else { return }
    try keys.encode(mode, forKey: .mode)
    try keys.encode(reason, forKey: .reason)
    try keys.encode(mode == nil ? [] : runnersUp, forKey: .runnersUp)
    try keys.encode(mode != nil, forKey: .verified)
    try keys.encode(trial.accepted, forKey: .accepted)
    try keys.encode(trial.refused, forKey: .refused)
  }

  /// A mode that falls short of the request, and the command that selects it.
  private struct Nearest: Encodable {
    var mode: Mode
    var command: String?

    enum CodingKeys: CodingKey { case command }

    func encode(to encoder: any Encoder) throws {
      try mode.encode(to: encoder)
      var keys = encoder.container(keyedBy: CodingKeys.self)
      try keys.encode(command, forKey: .command)
    }
  }
}
