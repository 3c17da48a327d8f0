import Overcrank

/// The destination that -o names: a file, or a folder for files with default names.
struct OutputPlace {
  /// The file; `nil` if none is named.
  let file: FilePath?
  /// The folder; `nil` if none is named. It may not exist yet.
  let folder: FilePath?

  /// Creates a place from a path: one with a trailing slash is a folder, and so is an existing folder, unless
  /// `isFileName` accepts the path as a file's name.
  init(_ path: FilePath?, isFileName: (FilePath) -> Bool) {
    let isFolder =
      path.map { path in
        path.lastComponent?.kind != .regular || !isFileName(path) && (try? Stat(path).type) == .directory
      } ?? false
    file = isFolder ? nil : path
    // The slash is a dot by now: see `FilePath(given:)`.
    folder = isFolder ? path.map { $0.lastComponent?.kind == .currentDirectory ? $0.folder : $0 } : nil
  }
}
