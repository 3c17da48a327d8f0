import FoundationEssentials
import Platform
import SystemPackage

/// The move of an item's files between a library and its trash, with a journal in the trash until it has ended:
/// ``Trash/settle()`` finishes a move that was interrupted.
struct TrashMove {
  /// The folder in which the files were.
  let source: FilePath
  private let target: FilePath
  private let journal: FilePath
  private let content: Content

  private struct Content: Codable {
    /// The folder of the item in the trash.
    var place: String
    /// Whether it is removed, and not restored.
    var isRemoval: Bool
    /// The files, each with its marks: another file may get the name before an interrupted move is finished.
    var files: [String: [Int64]]
  }

  private static let suffix = ".moving"

  /// Returns whether a move to or from the folder `place` in the trash has not ended.
  static func isOpen(for place: FilePath) -> Bool { place.beside(place.name + suffix).exists }

  /// Writes the journal of a move of the files called `names` from one folder to another, one of which is a folder in
  /// the trash. The caller has locked the files.
  ///
  /// - Throws: `OvercrankError` if the journal cannot be written.
  init(of names: [String], from source: FilePath, to target: FilePath) throws(OvercrankError) {
    let isRemoval = target.folder.name == Trash.folderName
    let place = isRemoval ? target : source
    content = Content(
      place: place.name, isRemoval: isRemoval,
      files: Dictionary(
        names.compactMap { name in source.appending(name).marks.map { (name, $0) } },
        uniquingKeysWith: { $1 }))
    (self.source, self.target) = (source, target)
    journal = place.beside(place.name + Self.suffix)
    var file = try OutputFile(journal, replacing: true, canBeMadeAgain: true)
    do { try file.write(Array(JSONEncoder().encode(content))) } catch {
      throw error as? OvercrankError ?? OvercrankError(.badData, "\(journal): cannot be written: \(error)")
    }
    try file.commit()
  }

  /// Reads the journal at `path`; `nil` if it is none.
  init?(journal path: FilePath) {
    guard path.name.hasSuffix(Self.suffix), (try? Stat(path, followTargetSymlink: false))?.type == .regular,
      let bytes = try? InputFile.bytes(of: path, upTo: 1 << 24),
      let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)),
      // Names lead to no other folder.
      path.name == content.place + Self.suffix,
      content.files.keys.allSatisfy({ FilePath.Component($0)?.kind == .regular })
    else { return nil }
    let place = path.beside(content.place)
    let library = path.folder.folder
    (source, target) = content.isRemoval ? (library, place) : (place, library)
    journal = path
    self.content = content
  }

  /// The files that have not been moved yet; `nil` if the target is not a folder.
  var remaining: [FilePath]? {
    guard (try? Stat(target, followTargetSymlink: !content.isRemoval))?.type == .directory else { return nil }
    return content.files.filter { source.appending($0.key).marks == $0.value }.keys.sorted()
      .map { source.appending($0) }
  }

  /// Moves the file called `name`.
  ///
  /// - Throws: `OvercrankError`; the file is then where it was.
  func move(_ name: String) throws(OvercrankError) { try source.appending(name).move(into: target) }

  /// Moves everything back after a failure.
  func undo() {
    for (name, marks) in content.files where target.appending(name).marks == marks {
      try? target.appending(name).move(into: source)
    }
    end()
  }

  /// Removes the journal.
  func end() { try? journal.removeFile() }
}

extension FilePath {
  /// The inode, the size and the time of the last change, which a move keeps; `nil` if there is no file.
  fileprivate var marks: [Int64]? {
    (try? Stat(self, followTargetSymlink: false)).map {
      [
        Int64(clamping: $0.inode.rawValue), Int64($0.size), Int64($0.st_mtim.tv_sec),
        Int64($0.st_mtim.tv_nsec),
      ]
    }
  }
}
