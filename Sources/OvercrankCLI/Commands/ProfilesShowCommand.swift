import ArgumentParser
import Overcrank

struct ProfilesShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Prints a profile as written, as a starting point for your own.")

  @Argument(help: "The profile's id.", completion: .profile)
  var name: String

  @OptionGroup var output: OutputOptions

  func run() throws {
    let library = ProfileLibrary(for: output)
    guard let entry = library[name] else {
      let near = library.ids(near: name)
      throw Failure(
        "There is no profile \"\(name)\". "
          + (near.isEmpty ? "" : "Similar: \(near.joined(separator: ", ")). ")
          + "See \"overcrank profiles list\".",
        exitCode: ExitStatus.unavailable)
    }
    if output.json { return try Console.sayJSON(entry.profile) }
    // The file ends with a line break itself.
    Console.sayData(entry.yaml.hasSuffix("\n") ? String(entry.yaml.dropLast()) : entry.yaml)
  }
}
