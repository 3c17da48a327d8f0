import ArgumentParser
import FrameJudge
import Foundation
import Testing

@testable import OvercrankCLI

@Suite("The table of options that exclude or need each other")
struct OptionTableTests {
  @Test(
    "refuses each option with, or without, each other option that it names",
    arguments: OptionRule.all.indices)
  func refused(_ place: Int) throws {
    let rule = OptionRule.all[place]
    for option in rule.options where option != "-" {
      for other in rule.others.prefix(rule.relation == .needing ? 1 : .max) {
        let options = rule.relation == .needing ? [option] : [option, other]
        let command = try #require(
          TriedCommand.all.first { rule.isAbout($0.name) && $0.hasAll([option, other]) },
          "\(option), \(other)")
        let words = try #require(rule.refusal(of: Array(command.terms(options))))
        for name in [option, other].flatMap({ $0.split(separator: " ") }) where name.hasPrefix("-") {
          #expect(words.contains(name), "\(words)")
        }
        #expect(words.contains(/give|drop|leave|add|name|needs/) && !words.contains("{"), "\(words)")
        let line = command.completed(options, but: rule)
        let error = #expect(throws: (any Error).self, "\(line)") {
          try command.type.parse(command.line(line))
        }
        let answer = try #require(rule.refusal(of: Array(command.terms(line))))
        #expect(error.map { "\($0)".contains(answer) } == true, "\(line): \(String(describing: error))")
      }
    }
  }

  @Test(
    "allows every two options that it does not name", arguments: TriedCommand.all.filter(\.isTriedWhole))
  func passed(_ command: TriedCommand) throws {
    let options = command.options
    #expect(!options.isEmpty)
    func areAllowed(_ options: [String]) -> Bool { command.refusal(of: options) == nil }
    var seen: Set<Set<String>> = []
    for (place, option) in options.enumerated() {
      for other in options[..<place] where !seen.contains([option, other]) {
        let pair = command.completed([other, option])
        guard areAllowed(pair) else { continue }
        // With as many more as possible, so that a few command lines cover all pairs.
        let line = options.reduce(pair) { line, more in
          let longer = command.completed(line + [more])
          return line.contains(more) || !areAllowed(longer) ? line : longer
        }
        for one in line { for two in line { seen.insert([one, two]) } }
        let parsed = try command.type.parse(command.line(line))
        guard let ruled = parsed as? any RuledOptions else { continue }
        #expect(
          Set(ruled.given).intersection(command.known) == command.terms(line).intersection(command.known))
      }
    }
  }

  @Test("refuses standard input for changes in place, with 64")
  func standardInput() {
    let line = ["retime", "-", "--copy", "--speed", "1/8", "--in-place"]
    let error = #expect(throws: (any Error).self) { try Overcrank.command(line) }
    let failure = error.map { Overcrank.failure(for: $0, of: line) }
    #expect(failure?.message.contains("name a file") == true)
    #expect(failure?.exitCode == 64)
  }

  @Test("lists what an option on the command line overrides in a setup")
  func rivals() {
    #expect(OptionRule.rivals(of: ["--post"], in: "record") == ["--duration", "--frames"])
    #expect(OptionRule.rivals(of: ["--frames"], in: "record") == ["--duration", "--post"])
    #expect(OptionRule.rivals(of: ["--fps"], in: "record").isEmpty)
  }
}

/// A command that is tested with its options. It holds values, and a metatype, which has no state.
struct TriedCommand: CustomTestStringConvertible, @unchecked Sendable {
  let type: any ParsableCommand.Type
  /// The arguments that the command needs.
  private let subject: [String]
  /// The value of -o.
  private let file: String
  /// Whether each of its options has a value.
  let isTriedWhole: Bool
  let name: String
  /// The table's rows for it.
  private let rules: [OptionRule]
  /// The options that these rows name.
  let known: Set<String>
  /// The names of these that stand for several options, and those options.
  private let together: [(term: String, words: Set<String>)]
  /// The names of its options.
  private let names: [String]

  private init(
    _ type: any ParsableCommand.Type, _ subject: [String], file: String = "", isTriedWhole: Bool = false
  ) {
    (self.type, self.subject, self.file, self.isTriedWhole) = (type, subject, file, isTriedWhole)
    let name = type.configuration.commandName ?? ""
    self.name = name
    rules = OptionRule.all.filter { $0.isAbout(name) }
    known = Set(rules.flatMap { $0.options + $0.others })
    together = known.map { ($0, Set($0.split(separator: " ").map(String.init))) }
      .filter { $0.words.count > 1 && $0.words.allSatisfy { $0.hasPrefix("--") } }
    names = Self.names(of: type)
  }

  static let all = [
    TriedCommand(RetimeCommand.self, ["x.mp4"], file: "y.mp4", isTriedWhole: true),
    TriedCommand(RecordCommand.self, ["sim:"], file: "y.mp4", isTriedWhole: true),
    TriedCommand(SnapCommand.self, ["sim:"], file: "y.jpg", isTriedWhole: true),
    TriedCommand(BenchCommand.self, ["sim:"], isTriedWhole: true),
    TriedCommand(MotionCommand.self, ["sim:"], isTriedWhole: true),
    TriedCommand(TakesStillCommand.self, ["take"]),
    TriedCommand(TakesRemoveCommand.self, ["take"]),
    TriedCommand(SimulateCommand.self, ["sim:", "--to", "/dev/video9"]),
    TriedCommand(TriggerCommand.self, []),
    TriedCommand(SelectCommand.self, []),
  ]

  /// A value for each option that takes one, which excludes no more than the option's name does.
  private static let values = [
    "--with": "sim:", "--fps": "30", "--speed": "1/8", "--clip-fps": "30", "--in": "1s", "--out": "2s",
    "--fill": "hold",
    "--crop": "9:16", "--zoom": "2", "--zoom-at": "0.5,0.5", "--follow": "0,0@0s", "--scale": "1/2",
    "--develop": "auto", "--white-balance": "auto", "--black": "64", "--text": "words",
    "--codec": "h264",
    "--preset": "fast", "--crf": "20", "--under": "10MB", "--for": "web", "--loops": "2",
    "--audio": "drop", "--rotate": "90", "--capture-rate": "240", "--layout": "side",
    "--deinterlace": "auto", "--max-width": "1280", "--quality": "high", "--format": "mjpeg",
    "--prefer": "unbinned", "--duration": "1s", "--frames": "5", "--max-size": "4GB", "--label": "name",
    "--export": "copies", "--mic": "default", "--trigger": "key", "--pulse": "gpio=gpiochip0:17",
    "--pre": "1s", "--post": "1s", "--takes": "2",
    "--ring": "64MiB", "--timeout": "5s", "--exposure": "auto", "--gain": "auto", "--set": "gain=40",
    "--ramp": "zoom=0s:100", "--cpu": "0", "--events": "events.json", "--skip": "2", "--as": "jpeg",
    "--jpeg-quality": "90", "--burst": "3", "--shots": "2", "--plot": "plot.svg", "--threshold": "25",
    "--area": "2%", "--region": "640x360+0+0", "--mask": "mask.png", "--at": "1s", "--frame": "3",
    "--from": "table.json", "--folder": ".", "--tone": "keep", "--mode": "1280x720@240",
  ]

  var testDescription: String { name }

  /// Its options as the table has them: each by its name, and with each value that matters.
  var options: [String] {
    names
      + known.filter { term in term.contains(" ") && names.contains { term.hasPrefix("\($0) ") } }.sorted()
  }

  /// Whether it has these options.
  func hasAll(_ options: [String]) -> Bool {
    options.allSatisfy { option in names.contains { option == $0 || option.hasPrefix("\($0) ") } }
  }

  private static func names(of type: any ParsableCommand.Type) -> [String] {
    struct Dump: Decodable {
      struct Argument: Decodable { var names: [[String: String]]? }
      struct Command: Decodable { var arguments: [Argument]? }
      var command: Command
    }
    let dump = try? JSONDecoder().decode(Dump.self, from: Data(type._dumpHelp().utf8))
    return (dump?.command.arguments ?? []).compactMap { argument in
      argument.names?.first { $0["kind"] == "long" }?["name"]
    }.filter { !["help", "help-all", "version", "setup"].contains($0) }
      .map { $0 == "output" ? "-o" : "--\($0)" }
  }

  /// The arguments of a command line with `options`.
  func line(_ options: [String]) -> [String] {
    subject
      + options.flatMap { option in
        let words = option.split(separator: " ").map(String.init)
        guard words.count == 1 || words[1].hasPrefix("--") else { return words }
        return words.flatMap { word in
          [word] + [word == "-o" ? file : Self.values[word]].compactMap(\.self)
        }
      }
  }

  /// `options` with those that they need, by all rows but one.
  func completed(_ options: [String], but exception: OptionRule? = nil) -> [String] {
    var options = options
    var terms = Array(terms(options))
    for rule in rules + rules where rule.relation == .needing && rule.message != exception?.message {
      guard rule.refusal(of: terms) != nil else { continue }
      options.append(rule.others[0])
      terms = Array(self.terms(options))
    }
    return options
  }

  /// `options` as rows look them up: by their names, with their values, and together.
  func terms(_ options: [String]) -> Set<String> {
    let words = options.flatMap { $0.split(separator: " ").map(String.init) }
    let names = Set(words.filter { $0.hasPrefix("-") && $0 != "-" })
    return names.union(options).union(together.filter { $0.words.isSubset(of: names) }.map(\.term))
  }

  /// The table's refusal of `options`, if any; a repeated option is refused.
  func refusal(of options: [String]) -> String? {
    let names = options.flatMap { $0.split(separator: " ") }.filter { $0.hasPrefix("--") || $0 == "-o" }
    guard Set(names).count == names.count else { return "twice" }
    let terms = Array(terms(options))
    return rules.lazy.compactMap { $0.refusal(of: terms) }.first
  }
}
