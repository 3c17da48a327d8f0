import ArgumentParser
import Foundation
import Overcrank

struct ProfilesCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Checks profiles: the given files, or all.",
    discussion: "Exits with 65 if a profile is invalid, and names the file, line and key.")

  @Argument(help: "The YAML files to check.", completion: .file(extensions: ["yaml", "yml"]))
  var files: [FilePath] = []

  @OptionGroup var output: OutputOptions

  func run() throws {
    for file in files where !FileManager.default.isReadableFile(atPath: file.string) {
      throw Failure("\(file): does not exist, or cannot be read.", exitCode: ExitStatus.noInput)
    }
    let verdicts = files.isEmpty ? Self.verdictsOnAll() : files.map(Verdict.init)
    if output.json {
      try Console.sayJSON(verdicts)
    } else {
      for verdict in verdicts where verdict.error == nil { output.detail("\(verdict.file): valid.") }
      for error in verdicts.compactMap(\.error) { Console.complain("\(error)") }
      let good = verdicts.count { $0.error == nil }
      let profiles = verdicts.count == 1 ? "profile" : "profiles"
      let verb = good == 1 || verdicts.count == 1 ? "is" : "are"
      output.remark("\(good) of \(verdicts.count) \(profiles) \(verb) valid.")
    }
    if verdicts.contains(where: { $0.error != nil }) { throw ExitCode(ExitStatus.badData) }
  }

  private static func verdictsOnAll() -> [Verdict] {
    let library = ProfileLibrary()
    return library.entries.map { Verdict(file: $0.file?.string ?? $0.profile.id, id: $0.profile.id) }
      + library.failures.map { Verdict(file: $0.file, error: $0) }
  }

  private struct Verdict: Encodable {
    var file: String
    @Nullable var id: String?
    @Nullable var error: ProfileError?

    init(file: String, id: String? = nil, error: ProfileError? = nil) {
      self.file = file
      self.id = id
      self.error = error
    }

    init(_ file: FilePath) {
      do throws(ProfileError) {
        self.init(file: file.string, id: try ProfileLibrary.Entry(file: file).profile.id)
      } catch {
        self.init(file: file.string, error: error)
      }
    }
  }
}
