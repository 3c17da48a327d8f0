import ArgumentParser
import Overcrank

struct TakesExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Copies or moves takes to another disk, and reads each copy back.",
    discussion: """
      A copy counts once it has been read back from its disk and compared with the original. With --move, the \
      original is deleted only then. After a failure, the next take follows, and the summary states where everything \
      is. Nothing is replaced: an identical file that already exists counts as copied, so the same command finishes \
      an interrupted export.
      """)

  @Argument(help: "The folder to export to. It must exist.", completion: .directory)
  var destination: FilePath

  @Argument(help: "The takes: files, names, labels, or latest.", completion: .take)
  var takes: [String]

  @Flag(help: "Delete the originals once their copies have been compared.")
  var move = false

  @Flag(help: "Which files of each take to export. (default: --all)")
  var selection: Selection = .all

  enum Selection: String, EnumerableFlag {
    case all, clips, masters

    static func help(for value: Selection) -> ArgumentHelp? {
      switch value {
      case .all: "Export clips, master and take."
      case .clips: "Export only the clips."
      case .masters: "Export only the master and the take."
      }
    }
  }

  @OptionGroup var folder: FolderOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    var entries: [LibraryEntry] = []
    for take in takes {
      let entry = try await folder.library.entry(named: take)
      if !entries.contains(where: { $0.path == entry.path }) { entries.append(entry) }
    }
    let export = TakeExport(
      to: destination, TakeExport.Selection(rawValue: selection.rawValue) ?? .all, moving: move)
    let stopped = StopFlag()
    Interruption.shared.set { stopped.set() }
    let line = ProgressLine(isShown: !output.quiet)
    let outcomes = export.run(entries, isStopped: { stopped.isSet }) { line.draw($0.words) }
    line.clear()
    Interruption.shared.clear()
    if output.json {
      try Console.sayJSON(outcomes.map { ExportReport($0) })
    } else {
      for outcome in outcomes { Console.say(outcome.words) }
    }
    if stopped.isSet {
      throw Failure(
        "Stopped. The same command exports the rest.", exitCode: ExitStatus.interrupted)
    }
    let failures = outcomes.compactMap(\.failure)
    for failure in failures.dropFirst() { Console.complain(failure.message) }
    if let failure = failures.first { throw failure }
  }
}

extension TakeExport.Progress {
  /// The progress as text: `Copying x.mp4: 18 % of all`.
  fileprivate var words: String {
    let verb = step == .copying ? "Copying" : "Comparing"
    let percent = total > 0 ? Fraction(reducing: Int128(done) * 100, Int128(total)).rounded : 100
    return "\(verb) \(file.lastComponent?.string ?? ""): \(percent) % of all"
  }
}

extension TakeExport.Outcome {
  /// The location of the take after the export, for people.
  var words: String {
    let isMoved = isComplete && export.moves && shared.isEmpty
    let copies = copied.map(\.target.lastComponent).compactMap(\.self).map(\.string)
    var words = "\(entry.name): "
    if isMoved {
      words += "moved to \(export.destination), \(bytes.sizeWords), read back and compared."
    } else if isComplete {
      words += "copied to \(export.destination), \(bytes.sizeWords), read back and compared."
    } else if copied.isEmpty {
      words += "stays where it is."
    } else {
      words += "not all of it was exported. In \(export.destination) now: \(copies.joined(separator: ", "))."
      let stays = entry.files.filter { !removed.contains($0) }.compactMap(\.lastComponent).map(\.string)
      words += " Still where it was: \(stays.joined(separator: ", "))."
    }
    for video in shared { words += " \(video) stays too, because another take names it." }
    return words
  }
}

/// An exported take in the form that `--json` prints.
struct ExportReport: Encodable {
  var take: String
  var destination: String
  var isComplete: Bool
  var copied: [String]
  var removed: [String]
  var bytes: Int64
  @Nullable var failure: String?

  init(_ outcome: TakeExport.Outcome) {
    take = outcome.entry.path.absolutePath
    destination = outcome.export.destination.absolutePath
    isComplete = outcome.isComplete
    copied = outcome.copied.map(\.target.absolutePath)
    removed = outcome.removed.map(\.absolutePath)
    bytes = outcome.bytes
    failure = outcome.failure?.message
  }

  enum CodingKeys: String, CodingKey {
    case take, destination, copied, removed, bytes, failure
    case isComplete = "complete"
  }
}
