import Capture
import Platform
import SystemPackage

/// The files of a burst that takes the place of others.
///
/// The others keep their names until all of its pictures are on the disk: whenever it fails or the program is killed,
/// each name has its former picture or the new one.
final class BurstReplacement {
  /// A picture without its name.
  private final class Picture {
    private var file: OutputFile?

    init(_ bytes: [UInt8], at path: FilePath) throws(OvercrankError) {
      // The lock is that of the burst.
      var file = try OutputFile(path, replacing: true, havingLock: true)
      try file.write(bytes)
      try file.bringToDisk()
      self.file = consume file
    }

    func commit() throws(OvercrankError) {
      guard let file = file.take() else { return }
      try file.commit()
    }
  }

  private let former: [FilePath]
  private let lock: FileLock
  private var pictures: [Picture] = []
  private var paths: [FilePath] = []

  /// Locks the files that are replaced or removed.
  ///
  /// - Parameters:
  ///   - former: the pictures of the former burst; those that are not replaced are removed.
  ///   - others: other files that may be replaced.
  /// - Throws: `OvercrankError` with `busy` if another program uses one of them.
  init(of former: [FilePath], and others: [FilePath]) throws(OvercrankError) {
    lock = try FileLock(former + others, for: .changing)
    self.former = former
  }

  /// Brings `still` to the disk, without its name.
  ///
  /// - Throws: `OvercrankError`; nothing was replaced.
  func add(_ still: Still, at path: FilePath) throws(OvercrankError) {
    pictures.append(try Picture(still.bytes, at: path))
    paths.append(path)
  }

  /// Gives the pictures their names, and removes the former files that none of them replaced, so that a shorter burst is
  /// not mixed with the rest of a longer one. Without pictures, nothing changes.
  ///
  /// - Throws: `OvercrankError`; the pictures that could be given their names have them.
  func commit() throws(OvercrankError) {
    guard !pictures.isEmpty else { return }
    defer { lock.release() }
    var failure: OvercrankError?
    for picture in pictures {
      do throws(OvercrankError) { try picture.commit() } catch { failure = failure ?? error }
    }
    if let failure { throw Self.adding("Other pictures of the burst may have been replaced.", to: failure) }
    let new = Set(paths.compactMap { FileIdentity($0) })
    Thumbnails().remove(of: former)
    for file in former {
      guard let identity = FileIdentity(file), !new.contains(identity) else { continue }
      do throws(OvercrankError) { try file.removeFile() } catch {
        throw Self.adding("The new burst is complete, but this picture of the former one is left.", to: error)
      }
    }
  }

  /// Returns `error`, which came before ``commit()``, with what remains.
  static func nothingReplaced(_ error: OvercrankError) -> OvercrankError {
    adding("The former pictures are unchanged, and no new one was kept.", to: error)
  }

  private static func adding(_ words: String, to error: OvercrankError) -> OvercrankError {
    OvercrankError(
      error.code, "\(error) \(words)", remedy: error.remedy, cause: error.cause, subject: error.subject)
  }
}
