import ArgumentParser
import Overcrank

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
  func entry() async throws(OvercrankError) -> LibraryEntry { try await folder.library.entry(named: take) }

  /// The take that `file` means where it is no film: a take's file, name or label, or `latest`; `nil` where it is none of
  /// these.
  ///
  /// - Throws: `OvercrankError` with `outOfRange` where it is the label of several.
  static func take(meantBy file: FilePath) async throws(OvercrankError) -> LibraryEntry? {
    guard file != "-", file.extension.flatMap(Container.init(fileExtension:)) == nil,
      !file.isThere || file.name.hasSuffix(TakeFiles.takeSuffix)
    else { return nil }
    do throws(OvercrankError) { return try await TakeLibrary(nil).entry(named: file.string) } catch {
      guard error.code == .outOfRange else { return nil }
      throw error
    }
  }

  /// `files`, each that means a take replaced by its master.
  ///
  /// - Throws: `OvercrankError` with `noInput` where a take has none.
  static func films(_ files: [FilePath]) async throws(OvercrankError) -> [FilePath] {
    var films: [FilePath] = []
    for file in files {
      guard let take = try await take(meantBy: file), take.description != nil else {
        films.append(file)
        continue
      }
      guard let master = take.master else {
        throw OvercrankError(
          .noInput, "\(take.path): has no master here. Name one of its clips instead, or another video file.")
      }
      films.append(master)
    }
    return films
  }
}
