internal import CLinux
import FoundationEssentials
internal import Glibc
package import SystemPackage

extension FilePath {
  /// Creates the path that a user gave.
  ///
  /// A trailing slash means a folder. `FilePath` drops it, so a dot is appended, which means the same to
  /// every call: see path_resolution(7).
  package init(given text: String) {
    let path = FilePath(text)
    let namesFolder = text.hasSuffix("/") && path.lastComponent?.kind == .regular
    self = namesFolder ? path.appending(".") : path
  }

  /// The absolute path.
  package var absolutePath: String {
    FilePath(FileManager.default.currentDirectoryPath).pushing(self).lexicallyNormalized().string
  }

  /// The last component; empty if there is none.
  package var name: String { lastComponent?.string ?? "" }

  /// The path without its extension.
  package var withoutExtension: FilePath {
    var path = self
    path.extension = nil
    return path
  }

  /// Returns a message about this file without the path at its beginning, for a place that names the file itself.
  package func omitted(from message: String) -> String {
    let prefix = ["\(self): ", "\(self) "].first(where: message.hasPrefix)
    return String(message.dropFirst(prefix?.count ?? 0))
  }

  /// Returns the path of the file called `name` in the same folder.
  package func beside(_ name: String) -> FilePath { removingLastComponent().appending(name) }

  /// The folder that holds this file; `.` for a bare name.
  package var folder: FilePath {
    let parent = removingLastComponent()
    return parent.isEmpty ? "." : parent
  }

  /// Whether it is a symbolic link that leads out of its folder.
  package var isLinkElsewhere: Bool {
    guard (try? Stat(self, followTargetSymlink: false))?.type == .symbolicLink else { return false }
    return !resolvingLinks.starts(with: folder.resolvingLinks)
  }

  /// Refuses a symbolic link, which a file that is written anew would replace.
  ///
  /// - Throws: ``OvercrankError/Code/cannotCreate``, with the link's target.
  package func checkIsNoLink() throws(OvercrankError) {
    guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: string) else { return }
    throw OvercrankError(
      .cannotCreate,
      "\(self): is a symbolic link, which the changed file would replace. Change its target, \(target).")
  }

  /// Returns the file with the same name and one of these extensions, in lower case or in capitals, as phones and
  /// some file systems have them; `nil` if there is none.
  package func sibling(_ extensions: String...) -> FilePath? {
    let spellings = extensions + extensions.map { $0.uppercased() }
    return spellings.map { beside("\(stem ?? name).\($0)") }.first(where: \.exists)
  }

  /// The path with all symbolic links resolved.
  package var resolvingLinks: FilePath {
    FilePath(URL(filePath: string).resolvingSymlinksInPath().path)
  }

  /// Removes the file. Returns 0, or -1 with `errno` set. The corresponding call is unlink(2).
  @discardableResult
  package func unlink() -> CInt { withPlatformString { Glibc.unlink($0) } }

  /// Refuses a file that may not be removed or replaced, so that several are removed only if all may be.
  ///
  /// The rules are those of the kernel: permission for the folder, the attributes of chattr(1), and the sticky bit of
  /// folders such as /tmp. A file that does not exist is not refused.
  ///
  /// - Throws: the error that its removal would throw.
  package func checkMayBeRemoved() throws(OvercrankError) {
    guard let status = try? Stat(self, followTargetSymlink: false) else { return }
    let (folder, user) = (folder, geteuid())
    guard folder.withPlatformString({ faccessat(AT_FDCWD, $0, W_OK | X_OK, AT_EACCESS) }) == 0 else {
      throw OvercrankError.removing(self, Errno(rawValue: errno))
    }
    // A final dot makes a link to the folder lead to the folder itself.
    var isKept = [self, folder.appending(".")].contains { $0.withPlatformString { clinux_is_kept($0) } != 0 }
    if user != 0, let place = try? Stat(folder), place.permissions.contains(.saveText) {
      isKept = isKept || ![status.userID.rawValue, place.userID.rawValue].contains(user)
    }
    if isKept { throw OvercrankError.removing(self, .notPermitted) }
  }

  /// Renames the file. The corresponding calls are rename(2), and renameat2(2) with `RENAME_NOREPLACE`.
  ///
  /// - Parameters:
  ///   - target: the new path, on the same file system.
  ///   - isReplacing: whether a file there is replaced.
  package func rename(to target: FilePath, replacing isReplacing: Bool) throws(Errno) {
    let result = withPlatformString { old in
      target.withPlatformString { new in
        isReplacing ? (Glibc.rename(old, new) == 0 ? 0 : errno) : -clinux_rename_to_new(old, new)
      }
    }
    guard result == 0 else { throw Errno(rawValue: result) }
  }

  /// Whether the path, or the target of the link there, exists.
  package var exists: Bool { (try? Stat(self)) != nil }

  /// Returns the names in this folder, unordered. The corresponding calls are opendir(3) and readdir(3).
  ///
  /// - Throws: `Errno`, also if only part of the folder could be read, so that a partial list is never taken
  ///   for all.
  package func entryNames() throws(Errno) -> [String] {
    guard let folder = (isEmpty ? "." : self).withPlatformString({ opendir($0) }) else {
      throw Errno(rawValue: errno)
    }
    defer { closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(folder) else {
        guard errno == 0 else { throw Errno(rawValue: errno) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }
}
