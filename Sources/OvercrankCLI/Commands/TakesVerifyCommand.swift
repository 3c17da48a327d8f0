import ArgumentParser
import Overcrank

struct TakesVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Reads and decodes all files of takes, photos and groups, and compares takes with their files.",
    discussion: """
      Checks that the take's numbers add up, that the master can be read and decoded to its end and has the frames and \
      times that the take file states, and that each clip plays. Of photos, it decodes all pictures and videos; of a \
      group, it checks all takes and the clips of all cameras. Exits with 65 if anything differs, and with 77 if you \
      may not read a take. A take that another program is recording is not checked, and does not count as a difference.
      """)

  @Argument(
    help:
      "The takes, photos and groups: files, names, labels, or latest (take). (default: all in the folder)",
    completion: .take)
  var takes: [String] = []

  @OptionGroup var folder: FolderOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    var (entries, groups) = ([LibraryEntry](), [StoredGroup]())
    if takes.isEmpty {
      entries = try await folder.entries()
      groups = folder.library.groups
    } else {
      for item in try await folder.items(named: takes) {
        switch item {
        case .entry(let entry): entries.append(entry)
        case .group(let group):
          entries += group.takes.map { $0.notingShared() }
          groups.append(group)
        }
      }
    }
    if entries.isEmpty, groups.isEmpty {
      output.remark("There are no takes or photos in \"\(folder.library.folder)\".")
    }
    // Determined before anything is read, because reading takes long and a recording may end meanwhile.
    let held = Set(entries.filter { $0.partState == .growing })
    let line = ProgressLine(isShown: !output.quiet)
    var reports: [Report] = []
    var unread: [OvercrankError] = []
    func verify(_ path: FilePath, _ body: () throws(OvercrankError) -> TakeVerification) throws {
      let report: Report
      do throws(OvercrankError) { report = Report(try body()) } catch {
        report = Report(path, path.omitted(from: error.message))
        unread.append(error)
      }
      line.clear()
      reports.append(report)
      guard !output.json else { return }
      // The files are beside that of the entry, whose path is above.
      let words = report.findings.map { "\n  " + "\(FilePath($0.file).name): \($0.problem)".printable }
        .joined()
      Console.say("\(path): \(report.isSound == true ? "is intact." : "is not intact:")\(words)")
    }
    for (place, entry) in entries.enumerated() {
      guard !held.contains(entry) else {
        reports.append(Report(unchecked: entry))
        if !output.json { Console.say("\(entry.path): another program is recording it; not checked.") }
        continue
      }
      try verify(entry.path) { () throws(OvercrankError) in
        var drawn = 0
        return try TakeVerification(entry) { done, total in
          guard done == total || done - drawn >= 50 else { return }
          drawn = done
          line.draw("Verifying \(entry.name) (\(place + 1) of \(entries.count)): \(done) of \(total)")
        }
      }
    }
    for group in groups {
      try verify(group.path) { () throws(OvercrankError) in
        try TakeVerification(group) { done in
          if done.isMultiple(of: 50) { line.draw("Verifying \(group.name): \(done)") }
        }
      }
    }
    for entry in entries {
      guard let part = entry.recoveredPart else { continue }
      let size = part.sizeWords.map { " (\($0))" } ?? ""
      output.remark(
        "\(part)\(size): was left by the recovery of \(entry.name), and may hold more than the master. If the master has "
          + "all that you want, delete it: overcrank takes remove \(part.string.shellWord)")
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

    init(_ path: FilePath, _ reason: String) {
      take = path.absolutePath
      isSound = false
      findings = [Finding(file: path.absolutePath, problem: reason)]
    }

    enum CodingKeys: String, CodingKey {
      case take, findings
      case isSound = "sound"
    }
  }
}
