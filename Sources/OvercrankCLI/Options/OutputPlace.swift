import Overcrank

/// What -o names: a file, or a folder for files with names of their own.
struct OutputPlace {
  /// The file; `nil` where none is named.
  let file: FilePath?
  /// The folder; `nil` where none is named. It may not be there yet.
  let folder: FilePath?

  /// A slash at the end names a folder; so does a folder that is there, unless `isFileName` says that a
  /// file is called so.
  init(_ path: FilePath?, isFileName: (FilePath) -> Bool) {
    let isFolder =
      path.map { path in
        path.lastComponent?.kind != .regular || !isFileName(path) && (try? Stat(path).type) == .directory
      } ?? false
    file = isFolder ? nil : path
    // The slash has become a dot: see `FilePath(given:)`.
    folder = isFolder ? path.map { $0.lastComponent?.kind == .currentDirectory ? $0.folder : $0 } : nil
  }
}
