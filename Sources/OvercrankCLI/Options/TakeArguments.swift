import ArgumentParser
import Media
import Overcrank
import SystemPackage
import Takes

/// The folder whose takes a command is about.
struct FolderOptions: ParsableArguments {
  @Option(
    name: .customLong("folder"),
    help: ArgumentHelp("Look for takes in FOLDER. (default: the library folder)", valueName: "folder"),
    completion: .directory)
  var folder: FilePath?

  func validate() throws { try FolderOptions.check(folder) }

  /// Refuses an empty name, as a variable that a script forgot to set gives.
  static func check(_ folder: FilePath?) throws {
    if let folder, folder.isEmpty {
      throw ValidationError("--folder '' names no folder. Name one, or leave it out for the library folder.")
    }
  }

  /// The takes in it.
  var library: TakeLibrary { TakeLibrary(folder) }
}

/// The take that a command is about.
struct TakeArgument: ParsableArguments {
  @Argument(
    help: "The take: any of its files, its name, its label, or latest.",
    completion: .take)
  var take: String

  @OptionGroup var folder: FolderOptions

  /// What lies there under that name.
  func entry() async throws(MediaError) -> LibraryEntry { try await folder.library.entry(named: take) }
}
