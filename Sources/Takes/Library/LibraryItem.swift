import Platform
public import SystemPackage

/// The item of a library that a name stands for: a take, a photo or the remains of one, or a group of takes.
public enum LibraryItem: Hashable, Sendable {
  /// An item of the library's list.
  case entry(LibraryEntry)
  /// A group, with all its takes.
  case group(StoredGroup)

  /// The file of the item: that of ``LibraryEntry/path``, or the group's.
  public var path: FilePath {
    switch self {
    case .entry(let entry): entry.path
    case .group(let group): group.path
    }
  }
}

extension TakeLibrary {
  /// Returns the takes of `group` that exist, in the order of its cameras.
  public func takes(of group: StoredGroup) -> [LibraryEntry] {
    group.takeFiles.compactMap { path in
      guard (try? Stat(path, followTargetSymlink: false)) != nil else { return nil }
      return TakeLibrary(path.folder, version: version).entry(at: path)
    }
  }

  /// The groups whose files are in the folder, by their names. Damaged files are items of ``entries()``.
  public var groups: [StoredGroup] { StoredGroup.inFolder(folder) }

  /// Returns the group in the file at `path`; `nil` if no file of a group's name is there, or it cannot be read, and is an
  /// item of its own.
  func group(at path: FilePath) -> StoredGroup? {
    path.name.hasSuffix(TakeGroup.suffix) ? try? StoredGroup(path) : nil
  }

  /// Returns the group called `name` in the folder; `nil` if there is none.
  func group(named name: String) -> StoredGroup? {
    groups.first { $0.name == name }
  }

  /// Returns the group whose takes are `entries`, all of them; `nil` if there is none.
  func group(ofAll entries: [LibraryEntry]) -> StoredGroup? {
    var groups = GroupIndex()
    guard let first = entries.first, let group = groups.group(ofTake: first.path) else { return nil }
    let takes = takes(of: group).map(\.path.absolutePath)
    return Set(takes) == Set(entries.map(\.path.absolutePath)) ? group : nil
  }
}

extension StoredGroup {
  /// The take files of its cameras, which may be missing.
  public var takeFiles: [FilePath] { group.cameras.map { TakeGroup.path(of: $0, inGroupAt: path) } }
}
