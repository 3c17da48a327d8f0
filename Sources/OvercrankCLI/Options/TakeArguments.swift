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

  /// The takes in it.
  var library: TakeLibrary { TakeLibrary(folder) }
}

/// The take that a command is about.
struct TakeArgument: ParsableArguments {
  @Argument(
    help: "The take: any of its files, its name, its label, or latest.",
    completion: .file(extensions: ["json", "mp4", "mov", "mkv", "nut"]))
  var take: String

  @OptionGroup var folder: FolderOptions

  /// What lies there under that name.
  func entry() async throws(MediaError) -> LibraryEntry { try await folder.library.entry(named: take) }
}
