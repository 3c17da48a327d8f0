import Platform
import SystemPackage
public import Takes

extension LibraryEntry {
  /// The group that names the take, by its file in the take's folder or in the one above; `nil` if there is none.
  ///
  /// Reads all groups there: for several takes, use a `GroupIndex`.
  public var group: StoredGroup? {
    var index = GroupIndex()
    return index.group(ofTake: path)
  }

  /// Takes the take out of the groups that name it.
  ///
  /// - Parameters:
  ///   - kept: the file of a group that is left as it is.
  ///   - removed: called with the file of each group that has no other take, and was deleted.
  /// - Returns: the files of the other groups, which were written without the take.
  /// - Throws: `OvercrankError` if a group's file cannot be written or deleted.
  func forgetInGroups(
    but kept: FilePath? = nil, removed: (FilePath) -> Void = { _ in }
  ) throws(OvercrankError) -> [FilePath] {
    var changed: [FilePath] = []
    for group in StoredGroup.around(path.folder)
    where group.camera(ofTake: path) != nil && group.path.absolutePath != kept?.absolutePath {
      if try group.forget(take: path) { removed(group.path) } else { changed.append(group.path) }
    }
    return changed
  }
}
