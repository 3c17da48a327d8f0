public import Media
public import Platform
public import SystemPackage

/// A still or a Motion Photo that lies in a folder of takes.
public struct LibraryPhoto: Hashable, Sendable {
  /// Its file.
  public let path: FilePath
  /// What kind of file it is.
  public let format: StillFormat
  /// Its size.
  public let bytes: Int64
  /// When its file changed last, in UTC as ISO 8601.
  public let date: String

  /// Whether a film lies behind its picture.
  public var isMotionPhoto: Bool { path.name.hasSuffix(MotionPhotoFile.suffix) }

  /// Its name, without what it ends in.
  public var name: String {
    isMotionPhoto ? String(path.name.dropLast(MotionPhotoFile.suffix.count)) : path.stem ?? path.name
  }

  /// Bytes at either end of a file in which its tags are looked for.
  private static let reach = 4096

  /// The photo at `path`; `nil` where there is none, or another program made it.
  init?(_ path: FilePath) {
    guard let format = path.extension.flatMap(StillFormat.init(fileExtension:)),
      let status = try? Stat(path, followTargetSymlink: false), status.type == .regular,
      let file = try? InputFile(path)
    else { return nil }
    let ends = [0, max(0, file.size - Int64(Self.reach))]
    let isOwn = ends.contains { place in
      guard let bytes = try? file.bytes(at: place, count: Self.reach) else { return false }
      return bytes.contains(PhotoTags.ownSoftware)
    }
    guard isOwn else { return nil }
    self.path = path
    self.format = format
    bytes = file.size
    date = status.isoDate
  }
}

extension PhotoTags {
  /// What ``software`` begins with in what this program writes.
  fileprivate static let ownSoftware = Array("Overcrank ".utf8)
}

extension TakeLibrary {
  /// The stills and Motion Photos of the folder that Overcrank made, newest first; waits for the disk.
  ///
  /// Pictures of other programs are left alone: what is listed can be removed.
  ///
  /// - Throws: `OvercrankError` as ``entries()`` does.
  public func photos() throws(OvercrankError) -> [LibraryPhoto] {
    let photos = try names().compactMap { LibraryPhoto(folder.appending($0)) }
    let keys = photos.map { ($0.date, $0.path.string) }
    return photos.indices.sorted { keys[$0] > keys[$1] }.map { photos[$0] }
  }

  /// The photo at `path`; `nil` where there is none that Overcrank made.
  public func photo(at path: FilePath) -> LibraryPhoto? { LibraryPhoto(path) }
}
