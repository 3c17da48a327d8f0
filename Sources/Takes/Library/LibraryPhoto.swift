public import Media
public import Platform
public import SystemPackage

/// A still or a Motion Photo in a folder of takes.
public struct LibraryPhoto: Hashable, Sendable {
  /// Its file.
  public let path: FilePath
  /// The file's format.
  public let format: StillFormat
  /// The file's size in bytes.
  public let bytes: Int64
  /// The time of the file's last change, in UTC as ISO 8601.
  public let date: String

  /// Whether the file also contains a video.
  public var isMotionPhoto: Bool { path.name.hasSuffix(MotionPhotoFile.suffix) }

  /// Its name, without the suffix.
  public var name: String {
    isMotionPhoto ? String(path.name.dropLast(MotionPhotoFile.suffix.count)) : path.stem ?? path.name
  }

  /// The number of bytes at either end of a file that are searched for its tags.
  private static let reach = 4096

  /// Reads the photo at `path`; `nil` if there is none, or another program made it.
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
  /// The prefix of ``software`` in photos by this program.
  fileprivate static let ownSoftware = Array("Overcrank ".utf8)
}

extension TakeLibrary {
  /// Returns the folder's stills and Motion Photos that Overcrank made, newest first; blocks on the disk.
  ///
  /// Pictures by other programs are left out, as photos in the list can be removed.
  ///
  /// - Throws: `OvercrankError` as ``entries()`` does.
  public func photos() throws(OvercrankError) -> [LibraryPhoto] {
    let photos = try names().compactMap { LibraryPhoto(folder.appending($0)) }
    let keys = photos.map { ($0.date, $0.path.string) }
    return photos.indices.sorted { keys[$0] > keys[$1] }.map { photos[$0] }
  }

  /// Returns the photo at `path`; `nil` if there is none that Overcrank made.
  public func photo(at path: FilePath) -> LibraryPhoto? { LibraryPhoto(path) }
}
