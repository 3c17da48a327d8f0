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
  ///   - kept: the file of the group that is removed with all its takes; it is left as it is. Its other names, which hard
  ///     links give it, are deleted.
  ///   - removed: called with the file of each group that has no other take, and was deleted.
  /// - Returns: the files of the other groups, which were written without the take.
  /// - Throws: `OvercrankError` if a group's file cannot be written or deleted.
  func forgetInGroups(
    but kept: FilePath? = nil, removed: (FilePath) -> Void = { _ in }
  ) throws(OvercrankError) -> [FilePath] {
    var changed: [FilePath] = []
    let identity = kept.flatMap { FileIdentity($0) }
    for group in StoredGroup.around(path.folder)
    where group.camera(ofTake: path) != nil && group.path.absolutePath != kept?.absolutePath {
      if let identity, FileIdentity(group.path) == identity {
        // The file itself is locked for its removal, and cannot be written.
        try group.path.removeFile()
        removed(group.path)
      } else if try group.forget(take: path) {
        removed(group.path)
      } else {
        changed.append(group.path)
      }
    }
    return changed
  }

  /// Refuses to remove the take if a group file that may name it cannot be read, and thus cannot forget it.
  ///
  /// - Throws: `OvercrankError` with `badData`, and the remedy.
  func checkCanBeForgotten() throws(OvercrankError) {
    guard TakeFiles.isTake(path.name) else { return }
    for file in StoredGroup.damaged(around: path.folder) {
      guard case .damagedGroup(let error) = file.kind, file.mayName(path) else { continue }
      throw OvercrankError(
        .badData,
        "\(path): was not removed, because a group file that may name it cannot be read. \(error) You can also "
          + "remove that file first: its takes stay.", subject: file.path.string)
    }
  }

  /// Returns whether a group file that cannot be read may name the take in the file at `take`: by its text, or by the
  /// names that a recording gives to takes and their group.
  private func mayName(_ take: FilePath) -> Bool {
    let stem = take.name.dropLast(TakeFiles.takeSuffix.count)
    if stem.hasPrefix(name + "-"), stem.dropFirst(name.count + 1).wholeMatch(of: /[A-Z][0-9]*/) != nil {
      return true
    }
    guard let bytes = try? InputFile.bytes(of: path, upTo: 1 << 20) else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    return ["\"", "/"].contains { text.contains($0 + take.name) }
  }
}
