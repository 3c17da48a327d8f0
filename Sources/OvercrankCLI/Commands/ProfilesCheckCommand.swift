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
    try output.report(verdicts, of: "profile")
  }

  private static func verdictsOnAll() -> [Verdict] {
    let library = ProfileLibrary()
    return library.entries.map { Verdict(file: $0.file?.string ?? $0.profile.id, id: $0.profile.id) }
      + library.failures.map { Verdict(file: $0.file, error: $0) }
  }

  private struct Verdict: FileVerdict {
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
