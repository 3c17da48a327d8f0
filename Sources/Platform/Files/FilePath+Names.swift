import FoundationEssentials
internal import Glibc
package import SystemPackage

extension FilePath {
  /// The path that a person gave.
  ///
  /// A slash at its end says that a folder is meant. `FilePath` drops it, so a dot is put behind it,
  /// which means the same to every call: see path_resolution(7).
  package init(given text: String) {
    let path = FilePath(text)
    let namesFolder = text.hasSuffix("/") && path.lastComponent?.kind == .regular
    self = namesFolder ? path.appending(".") : path
  }

  /// The last component; empty where there is none.
  package var name: String { lastComponent?.string ?? "" }

  /// The path without its extension.
  package var withoutExtension: FilePath {
    var path = self
    path.extension = nil
    return path
  }

  /// The file called `name` in the folder of this one.
  package func beside(_ name: String) -> FilePath { removingLastComponent().appending(name) }

  /// The folder that holds this file; `.` for a bare name.
  package var folder: FilePath {
    let parent = removingLastComponent()
    return parent.isEmpty ? "." : parent
  }

  /// Where the links on the way lead to.
  package var resolvingLinks: FilePath {
    FilePath(URL(filePath: string).resolvingSymlinksInPath().path)
  }

  /// Removes the file; 0, or -1 and `errno`. The corresponding call is unlink(2).
  @discardableResult
  package func unlink() -> CInt { withPlatformString { Glibc.unlink($0) } }

  /// Whether there is something, at the end of a link too.
  package var isThere: Bool { (try? Stat(self)) != nil }

  /// The names in this folder, in no order. The corresponding calls are opendir(3) and readdir(3).
  ///
  /// - Throws: `Errno`, also where the folder can be read in part only: nobody takes that for all there is.
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
