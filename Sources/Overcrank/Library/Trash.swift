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

  private var folder: FilePath { library.folder.appending(".trash") }

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
  /// - Throws: `OvercrankError` if the entry is not a readable take or photo, or a file cannot be moved; with `busy`,
  ///   nothing was moved: another program is using one of its files, or has changed it. An interrupted call can be
  ///   repeated.
  public func add(_ entry: LibraryEntry) throws(OvercrankError) -> FilePath {
    let place = place(for: entry)
    for path in [folder, place] where (try? Stat(path, followTargetSymlink: false))?.type == .symbolicLink {
      throw OvercrankError(
        .cannotCreate,
        "\(path): is a symbolic link, and removed items are kept only in the library itself. Remove the link."
      )
    }
    try OwnFolder.make(place, as: "the folder for removed items", remedy: "Free the name, and try again.")
    defer { place.removeEmptyFolder() }
    try entry.takeAway { file throws(OvercrankError) in
      try file.move(into: place)
      Thumbnails().remove(of: [file])
    }
    return place.appending(entry.path.name)
  }

  /// Returns the folder for `entry`: that of an interrupted removal of it, or a new one.
  private func place(for entry: LibraryEntry) -> FilePath {
    var (name, number) = (entry.name, 1)
    let names = Set(entry.files.map(\.name) + [entry.path.name])
    while let there = try? folder.appending(name).entryNames(),
      there.contains(where: { names.contains($0) || $0.hasSuffix(TakeFiles.takeSuffix) })
    {
      number += 1
      name = "\(entry.name)-\(number)"
    }
    return folder.appending(name)
  }

  /// Moves the files of an entry in the trash back to the library, and returns its path there.
  ///
  /// - Throws: `OvercrankError` with `cannotCreate` if the library has a file of the same name; nothing was moved. An
  ///   interrupted call can be repeated.
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
    // The take file, or the picture, comes last: with it, the item is complete.
    for name in names.filter({ $0 != entry.path.name }) + [entry.path.name] {
      try place.appending(name).move(into: library.folder)
    }
    place.removeEmptyFolder()
    folder.removeEmptyFolder()
    return library.folder.appending(entry.path.name)
  }

  /// Deletes the items that were removed more than `time` ago, for good, but no files of other programs.
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
    }
    folder.removeEmptyFolder()
    if let failure { throw failure }
  }

  /// Returns the time of a removal, in seconds since 1970.
  private static func removal(_ place: FilePath) -> Double {
    guard let status = try? Stat(place) else { return 0 }
    return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
  }
}

extension FilePath {
  fileprivate func move(into folder: FilePath) throws(OvercrankError) {
    do throws(Errno) { try rename(to: folder.appending(name), replacing: false) } catch {
      throw OvercrankError(
        .inputOutput,
        "\(self): cannot be moved to \(folder): \(error.inWords). \(error.remedy ?? "Try again.")")
    }
  }

  /// Removes this folder if it is empty. The corresponding call is rmdir(2).
  fileprivate func removeEmptyFolder() { _ = withPlatformString { rmdir($0) } }
}
