import ArgumentParser
import Foundation
import Overcrank

struct TakesRemoveCommand: AsyncParsableCommand, RuledOptions {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Deletes takes, photos and groups with all their files.",
    discussion: """
      They are gone for good: only the studio has a trash. Keeps a master or clip that another take also names. Asks \
      first, unless --force is given. A group goes with its takes, its clips and its file, or nothing of it does. A \
      group file no longer names a take that is removed alone; it is deleted with the last one.
      """)

  @Argument(
    help: "The takes, photos and groups: files, names, labels, or latest (take).", completion: .take)
  var takes: [String]

  @Flag(help: "Delete only the clips; the master and the take stay.")
  var keepMaster = false

  @Flag(help: "Delete only the master; the clips and the take stay.")
  var keepClip = false

  @Flag(help: "Do not ask.")
  var force = false

  @OptionGroup var folder: FolderOptions
  @OptionGroup var output: OutputOptions

  var given: [String] { [String](given: ["--keep-master": keepMaster, "--keep-clip": keepClip]) }

  func run() async throws {
    let items = try await folder.items(named: takes)
    let remainder: LibraryEntry.Remainder = keepMaster ? .master : keepClip ? .clips : .nothing
    if !force { try ask(items, remainder) }
    let removed = RemovedFiles(tells: !output.json)
    defer { if output.json { try? Console.sayJSON(removed.paths.map(\.absolutePath)) } }
    var changed: [(group: FilePath, name: String)] = []
    for item in items {
      switch item {
      case .entry(let entry): changed += try remove(entry, remainder, removed).map { ($0, entry.name) }
      case .group(let group):
        let shared = group.sharedFiles(removedKeeping: remainder)
        changed += try group.remove(keeping: remainder, removed: removed.note)
          .map { ($0, "the takes of \(group.path.name)") }
        remark(kept: shared)
      }
    }
    // With its last take, the group's file goes too.
    for (group, name) in changed where group.exists { output.remark("\(group): no longer names \(name).") }
  }

  /// Removes a take, a photo or remains, and returns the files of the groups that no longer name it.
  private func remove(
    _ entry: LibraryEntry, _ remainder: LibraryEntry.Remainder, _ removed: RemovedFiles
  ) throws(OvercrankError) -> [FilePath] {
    if entry.partState == .empty || entry.partState == .recovered {
      let files = try entry.files(removedKeeping: remainder)
      try entry.removeRemains()
      for file in files { removed.note(file) }
      return []
    }
    let group = entry.group
    let changed = try entry.remove(keeping: remainder, removed: removed.note)
    remark(kept: entry.sharedFiles(removedKeeping: remainder))
    if entry.isDamagedGroup { output.remark("\(entry.path): the takes that it may name stay.") }
    if let group, !group.path.exists {
      for clip in group.clips { output.remark("\(clip): kept, because it shows other takes too.") }
    }
    return changed
  }

  private func remark(kept videos: [FilePath]) {
    for video in videos { output.remark("\(video): kept, because another take or group names it too.") }
  }

  /// The deleted files, complete even if a later one could not be deleted.
  private final class RemovedFiles {
    private(set) var paths: [FilePath] = []
    private let tells: Bool

    init(tells: Bool) { self.tells = tells }

    func note(_ path: FilePath) {
      paths.append(path)
      if tells { Console.say("\(path): deleted for good.") }
    }
  }

  /// Asks the user for confirmation, and throws without it.
  private func ask(_ items: [LibraryItem], _ remainder: LibraryEntry.Remainder) throws {
    let files = try items.flatMap { item in
      switch item {
      case .entry(let entry): try entry.files(removedKeeping: remainder)
      case .group(let group): try group.files(removedKeeping: remainder)
      }
    }
    if isatty(STDIN_FILENO) == 1 {
      for file in files { Console.remark("\(file)\(file.sizeWords.map { ", \($0)" } ?? "")") }
    }
    let question = "Delete \(files.count == 1 ? "this file" : "these \(files.count) files") for good?"
    guard let isConfirmed = Console.isConfirmed(question) else {
      throw Failure(
        "Standard input is not a terminal, so you cannot be asked; nothing was deleted. --force does not ask.",
        exitCode: ExitStatus.usage)
    }
    guard isConfirmed else { throw Failure("Nothing was deleted.", exitCode: ExitStatus.interrupted) }
  }
}
