import FoundationEssentials
import Glibc
public import Platform
public import SystemPackage
public import Takes

/// The takes and photos that were removed from a library and can be restored.
///
/// The library's hidden folder `.trash` has a folder for each of them. That folder's date is the time of the removal.
public struct Trash: Sendable {
  /// The library.
  public let library: TakeLibrary

  /// The time for which removed items are kept.
  public static let keepingTime = Duration.seconds(30 * 24 * 3600)

  /// Creates the trash of `library`.
  public init(of library: TakeLibrary) { self.library = library }

  /// The name of the hidden folder in the library.
  static let folderName = ".trash"

  private var folder: FilePath { library.folder.appending(Self.folderName) }

  /// The folders of the removed items, unordered.
  private var places: [FilePath] {
    // A link could lead to a folder of another program.
    guard (try? Stat(folder, followTargetSymlink: false))?.type == .directory else { return [] }
    return ((try? folder.entryNames()) ?? []).map { folder.appending($0) }.filter {
      (try? Stat($0, followTargetSymlink: false))?.type == .directory
    }
  }

  /// The removed takes and photos, the one removed last first.
  public var entries: [LibraryEntry] {
    let dated = places.flatMap { place in
      ((try? TakeLibrary(place).entriesWaiting()) ?? []).map { (removal: Self.removal(place), entry: $0) }
    }
    return dated.sorted { $0.removal > $1.removal }.map(\.entry)
  }

  /// Moves all files of `entry` to the trash, and returns the path by which it is found there.
  ///
  /// The groups of a take still name it, because it can be put back; with its last take, the file and the clips of a
  /// group are moved too. If the program is killed meanwhile, ``settle()`` moves the rest.
  ///
  /// A group file that cannot be read is moved alone: its takes stay.
  ///
  /// - Throws: `OvercrankError` if the entry is not a readable take or photo, or a file cannot be moved; with `badData`
  ///   also if a group file that may name the take cannot be read; with `busy`, another program is using one of its
  ///   files, or has changed it. Nothing was moved in any case.
  public func add(_ entry: LibraryEntry) throws(OvercrankError) -> FilePath {
    try entry.checkCanBeForgotten()
    let take = entry.path.absolutePath
    let last = StoredGroup.inFolder(library.folder).first { group in
      group.camera(ofTake: entry.path) != nil && group.takes.map(\.path.absolutePath) == [take]
        && (try? group.path.checkIsNoLink()) != nil
    }
    return try add([entry.notingShared()], in: last, named: entry.name, as: entry.path)
  }

  /// Moves all files of `group` to the trash: its takes, its clips and its file. Returns the path by which its first
  /// take is found there; ``restore(_:)`` of any of its takes puts all of them back.
  ///
  /// - Throws: `OvercrankError` as for a single take, and with `noInput` if the group has no take in the
  ///   library's folder, or has one in another folder.
  public func add(_ group: StoredGroup) throws(OvercrankError) -> FilePath {
    let takes = group.takes
    guard let first = takes.first else {
      throw OvercrankError(
        .noInput,
        "\(group.path): none of its takes is here, so it cannot be put back from the trash. Delete it for good."
      )
    }
    if let far = takes.first(where: { $0.path.folder != library.folder }) {
      throw OvercrankError(
        .noInput,
        "\(far.path): is in another folder than \(group.path), and the trash has no folders. Delete the group for "
          + "good, or move its takes into one folder.")
    }
    try group.path.checkIsNoLink()
    for take in takes { try take.checkCanBeForgotten() }
    return try add(takes.map { $0.notingShared() }, in: group, named: group.name, as: first.path)
  }

  /// Moves the files of `entries`, and those of the group whose takes they are, to one folder in the trash.
  ///
  /// - Parameters:
  ///   - name: the name of the folder, if it is free.
  ///   - path: the file by which all is found.
  /// - Returns: the path of that file in the trash.
  private func add(
    _ entries: [LibraryEntry], in group: StoredGroup?, named name: String, as path: FilePath
  ) throws(OvercrankError) -> FilePath {
    var files = try group?.files(removedKeeping: .nothing) ?? []
    if group == nil { for entry in entries { files += try entry.files(removedKeeping: .nothing) } }
    let place = place(named: name, for: files)
    for path in [folder, place] where (try? Stat(path, followTargetSymlink: false))?.type == .symbolicLink {
      throw OvercrankError(
        .cannotCreate,
        "\(path): is a symbolic link, and removed items are kept only in the library itself. Remove the link."
      )
    }
    try OwnFolder.make(place, as: "the folder for removed items", remedy: "Free the name, and try again.")
    defer { place.removeEmptyFolder() }
    var move: TrashMove?
    do throws(OvercrankError) {
      try LibraryEntry.takeAway(entries, in: group) { file throws(OvercrankError) in
        // The files are locked now.
        if move == nil { move = try TrashMove(of: files.map(\.name), from: library.folder, to: place) }
        try move?.move(file.name)
        Thumbnails().remove(of: [file])
      }
    } catch {
      move?.undo()
      throw error
    }
    move?.end()
    return place.appending(path.name)
  }

  /// Returns the folder for an item with these files: that of an interrupted removal of it, or a new one.
  private func place(named item: String, for files: [FilePath]) -> FilePath {
    var (name, number) = (item, 1)
    let names = Set(files.map(\.name))
    while let there = try? folder.appending(name).entryNames(),
      there.contains(where: {
        names.contains($0) || $0.hasSuffix(TakeFiles.takeSuffix)
          || GroupVideo.isNamed(by: FilePath($0))
      })
    {
      number += 1
      name = "\(item)-\(number)"
    }
    return folder.appending(name)
  }

  /// Moves the files of an entry in the trash back to the library, and returns its path there.
  ///
  /// If the program is killed meanwhile, ``settle()`` moves the rest.
  ///
  /// - Throws: `OvercrankError` with `cannotCreate` if the library has a file of the same name. Nothing was moved in any
  ///   case.
  public func restore(_ entry: LibraryEntry) throws(OvercrankError) -> FilePath {
    let place = entry.path.folder
    let names: [String]
    do throws(Errno) { names = try place.entryNames() } catch { throw OvercrankError.listing(place, error) }
    for name in names where library.folder.appending(name).exists {
      throw OvercrankError(
        .cannotCreate,
        "\(library.folder.appending(name)): already exists, so \(entry.name) cannot be restored. Rename or remove it."
      )
    }
    let lock = try FileLock(names.map { place.appending($0) }, for: .changing)
    defer { lock.release() }
    let move = try TrashMove(of: names, from: place, to: library.folder)
    do throws(OvercrankError) {
      // The take file, or the picture, comes last: with it, the item is complete.
      for name in names.filter({ $0 != entry.path.name }) + [entry.path.name] { try move.move(name) }
    } catch {
      move.undo()
      throw error
    }
    move.end()
    place.removeEmptyFolder()
    folder.removeEmptyFolder()
    return library.folder.appending(entry.path.name)
  }

  /// Finishes the removals and the restorations during which a program was killed. Returns whether there were any.
  ///
  /// Those that another program has not finished yet are left alone.
  public func settle() -> Bool {
    guard places.count > 0 else { return false }
    var isChanged = false
    for name in (try? folder.entryNames()) ?? [] {
      guard let move = TrashMove(journal: folder.appending(name)), let files = move.remaining,
        let lock = try? FileLock(files, for: .changing)
      else { continue }
      defer { lock.release() }
      isChanged = true
      guard files.allSatisfy({ (file) in (try? move.move(file.name)) != nil }) else { continue }
      move.end()
      move.source.removeEmptyFolder()
    }
    for place in places where !TrashMove.isOpen(for: place) && returnStrays(in: place) { isChanged = true }
    folder.removeEmptyFolder()
    return isChanged
  }

  /// Moves files without a take file back to the library if a take there names and misses them: earlier versions
  /// moved the take file last, and kept no journal. Returns whether there were any.
  private func returnStrays(in place: FilePath) -> Bool {
    guard let entries = try? TakeLibrary(place).entriesWaiting(),
      entries.allSatisfy({ $0.kind == .takelessMaster }), let names = try? place.entryNames()
    else { return false }
    var isChanged = false
    for name in names {
      let home = library.folder.appending(name)
      guard !home.exists, library.misses(name),
        let lock = try? FileLock([place.appending(name)], for: .changing)
      else { continue }
      defer { lock.release() }
      if (try? place.appending(name).move(into: library.folder)) != nil { isChanged = true }
    }
    if isChanged { place.removeEmptyFolder() }
    return isChanged
  }

  /// Deletes the items that were removed more than `time` ago, for good, but no files of other programs. Groups in the
  /// library then no longer name their takes.
  ///
  /// - Throws: `OvercrankError` if a file cannot be deleted; the others are.
  public func empty(olderThan time: Duration = .zero) throws(OvercrankError) {
    let oldest = Date().addingTimeInterval(-(time / .seconds(1))).timeIntervalSince1970
    var failure: OvercrankError?
    for place in places where Self.removal(place) <= oldest {
      guard let entries = try? TakeLibrary(place).entriesWaiting(), !entries.isEmpty else { continue }
      for name in (try? place.entryNames()) ?? [] {
        do throws(OvercrankError) { try place.appending(name).removeFile() } catch {
          failure = failure ?? error
        }
      }
      place.removeEmptyFolder()
      for entry in entries {
        do throws(OvercrankError) { try forgetInGroups(entry) } catch { failure = failure ?? error }
      }
    }
    folder.removeEmptyFolder()
    if let failure { throw failure }
  }

  /// Takes a take that was deleted for good out of the groups of the library, unless there is another of its name.
  private func forgetInGroups(_ entry: LibraryEntry) throws(OvercrankError) {
    guard TakeFiles.isTake(entry.path.name), !entry.path.exists else { return }
    let name = entry.path.name
    let take = library.folder.appending(name)
    guard !take.exists, !places.contains(where: { $0.appending(name).exists }) else { return }
    for group in StoredGroup.inFolder(library.folder) { _ = try group.forget(take: take) }
  }

  /// Returns the time of a removal, in seconds since 1970.
  private static func removal(_ place: FilePath) -> Double {
    guard let status = try? Stat(place) else { return 0 }
    return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
  }
}

extension TakeLibrary {
  /// Returns whether a take names the video `name`, which is not here.
  fileprivate func misses(_ name: String) -> Bool {
    ((try? entriesWaiting()) ?? []).contains {
      $0.problems.contains(.masterMissing(name)) || $0.problems.contains(.clipMissing(name))
    }
  }
}

extension FilePath {
  func move(into folder: FilePath) throws(OvercrankError) {
    do throws(Errno) { try rename(to: folder.appending(name), replacing: false) } catch {
      throw OvercrankError(
        .inputOutput,
        "\(self): cannot be moved to \(folder): \(error.inWords). \(error.remedy ?? "Try again.")")
    }
  }

  /// Removes this folder if it is empty. The corresponding call is rmdir(2).
  func removeEmptyFolder() { _ = withPlatformString { rmdir($0) } }
}
