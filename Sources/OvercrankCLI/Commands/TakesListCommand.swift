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
    if output.json {
      var groups = GroupIndex()
      return try Console.sayJSON(entries.map { EntryReport($0, in: groups.group(ofTake: $0.path)) })
    }
    if !entries.isEmpty { Console.sayData(EntryTable(entries).text(width: Console.width)) }
    if entries.isEmpty {
      output.remark(
        filter.words(
          ofNoneIn: place.library.folder, isEmpty: present.isEmpty, since: since?.text, until: until?.text))
    }
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
