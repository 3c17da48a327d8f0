import ArgumentParser
import Overcrank

struct TakesListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists takes and photos, newest first.",
    discussion: """
      Photos are those that Overcrank made. Masters without a take, parts of recordings and photos, and take and \
      group files that cannot be read are listed too. Only the beginning of each take file is read, and no master: \
      "overcrank takes verify" reads all of a take.
      """)

  @Argument(
    help: ArgumentHelp("The folder. (default: the library folder)", valueName: "folder"),
    completion: .directory)
  var listed: FilePath?

  @OptionGroup var named: FolderOptions

  @Option(
    help: ArgumentHelp(
      "Only takes from this day or later: 2026-11-22, today or yesterday.", valueName: "day"),
    transform: { try DayArgument($0) })
  var since: DayArgument?

  @Option(
    help: ArgumentHelp("Only takes from this day or earlier.", valueName: "day"),
    transform: { try DayArgument($0) })
  var until: DayArgument?

  @Option(help: ArgumentHelp("Only takes from cameras whose name contains this.", valueName: "part"))
  var camera: String?

  @Option(help: ArgumentHelp("Only takes whose label contains this.", valueName: "part"))
  var label: String?

  @OptionGroup var output: OutputOptions

  private var folder: FilePath? { listed ?? named.folder }

  func validate() throws {
    if listed != nil, named.folder != nil { throw ValidationError("Name only one folder.") }
  }

  func run() async throws {
    let filter = LibraryFilter(start: since?.start, end: until?.end, camera: camera, label: label)
    var place = named
    place.folder = folder
    let present = try await place.entries()
    let entries = present.filter(filter.admits)
    place.remarkDamagedGroups(around: present, output)
    var index = GroupIndex()
    let groups = entries.map { index.group(ofTake: $0.path) }
    let clips = Self.clips(of: Set(groups.compactMap(\.self)), in: place.library, present)
    if output.json {
      return try Console.sayJSON(
        zip(entries, groups).map { entry, group in
          EntryReport(entry, in: group, groupClips: group.flatMap { clips[$0] } ?? [])
        })
    }
    if !entries.isEmpty { Console.sayData(EntryTable(entries).text(width: Console.width)) }
    let lines = clips.sorted { $0.key.name < $1.key.name }.flatMap { group, clips in
      clips.map { "  \(group.name.printable): \(group.words(ofClip: $0))" }
    }
    if !lines.isEmpty { Console.sayData((["Clips of several cameras:"] + lines).joined(separator: "\n")) }
    if entries.isEmpty {
      output.remark(
        filter.words(
          ofNoneIn: place.library.folder, isEmpty: present.isEmpty, since: since?.text, until: until?.text))
    }
  }
}

extension TakesListCommand {
  /// Returns the clips that show the cameras of each group together.
  ///
  /// - Parameter present: all items of `library`.
  private static func clips(
    of groups: Set<StoredGroup>, in library: TakeLibrary, _ present: [LibraryEntry]
  ) -> [StoredGroup: [FilePath]] {
    let here = library.groups
    return Dictionary(
      uniqueKeysWithValues: groups.map { group in
        // The file of a group may be in the folder above.
        (group, here.contains(group) ? group.clips(listed: present, among: here) : group.clips)
      })
  }
}

extension LibraryFilter {
  /// Returns a sentence that nothing in `folder` matches, with the criteria.
  fileprivate func words(
    ofNoneIn folder: FilePath, isEmpty: Bool, since: String?, until: String?
  ) -> String {
    let days = [since.map { "from \($0) or later" }, until.map { "from \($0) or earlier" }].compactMap(\.self)
    let period: String? = days.isEmpty ? nil : "is " + days.joined(separator: " and ")
    let asked = [
      period,
      camera.map { "is from a camera with \"\($0)\" in its name" },
      label.map { "has a label with \"\($0)\" in it" },
    ].compactMap(\.self)
    return asked.isEmpty || isEmpty
      ? "There are no takes or photos in \"\(folder)\"."
      : "No take or photo in \"\(folder)\" \(asked.joined(separator: " and "))."
  }
}
