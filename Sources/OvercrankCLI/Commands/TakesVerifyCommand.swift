import ArgumentParser
import Overcrank

struct TakesVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Reads and decodes all files of takes and photos, and compares takes with their files.",
    discussion: """
      Checks that the take's numbers add up, that the master can be read and decoded to its end and has the frames and \
      times that the take file states, and that each clip plays. Of photos, it decodes all pictures and videos. Exits \
      with 65 if anything differs, and with 77 if you may not read a take. A take that another program is recording is \
      not checked, and does not count as a difference.
      """)

  @Argument(
    help: "The takes and photos: files, names, labels, or latest (take). (default: all in the folder)",
    completion: .take)
  var takes: [String] = []

  @OptionGroup var folder: FolderOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let entries = try await takes.isEmpty ? folder.entries() : folder.entries(named: takes)
    if entries.isEmpty { output.remark("There are no takes or photos in \"\(folder.library.folder)\".") }
    // Determined before anything is read, because reading takes long and a recording may end meanwhile.
    let held = Set(entries.filter { $0.partState == .growing })
    let line = ProgressLine(isShown: !output.quiet)
    var reports: [Report] = []
    var unread: [OvercrankError] = []
    for (place, entry) in entries.enumerated() {
      guard !held.contains(entry) else {
        reports.append(Report(unchecked: entry))
        if !output.json { Console.say("\(entry.path): another program is recording it; not checked.") }
        continue
      }
      let report: Report
      do {
        var drawn = 0
        let found = try TakeVerification(entry) { done, total in
          guard done == total || done - drawn >= 50 else { return }
          drawn = done
          line.draw("Verifying \(entry.name) (\(place + 1) of \(entries.count)): \(done) of \(total)")
        }
        report = Report(found)
      } catch {
        report = Report(entry, entry.path.omitted(from: error.message))
        unread.append(error)
      }
      line.clear()
      reports.append(report)
      guard !output.json else { continue }
      // The files are beside that of the entry, whose path is above.
      let words = report.findings.map { "\n  " + "\(FilePath($0.file).name): \($0.problem)".printable }
        .joined()
      Console.say(
        "\(entry.path): \(report.isSound == true ? "is intact." : "is not intact:")\(words)"
      )
    }
    folder.remarkDamagedGroups(around: entries, output)
    if output.json { try Console.sayJSON(reports) }
    let unsound = reports.count { $0.isSound == false }
    guard unsound > 0 else { return }
    // If the only problem is that files cannot be read, the exit code is that of the first.
    let isUnread = unsound == unread.count && unread[0].code != .noInput
    throw ExitCode(isUnread ? unread[0].code.exitCode : ExitStatus.badData)
  }

  /// A take in the form that `--json` prints.
  struct Report: Encodable {
    var take: String
    /// `nil` if it was not checked.
    @Nullable var isSound: Bool?
    var findings: [Finding]

    struct Finding: Encodable {
      var file: String
      var problem: String
    }

    init(_ found: TakeVerification) {
      take = found.take.absolutePath
      isSound = found.isSound
      findings = found.findings.map { Finding(file: $0.file.absolutePath, problem: $0.words) }
    }

    init(unchecked entry: LibraryEntry) {
      take = entry.path.absolutePath
      findings = []
    }

    init(_ entry: LibraryEntry, _ reason: String) {
      take = entry.path.absolutePath
      isSound = false
      findings = [Finding(file: entry.path.absolutePath, problem: reason)]
    }

    enum CodingKeys: String, CodingKey {
      case take, findings
      case isSound = "sound"
    }
  }
}
