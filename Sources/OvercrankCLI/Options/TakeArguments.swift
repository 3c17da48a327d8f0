import ArgumentParser
import Overcrank

/// The option for the folder that contains the takes.
struct FolderOptions: ParsableArguments {
  @Option(
    name: .customLong("folder"),
    help: ArgumentHelp("Look for takes in FOLDER. (default: the library folder)", valueName: "folder"),
    completion: .directory)
  var folder: FilePath?

  func validate() throws { try FolderOptions.check(folder) }

  /// Refuses an empty name, which can come from an unset variable in a script.
  static func check(_ folder: FilePath?) throws {
    if let folder, folder.isEmpty {
      throw ValidationError(
        "--folder is empty. Name a folder, or leave out --folder to use the library folder.")
    }
  }

  /// The library in the folder.
  var library: TakeLibrary { TakeLibrary(folder) }

  /// Returns all items of the library, newest first. The library folder may not exist yet; any other folder that
  /// cannot be read is an error.
  func entries() async throws(OvercrankError) -> [LibraryEntry] {
    settleTrash()
    do throws(OvercrankError) { return try await library.entries() } catch {
      if folder == nil, error.code == .noInput { return [] }
      throw error
    }
  }

  /// Returns the take or photo of this name. A plain name is looked for in the folder that was given, rather than here.
  func entry(named name: String) async throws(OvercrankError) -> LibraryEntry {
    settleTrash()
    return try await library.entry(named: name, from: start(name))
  }

  /// Returns the item or group of this name, as ``entry(named:)`` does.
  func item(named name: String) async throws(OvercrankError) -> LibraryItem {
    settleTrash()
    return try await library.item(named: name, from: start(name))
  }

  private func start(_ name: String) -> FilePath { name.contains("/") ? "" : folder ?? "" }

  /// Finishes what a killed program left of a removal or a restoration: its item would be listed in part.
  private func settleTrash() { _ = Trash(of: library).settle() }

  /// Prints a remark for each group file that may name takes of `entries`, cannot be read, and is none of `entries`.
  func remarkDamagedGroups(around entries: [LibraryEntry], _ output: OutputOptions) {
    for folder in Set(entries.filter { $0.description != nil }.map(\.path.folder)) {
      for group in StoredGroup.damaged(around: folder)
      where !entries.contains(where: { $0.path.absolutePath == group.path.absolutePath }) {
        for remark in group.remarks { output.remark(remark) }
      }
    }
  }

  /// Returns the items and groups of these names, each once: a take that is named beside its group is part of that.
  func items(named names: [String]) async throws(OvercrankError) -> [LibraryItem] {
    var items: [LibraryItem] = []
    for name in names {
      let item = try await item(named: name)
      if !items.contains(where: { $0.path.absolutePath == item.path.absolutePath }) { items.append(item) }
    }
    var parts: Set<String> = []
    for case .group(let group) in items { parts.formUnion(group.takeFiles.map(\.absolutePath)) }
    return items.filter { !parts.contains($0.path.absolutePath) }
  }

  /// Returns the takes and photos of these names, and the takes of groups, each once.
  ///
  /// - Parameter takes: returns the takes of a group.
  /// - Throws: `OvercrankError` also if a take of a group is missing.
  func entries(
    named names: [String],
    takes: (StoredGroup) throws(OvercrankError) -> [LibraryEntry] = { group throws(OvercrankError) in
      try ExportedRecording(group).cameras.map(\.entry)
    }
  ) async throws(OvercrankError) -> [LibraryEntry] {
    var entries: [LibraryEntry] = []
    for name in names {
      let named: [LibraryEntry] =
        switch try await item(named: name) {
        case .entry(let entry): [entry]
        case .group(let group): try takes(group)
        }
      entries += named.filter { entry in !entries.contains { $0.path.absolutePath == entry.path.absolutePath }
      }
    }
    return entries
  }
}

/// The argument that names a take.
struct TakeArgument: ParsableArguments {
  @Argument(
    help: "The take: any of its files, its name, its label, or latest (the latest take, never a photo).",
    completion: .take)
  var take: String

  @OptionGroup var folder: FolderOptions

  /// Returns the entry with that name.
  func entry() async throws(OvercrankError) -> LibraryEntry { try await folder.entry(named: take) }

  /// Returns the entry or the group with that name.
  func item() async throws(OvercrankError) -> LibraryItem { try await folder.item(named: take) }

  /// Returns the take or group that `file` means if it is neither a video nor a group's file here: a take's file, the
  /// name or label of a take or a group, or `latest`; `nil` if it is none of these.
  ///
  /// - Throws: `OvercrankError` with `outOfRange` if several items have the label; with `noInput` if a plain name is none
  ///   of an item in the given folder, where it is then looked for rather than here.
  static func item(
    meantBy file: FilePath, in folder: FolderOptions? = nil
  ) async throws(OvercrankError) -> LibraryItem? {
    let isThere = folder?.folder != nil && !file.string.contains("/")
    guard file != "-", file.extension.flatMap(Container.init(fileExtension:)) == nil,
      isThere || !file.exists || file.name.hasSuffix(TakeFiles.takeSuffix)
    else { return nil }
    do throws(OvercrankError) {
      guard let folder, isThere else { return try await TakeLibrary(nil).item(named: file.string) }
      return try await folder.item(named: file.string)
    } catch {
      guard isThere || error.code == .outOfRange else { return nil }
      throw error
    }
  }

  /// Returns `files` with each one that means a take replaced by the take's master, and each one that means a group by
  /// the group's file.
  ///
  /// - Throws: `OvercrankError` with `noInput` if a take has no master.
  static func videos(
    _ files: [FilePath], in folder: FolderOptions
  ) async throws(OvercrankError) -> [FilePath] {
    var videos: [FilePath] = []
    for file in files {
      switch try await item(meantBy: file, in: folder) {
      case .group(let group): videos.append(group.path)
      case .entry(let take) where take.description != nil:
        guard let master = take.master else {
          throw OvercrankError(
            .noInput,
            "\(take.path): has no master here. Name one of its clips instead, or another video file.")
        }
        videos.append(master)
      case .entry(_), nil: videos.append(file)
      }
    }
    return videos
  }
}

/// The options that choose a frame of a take.
struct FramePlaceOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The last frame captured at or before this time, counted from the first frame: 1.25s.",
      valueName: "time"),
    transform: { try Duration(text: $0) })
  var at: Duration?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The frame with this number, counted from 0.", valueName: "number"))
  var frame: Int?

  /// The options that were given.
  var given: [String] { [String](given: ["--at": at != nil, "--frame": frame != nil]) }

  /// Returns the index of the frame: without options, that of the trigger's frame, or else of the middle one.
  ///
  /// - Throws: `OvercrankError` with `outOfRange` if the take ends before the time.
  func index(in pictures: borrowing TakePictures) throws(OvercrankError) -> Int {
    guard let at else { return frame ?? pictures.keyIndex }
    return try pictures.index(at: at)
  }
}
