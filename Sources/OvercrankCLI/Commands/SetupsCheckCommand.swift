import ArgumentParser
import Overcrank

struct SetupsCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Checks setups: the named ones, or all.",
    discussion: "Exits with 65 if a setup is invalid, and names the file, line and key.")

  @Argument(help: "The setups to check.", completion: .setup)
  var names: [String] = []

  @OptionGroup var output: OutputOptions

  func run() throws {
    let verdicts = try (names.isEmpty ? Setup.names : names).map(Verdict.init)
    try output.report(verdicts, of: "setup")
  }

  private struct Verdict: FileVerdict {
    var name: String
    var file: String
    @Nullable var error: ProfileError?

    /// Checks the setup called `name`.
    ///
    /// - Throws: `OvercrankError` if there is no such setup.
    init(_ name: String) throws {
      self.name = name
      let path = try Setup.existingFile(named: name)
      file = path.string
      error = Self.fault(in: path)
    }

    /// Returns the fault of the setup, or `nil` if it has none.
    private static func fault(in path: FilePath) -> ProfileError? {
      do {
        return SetupExpansion.fault(in: try Setup(Setup.bytes(of: path), of: path))
      } catch let fault as ProfileError {
        return fault
      } catch {
        // The fault adds the file's name and a full stop itself.
        var problem = path.omitted(from: Failure(error)?.message ?? "\(error)")
        if problem.hasSuffix(".") { problem.removeLast() }
        return ProfileError(file: path.string, line: nil, key: nil, problem: problem)
      }
    }
  }
}
