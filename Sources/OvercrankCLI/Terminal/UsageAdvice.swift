import ArgumentParser
import Cameras

/// What a command line that cannot be read was probably meant to be.
enum UsageAdvice {
  /// - Throws: ``Failure`` if the first word is no command, with those that are most alike.
  static func checkCommand(_ arguments: [String]) throws(Failure) {
    let arguments = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    guard let word = arguments.first else { return }
    try check(word, against: Overcrank.configuration.subcommands, within: "overcrank")
    for parent in [
      ProfilesCommand.configuration, SetupsCommand.configuration, TakesCommand.configuration,
    ] {
      guard word == parent.commandName, let next = arguments.dropFirst().first else { continue }
      try check(next, against: parent.subcommands, within: "overcrank \(word)")
    }
  }

  private static func check(
    _ word: String, against commands: [any ParsableCommand.Type], within parent: String
  ) throws(Failure) {
    let names = commands.compactMap { $0.configuration.commandName }
    guard !word.hasPrefix("-"), word != "help", !names.contains(word) else { return }
    let begun = names.filter { !word.isEmpty && $0.hasPrefix(word) }
    var meant = begun.isEmpty ? [usualCommands[word.lowercased()]].compactMap(\.self) : begun
    if meant.isEmpty { meant = names.near(word) }
    let question = meant.isEmpty ? "" : " Did you mean \(meant.prefix(3).joined(separator: " or "))?"
    throw Failure(
      "There is no command \"\(word.shortened)\".\(question) See \"\(parent) --help\".",
      exitCode: ExitStatus.usage)
  }

  /// What people call things elsewhere.
  private static let usualCommands = [
    "film": "record", "capture": "record", "convert": "retime", "slow": "retime", "slowmo": "retime",
    "transcode": "retime", "list": "devices", "ls": "devices", "cameras": "devices", "modes": "formats",
    "repair": "recover", "fix": "recover", "photo": "snap", "picture": "snap", "still": "snap",
    "benchmark": "bench", "measure": "bench", "check": "doctor", "set": "controls", "profile": "profiles",
    "library": "takes", "info": "show", "rm": "remove", "delete": "remove", "copy": "export",
  ]

  /// The parser's `message` with what an unknown option was probably meant to be; `nil` where it is about something else.
  static func message(_ message: String, arguments: [String]) -> String? {
    guard let match = message.firstMatch(of: /Error: Unknown option '(-[^']*)'[^\n]*/) else { return nil }
    let option = String(match.output.1)
    // Another command below the same one may have it.
    let known = options(of: arguments.first).filter { $0 != option }
    let usual = (usualOptions[option.lowercased()] ?? []).filter { known.contains($0.option) }
    var meant = usual.map { usual.count > 1 ? "\($0.option) (\($0.what))" : $0.option }
    if meant.isEmpty { meant = known.near(option).prefix(2).map(\.self) }
    let question = meant.isEmpty ? "" : " Did you mean \(meant.joined(separator: " or "))?"
    return message.replacingCharacters(
      of: match.range, with: "Error: There is no option \(option.shortened).\(question)")
  }

  /// The long options of a command.
  private static func options(of command: String?) -> [String] {
    let type = Overcrank.configuration.subcommands.first { $0.configuration.commandName == command }
    let help = type.map { Overcrank.helpMessage(for: $0, columns: 200) } ?? Overcrank.helpMessage()
    var names: [String] = []
    for match in help.matches(of: /(?:^|[ ,\/])(--[a-z][a-z-]*)/)
    where !names.contains(String(match.output.1)) {
      names.append(String(match.output.1))
    }
    return names
  }

  /// An option of ours, and what it is about.
  private typealias Meant = (option: String, what: String)

  /// What options are called elsewhere.
  private static let usualOptions: [String: [Meant]] = {
    let size: [Meant] = [
      ("--scale", "the clip"), ("--max-width", "the camera's frames"), ("--crop", "a part of the picture"),
    ]
    let rate: [Meant] = [("--fps", "the camera"), ("--clip-fps", "the clip")]
    return [
      "--size": size, "--resolution": size, "--width": size, "--height": size, "--dimensions": size,
      "--rate": rate, "--framerate": rate, "--frame-rate": rate, "--frames-per-second": rate,
      "--time": [("--duration", "")], "--seconds": [("--duration", "")], "--length": [("--duration", "")],
      "--quality": [("--crf", "")], "--bitrate": [("--crf", "")], "--slow": [("--speed", "")],
      "--slowmo": [("--speed", "")], "--factor": [("--speed", "")], "--start": [("--in", "")],
      "--begin": [("--in", "")], "--ss": [("--in", "")], "--end": [("--out", "")], "--stop": [("--out", "")],
      "--encoder": [("--codec", "")], "--vcodec": [("--codec", "")], "--pixel-format": [("--format", "")],
      "--shutter": [("--exposure", "")], "--iso": [("--gain", "")], "--overwrite": [("--force", "")],
      "--yes": [("--force", "")], "-y": [("--force", "")], "-f": [("--force", "")],
      "--preroll": [("--pre", "")], "--pre-roll": [("--pre", "")], "--postroll": [("--post", "")],
      "--post-roll": [("--post", "")], "--count": [("--frames", "")], "-n": [("--frames", "")],
      "--file": [("--output", "")], "--mute": [("--audio", "")], "--no-audio": [("--audio", "")],
      "--buffer": [("--ring", "")],
    ]
  }()
}

extension String {
  /// The beginning of the text, where it is far longer than a word.
  fileprivate var shortened: String { count > 100 ? prefix(100) + "..." : self }

  fileprivate func replacingCharacters(of range: Range<String.Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
