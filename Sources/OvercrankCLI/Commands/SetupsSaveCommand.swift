import ArgumentParser
import Overcrank

struct SetupsSaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Saves options of \"overcrank record\" as a setup.",
    discussion: """
      Everything after NAME is saved: overcrank setups save drop back --fps 240 --pre 2s --post 1s --trigger enter
      """)

  @Flag(help: "Replace a setup of this name.")
  var replace = false

  @OptionGroup var output: OutputOptions

  @Argument(help: "The setup's name.", completion: .setup)
  var name: String

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The camera and the options of \"overcrank record\".", valueName: "options"))
  var options: [String] = []

  func run() throws {
    // `record` knows --json too, but a setup that prints JSON would surprise its user.
    let replace = replace || options.contains("--replace")
    let isJSON = output.json || options.contains("--json")
    let options = options.filter { !["--replace", "--json"].contains($0) }
    let given = RecordOptions.all.given(in: options)
    guard !options.contains(where: { $0 == "--setup" || $0.hasPrefix("--setup=") }) else {
      throw Failure("A setup cannot use another one: leave out --setup.", exitCode: ExitStatus.usage)
    }
    // Report every error as `record` would.
    do { _ = try RecordCommand.parse(options) } catch {
      guard RecordCommand.exitCode(for: error) != .success else {
        throw CleanExit.helpRequest(RecordCommand.self)
      }
      throw Failure(UsageAdvice.words(error, ofRecording: options), exitCode: ExitStatus.usage)
    }
    guard !given.isEmpty else {
      throw Failure(
        "There is nothing to save: give the camera and the options of record after the name.",
        exitCode: ExitStatus.usage)
    }
    var entries: [Setup.Entry] = []
    for (key, value) in given {
      let isRepeating = RecordOptions.all[key]?.isRepeating == true
      if let place = entries.firstIndex(where: { $0.key == key }) {
        entries[place].values = (isRepeating ? entries[place].values : []) + [value ?? "true"]
      } else {
        entries.append(Setup.Entry(key: key, values: [value ?? "true"]))
      }
    }
    let setup: Setup
    do throws(OvercrankError) {
      setup = try Setup.save(name, entries, replacing: replace)
    } catch {
      guard error.remedy == .replace else { throw error }
      throw Failure(
        error.description.replacing(
          "allow it to be replaced.", with: "replace it with \"overcrank setups save --replace \(name)\"."),
        exitCode: ExitStatus.cannotCreate)
    }
    if isJSON { return try Console.sayJSON(SetupReport(setup)) }
    Console.say("\(setup.file)")
  }
}
