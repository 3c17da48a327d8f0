import ArgumentParser
import Overcrank

/// Suggestions for a command line that cannot be parsed.
enum UsageAdvice {
  /// Checks that the first words are a command.
  ///
  /// - Throws: ``Failure`` with the most similar commands if a word is not a command; a request for help if a
  ///   command family is followed by `help`.
  static func checkCommand(_ arguments: [String]) throws {
    let arguments = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    guard let word = arguments.first else { return }
    try check(word, against: Overcrank.configuration.subcommands, within: "overcrank")
    for parent in [ProfilesCommand.self, SetupsCommand.self, TakesCommand.self] as [any ParsableCommand.Type]
    {
      let configuration = parent.configuration
      guard word == configuration.commandName, let next = arguments.dropFirst().first else { continue }
      if next == "help" { throw CleanExit.helpRequest(parent) }
      try check(next, against: configuration.subcommands, within: "overcrank \(word)")
    }
  }

  private static func check(
    _ word: String, against commands: [any ParsableCommand.Type], within parent: String
  ) throws(Failure) {
    let names = commands.compactMap { $0.configuration.commandName }
    guard !word.hasPrefix("-"), word != "help", !names.contains(word) else { return }
    throw Failure(
      "There is no command \"\(word.shortened)\".\(advice(on: word, names, within: parent)) See \"\(parent) --help\".",
      exitCode: ExitStatus.usage)
  }

  /// Returns a sentence, after a space, that suggests one of the commands `names`; empty if none is similar.
  private static func advice(on word: String, _ names: [String], within parent: String) -> String {
    let begun = names.filter { !word.isEmpty && $0.hasPrefix(word) }
    guard begun.isEmpty else { return question(begun) }
    let word = word.lowercased()
    if let way = otherWays[word] { return " \(way)" }
    // Below a command, only its own subcommands count: "takes rm" is "takes remove".
    let family = parent.split(separator: " ").dropFirst().joined(separator: " ")
    let usual = (usualCommands[word] ?? []).compactMap { command in
      family.isEmpty
        ? command : command.hasPrefix("\(family) ") ? String(command.dropFirst(family.count + 1)) : nil
    }
    return question(usual.isEmpty ? names.near(word) : usual)
  }

  private static func question(_ meant: [String]) -> String {
    meant.isEmpty ? "" : " Did you mean \(meant.prefix(3).joined(separator: " or "))?"
  }

  /// Other programs' names for our commands, each with its family.
  private static let usualCommands: [String: [String]] = [
    "film": ["record"], "capture": ["record"], "camera": ["devices"], "render": ["retime"],
    "convert": ["retime"], "slow": ["retime"],
    "slowmo": ["retime"], "transcode": ["retime"], "edit": ["takes edit"], "cut": ["retime"],
    "trim": ["retime"],
    "list": ["devices", "takes list"], "ls": ["devices", "takes list"], "cameras": ["devices"],
    "modes": ["formats"], "repair": ["recover"], "fix": ["recover"], "photo": ["snap"], "picture": ["snap"],
    "still": ["snap", "takes still"], "benchmark": ["bench"], "measure": ["bench"], "check": ["doctor"],
    "set": ["controls"], "profile": ["profiles"], "library": ["takes"], "info": ["show", "takes show"],
    "rm": ["takes remove", "setups remove"], "delete": ["takes remove", "setups remove"],
    "copy": ["takes export"], "cp": ["takes export"], "move": ["takes export"], "export": ["takes export"],
    "remove": ["takes remove", "setups remove"], "open": ["takes open"], "play": ["takes open"],
    "view": ["takes open"], "label": ["takes label"], "rename": ["takes label"], "name": ["takes label"],
    "verify": ["takes verify"], "serve": ["studio"], "web": ["studio"], "preview": ["studio"],
  ]

  /// Alternatives to features that are not commands or options here, by their common names; an option's name
  /// lacks its hyphens.
  private static let otherWays: [String: String] = {
    let gif = "A name that ends in .gif makes a GIF: overcrank retime FILE -o clip.gif"
    let loop =
      "\(OrderOptions.list) change the order of frames; --loops is how often a GIF, WebP or APNG plays."
    let mic =
      "Audio is recorded with the picture, as with \"overcrank record --mic default\"; \"overcrank retime --audio\" sets "
      + "what a clip keeps of it."
    return [
      "gif": gif, "loop": loop, "repeat": loop, "mic": mic, "microphone": mic,
      "version": "\"overcrank --version\" prints it.",
    ]
  }()

  /// Returns the error in `arguments` of `record`, from the parser's `error` or with a likelier cause.
  static func words(_ error: any Error, ofRecording arguments: [String]) -> String {
    let words = "Error: " + RecordCommand.message(for: error)
    let name = RecordCommand.configuration.commandName.map { [$0] } ?? []
    return String((message(words, arguments: name + arguments) ?? words).dropFirst("Error: ".count))
  }

  /// Returns the parser's `message` with a likelier cause: an unknown option, or a decimal comma; `nil` if
  /// there is none.
  static func message(_ message: String, arguments: [String]) -> String? {
    guard let error = message.firstMatch(of: /Error: [^\n]*(\nHelp: [^\n]*)?/) else { return nil }
    guard let reason = unknownOption(message, arguments) ?? decimalComma(message) else { return nil }
    return message.replacingCharacters(of: error.range, with: "Error: \(reason)")
  }

  /// Returns a message about an unknown option: the one that the parser found, or one whose value it took for
  /// a file.
  private static func unknownOption(_ message: String, _ arguments: [String]) -> String? {
    let known = options(of: arguments)
    let found = message.firstMatch(of: /Error: Unknown option '(-[^']*)'/).map { String($0.output.1) }
    let given = arguments.prefix { $0 != "--" }.lazy
      .compactMap { $0.prefixMatch(of: /--[A-Za-z][A-Za-z-]*/).map { String($0.output) } }
    guard let option = found ?? given.first(where: { !known.contains($0) }) else { return nil }
    if let way = otherWays[String(option.lowercased().drop { $0 == "-" })] {
      return "There is no option \(option.shortened). \(way)"
    }
    let usual = (usualOptions[option.lowercased()] ?? []).filter { known.contains($0.option) }
    var meant = usual.map { usual.count > 1 ? "\($0.option) (\($0.what))" : $0.option }
    if meant.isEmpty { meant = known.filter { $0 != option }.near(option).prefix(2).map(\.self) }
    return "There is no option \(option.shortened).\(question(meant))"
  }

  /// Returns a message on how to write a number that was given with a comma, unless a list of numbers was
  /// expected.
  private static func decimalComma(_ message: String) -> String? {
    guard
      let match = message.firstMatch(of: /The value '(-?[0-9]+),([0-9]+[^',]*)' is invalid for '([^']*)'/),
      message.replacing("\(match.output.1),\(match.output.2)", with: "").firstMatch(of: /[0-9],[0-9]/) == nil
    else { return nil }
    let (whole, rest) = (match.output.1, match.output.2)
    return "\(match.output.3): \"\(whole),\(rest)\" has a decimal comma; write \(whole).\(rest) instead."
  }

  /// Returns the long options of the command with which `arguments` begin.
  private static func options(of arguments: [String]) -> [String] {
    var command: any ParsableCommand.Type = Overcrank.self
    for word in arguments {
      guard
        let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word })
      else { break }
      command = next
    }
    // If no subcommand is named, the options are those of the default one.
    let commands = [command, command.configuration.defaultSubcommand].compactMap(\.self)
    let help = commands.map { Overcrank.helpMessage(for: $0, includeHidden: true, columns: 200) }.joined()
    let names = help.matches(of: /(?:^|[ ,\/])(--[a-z][a-z-]*)/).map { String($0.output.1) } + ["--version"]
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// One of our options, and its purpose.
  private typealias Meant = (option: String, what: String)

  /// Names of options in other programs.
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
  /// The beginning of the text if it is far longer than a word.
  fileprivate var shortened: String { count > 100 ? prefix(100) + "..." : self }

  fileprivate func replacingCharacters(of range: Range<String.Index>, with text: String) -> String {
    var changed = self
    changed.replaceSubrange(range, with: text)
    return changed
  }
}
