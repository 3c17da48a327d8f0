import ArgumentParser
import Overcrank

struct TakesExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Copies or moves takes and photos to another disk, and reads each copy back.",
    usage: """
      overcrank takes export [ITEM ...] --to FOLDER [--yes] [--with-master | --clips | --masters] [--move]
      overcrank takes export [ITEM ...] --to FOLDER [--yes] --as csv|campy|anipose|miniscope
      overcrank takes export FOLDER ITEM ... [--clips | --masters] [--move]
      """,
    discussion: """
      Without an ITEM, everything in the library is exported. Of a take, that is the clip that was made last, or the \
      one whose file is named; of a take without a clip, everything. Photos are exported with all their files. In the \
      form without --to, takes are exported with master, take file and all clips.

      A copy counts once it has been read back from its disk and compared with the original. With --move, the \
      original is deleted only then. After a failure, the next item follows, and the summary states where everything \
      is. Nothing is replaced: an identical file that already exists counts as copied, so the same command finishes \
      an interrupted export.

      With --as, takes are exported as other programs read them: the frames of the master, and their times. The takes \
      of a group are on one clock. csv copies masters, and writes a table of all frames; campy, anipose and miniscope \
      write the files of these programs.
      """)

  @Argument(
    help: ArgumentHelp(
      "The takes, photos and groups: files, names, labels, or latest (take). (default: all in the library)",
      valueName: "item"),
    completion: .take)
  var items: [String] = []

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("The destination folder. It must exist.", valueName: "folder"),
    completion: .directory)
  var target: FilePath?

  @Flag(help: "Export everything without asking.")
  var yes = false

  @Flag(help: "Delete the originals once their copies have been compared.")
  var move = false

  @Flag(help: "Which files of each take to export. (default: the newest clip)")
  var selection: Selection?

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("Export frames and times as other programs read them.", valueName: "form"))
  var form: ExportForm?

  enum Selection: String, EnumerableFlag {
    case all, clips, masters

    static func name(for value: Selection) -> NameSpecification {
      value == .all ? [.customLong("with-master"), .long] : .long
    }

    static func help(for value: Selection) -> ArgumentHelp? {
      switch value {
      case .all: "Export all clips, the master and the take file."
      case .clips: "Export all clips, and nothing else."
      case .masters: "Export the master and the take file, and no clip."
      }
    }
  }

  @OptionGroup var folder: FolderOptions
  @OptionGroup var output: OutputOptions

  /// The destination. In the former form, it is the first argument.
  var destination: FilePath { target ?? FilePath(given: items.first ?? "") }

  var names: [String] { target == nil ? Array(items.dropFirst()) : items }

  func validate() throws {
    if let form, move || selection != nil {
      throw ValidationError(
        "--as \(form.rawValue) copies the frames of each master: leave out \(move ? "--move" : "the choice of files")."
      )
    }
    guard target == nil, items.count < 2 else { return }
    throw ValidationError("Name the destination folder with --to FOLDER.")
  }

  func run() async throws {
    // Once, not for each item.
    try OwnFolder.checkExists(destination)
    if let form { return try await export(as: form) }
    let usual: TakeExport.Selection = target == nil ? .all : .clip
    var export = TakeExport(
      to: destination, selection.flatMap { TakeExport.Selection(rawValue: $0.rawValue) } ?? usual,
      moving: move)
    var moved = names.isEmpty ? leftGroups(for: export) : []
    let entries =
      try await names.isEmpty
      ? presentEntries(for: export)
      : folder.entries(named: names) { [export] group throws(OvercrankError) in
        let takes = try export.takes(of: group)
        if takes.isEmpty, !export.files(of: [], finishing: [group]).isEmpty,
          !moved.contains(where: { $0.path.absolutePath == group.path.absolutePath })
        {
          moved.append(group)
        }
        return takes
      }
    guard !entries.isEmpty || !moved.isEmpty else {
      if output.json { try Console.sayJSON([ExportReport]()) }
      return output.remark("There is nothing to export in \"\(folder.library.folder)\".")
    }
    export.clips = clips(of: entries)
    output.remark(export.words(of: entries, moved))
    if names.isEmpty, !yes { try ask() }
    let stopped = StopFlag()
    Interruption.shared.set { stopped.set() }
    let line = ProgressLine(isShown: !output.quiet)
    let outcomes = export.run(entries, finishing: moved, isStopped: { stopped.isSet }) { line.draw($0.words) }
    line.clear()
    Interruption.shared.clear()
    if output.json {
      try Console.sayJSON(outcomes.map { ExportReport($0) })
    } else {
      for outcome in outcomes { Console.say(outcome.words) }
    }
    try Self.report(outcomes.compactMap(\.failure), isStopped: stopped.isSet)
  }

  /// Throws the first error of an export, after the others have been printed.
  static func report(_ failures: [OvercrankError], isStopped: Bool) throws {
    if isStopped {
      throw Failure("Stopped. The same command exports the rest.", exitCode: ExitStatus.interrupted)
    }
    for failure in failures.dropFirst() { Console.complain(failure.message) }
    if let failure = failures.first { throw failure }
  }

  /// Returns all items but those that are not whole yet, or of which nothing is to be exported.
  func presentEntries(for export: TakeExport) async throws(OvercrankError) -> [LibraryEntry] {
    var emptied = 0
    defer { if emptied > 0 { output.remark(TakeExport.words(ofEmptied: emptied)) } }
    return try await folder.entries().filter { entry in
      switch entry.partState {
      case .growing:
        output.remark("\(entry.path): another program is recording it; not exported.")
        return false
      case .empty, .recovered: return false
      case .cutOff: return true
      case nil:
        let isReadable = entry.description != nil || entry.kind == .takelessMaster
        let isExported = !isReadable || !export.files(of: entry).isEmpty
        if !isExported, export.selection == .clip { emptied += 1 }
        return isExported
      }
    }
  }

  /// Returns the groups of the library's folder whose takes an earlier export moved to the destination, and of which
  /// something is left to export; says which have their takes nowhere.
  private func leftGroups(for export: TakeExport) -> [StoredGroup] {
    folder.library.groups.filter { group in
      guard group.takes.isEmpty else { return false }
      do throws(OvercrankError) { _ = try export.takes(of: group) } catch {
        output.remark("\(error) It is not exported.")
        return false
      }
      return !export.files(of: [], finishing: [group]).isEmpty
    }
  }

  /// Returns the clips that were named by their files.
  private func clips(of entries: [LibraryEntry]) -> Set<FilePath> {
    let files = names.flatMap { [FilePath($0), folder.library.folder.pushing(FilePath($0))] }
    return Set(entries.flatMap(\.clips).filter { clip in files.contains { $0.isSameFile(as: clip) } })
  }

  /// Asks the user for confirmation, and throws without it.
  func ask() throws {
    guard let isConfirmed = Console.isConfirmed(move ? "Move all of this?" : "Copy all of this?") else {
      throw Failure(
        "Standard input is not a terminal, so you cannot be asked; nothing was exported. Give --yes, or name "
          + "the items.", exitCode: ExitStatus.usage)
    }
    guard isConfirmed else { throw Failure("Nothing was exported.", exitCode: ExitStatus.interrupted) }
  }
}

extension TakeExport {
  /// Returns what will be exported, in words.
  fileprivate func words(of entries: [LibraryEntry], _ groups: [StoredGroup]) -> String {
    let files = files(of: entries, finishing: groups)
    let bytes = files.reduce(Int64(0)) { $0.adding(clamping: $1.fileSize ?? 0) }
    func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
    let photos = entries.count { $0.photo != nil }
    let items =
      [(entries.count - photos, "take"), (photos, "photo")].filter { $0.0 > 0 }.map(count)
      + groups.map(\.path.name.printable)
    var words =
      "\(moves ? "Moving" : "Copying") \(items.joined(separator: " and ")) to \(destination): "
      + "\(count(files.count, "file")), \(bytes.sizeWords)."
    guard selection == .clip else { return words }
    let takes = entries.filter { $0.description != nil }
    let masters = takes.count { $0.clips.isEmpty && !self.files(of: $0).isEmpty }
    if masters > 0 { words += " \(count(masters, "take")) without a clip: master and take file." }
    let all = TakeExport(to: destination, .clips).files(of: entries, finishing: groups)
    let others = Set(all).subtracting(files).count
    let bare = takes.count { !$0.clips.isEmpty }
    let rest = [
      others > 0 ? "\(count(others, "other clip")) (--clips exports all clips)" : nil,
      bare > 0 ? "master and take file of \(count(bare, "take")) (--with-master exports everything)" : nil,
    ].compactMap(\.self)
    if !rest.isEmpty { words += " Not included: \(rest.joined(separator: "; "))." }
    let emptied = takes.count - masters - bare
    return emptied > 0 ? "\(words) \(Self.words(ofEmptied: emptied))" : words
  }

  /// Says that takes have nothing to export because an earlier export moved their clips.
  fileprivate static func words(ofEmptied count: Int) -> String {
    count == 1
      ? "The clips of 1 take were moved away before: --with-master exports its master."
      : "The clips of \(count) takes were moved away before: --with-master exports their masters."
  }
}

extension TakeExport.Progress {
  /// The progress as text: `Copying x.mp4: 18 % of all`.
  var words: String {
    let verb = step == .copying ? "Copying" : "Comparing"
    let percent = total > 0 ? Fraction(reducing: Int128(done) * 100, Int128(total)).rounded : 100
    return "\(verb) \(file.lastComponent?.string ?? ""): \(percent) % of all"
  }
}

extension TakeExport.Outcome {
  /// The location of the take or photo after the export, for people.
  var words: String {
    let isMoved = isComplete && export.moves && shared.isEmpty
    let copies = copied.map(\.target.name.printable)
    var words = "\((group?.path.name ?? entry.name).printable): "
    if isMoved {
      words += "moved to \(export.destination), \(bytes.sizeWords), read back and compared."
    } else if isComplete {
      words += "copied to \(export.destination), \(bytes.sizeWords), read back and compared."
    } else if copied.isEmpty {
      let others = groupFiles.filter { $0 != group?.path }.map(\.name.printable)
      words += "stays where it is\(others.isEmpty ? "" : ", with \(others.joined(separator: ", "))")."
    } else {
      words += "not all of it was exported. In \(export.destination) now: \(copies.joined(separator: ", "))."
      let own = group == nil ? entry.files : []
      let stays = (own + groupFiles).filter { !removed.contains($0) }.map(\.name.printable)
      words += " Still where it was: \(stays.joined(separator: ", "))."
    }
    for video in shared { words += " \(video) stays too, because another take or group names it." }
    if isComplete, entry.photo != nil, !entry.problems.isEmpty {
      words += " But \(entry.problems.map(\.description.printable).joined(separator: ", and "))."
    }
    return words
  }
}

/// An exported take, photo or group in the form that `--json` prints.
struct ExportReport: Encodable {
  var take: String
  var destination: String
  var isComplete: Bool
  var copied: [String]
  var removed: [String]
  var bytes: Int64
  @Nullable var failure: String?

  init(_ outcome: TakeExport.Outcome) {
    take = (outcome.group?.path ?? outcome.entry.path).absolutePath
    destination = outcome.export.destination.absolutePath
    isComplete = outcome.isComplete
    copied = outcome.copied.map(\.target.absolutePath)
    removed = outcome.removed.map(\.absolutePath)
    bytes = outcome.bytes
    failure = outcome.failure?.message
  }

  /// Creates the report of a recording that was exported to `destination` in the form of another program.
  init(_ outcome: FormExport.Outcome, destination: FilePath) {
    take = outcome.recording.path.absolutePath
    self.destination = destination.absolutePath
    isComplete = outcome.isComplete
    copied = outcome.files.map(\.absolutePath)
    removed = []
    bytes = outcome.bytes
    failure = outcome.failure?.message
  }

  enum CodingKeys: String, CodingKey {
    case take, destination, copied, removed, bytes, failure
    case isComplete = "complete"
  }
}
