import FoundationEssentials
public import Media
public import Platform
public import SystemPackage
public import Takes

/// Thumbnails of files for file managers, by the Thumbnail Managing Standard of freedesktop.org.
///
/// A thumbnail is valid as long as its file has not changed since. A file manager that finds it needs no
/// video decoder.
public struct Thumbnails: Hashable, Sendable {
  /// A size, named by its folder.
  public enum Size: String, CaseIterable, Hashable, Sendable {
    case normal, large
    case xLarge = "x-large"
    case xxLarge = "xx-large"

    /// The longest side, in pixels.
    public var side: Int {
      switch self {
      case .normal: 128
      case .large: 256
      case .xLarge: 512
      case .xxLarge: 1024
      }
    }
  }

  /// The folder that holds a folder for each size.
  public let folder: FilePath

  /// Creates thumbnails in `folder`; `nil` for `$XDG_CACHE_HOME/thumbnails`, or else `~/.cache/thumbnails`.
  public init(_ folder: FilePath? = nil) {
    self.folder = folder ?? UserFolders.cache.appending("thumbnails")
  }

  /// Returns the path of the thumbnail of the file at `path`, which may not exist.
  public func path(of path: FilePath, _ size: Size) -> FilePath {
    folder.appending(size.rawValue).appending(md5(Self.uri(of: path)) + ".png")
  }

  /// Writes thumbnails of `files` in all sizes, all with the same `picture`.
  ///
  /// - Parameters:
  ///   - picture: an RGB picture; not enlarged, so at least as large as the largest size for best quality.
  ///   - files: the files that the thumbnails represent.
  /// - Returns: the paths of the thumbnails written.
  /// - Throws: `OvercrankError` if a picture cannot be made, or a file cannot be written.
  public func write(_ picture: Picture, of files: [FilePath]) throws(OvercrankError) -> [FilePath] {
    var written: [FilePath] = []
    for size in Size.allCases {
      let png = try Self.scaled(picture, to: size.side).encoded(as: .png)
      for file in files {
        guard let status = try? Stat(file) else { continue }
        let notes = [
          ("Thumb::URI", Self.uri(of: file)), ("Thumb::MTime", "\(status.st_mtim.tv_sec)"),
          ("Thumb::Size", "\(status.size)"), ("Software", "Overcrank \(Version.current)"),
        ].map { (key: $0.0, text: $0.1) }
        let path = path(of: file, size)
        try CacheFile.write(PNGNotes.adding(notes, to: png), to: path)
        written.append(path)
      }
    }
    return written
  }

  /// Removes the thumbnails of deleted files.
  public func remove(of files: [FilePath]) {
    for file in files { for size in Size.allCases { path(of: file, size).unlink() } }
  }

  private static func scaled(_ picture: Picture, to side: Int) throws(OvercrankError) -> Picture {
    let longest = max(picture.width, picture.height)
    guard longest > side else { return picture }
    func scaled(_ length: Int) -> Int { max(1, (length * side + longest / 2) / longest) }
    var converter = PictureConverter(
      width: scaled(picture.width), height: scaled(picture.height), color: picture.color, layout: .rgb24)
    return try converter.convert(picture)
  }

  /// Returns the file's URI as GLib forms it: the absolute path, with all characters escaped except letters,
  /// digits and those in `kept`.
  static func uri(of path: FilePath) -> String {
    let absolute = FilePath(FileManager.default.currentDirectoryPath).pushing(path).lexicallyNormalized()
    let digits = Array("0123456789ABCDEF")
    return "file://"
      + absolute.string.utf8.map { byte in
        let character = Character(UnicodeScalar(byte))
        let isKept =
          byte < 0x80 && (character.isLetter || character.isNumber || Self.kept.contains(character))
        return isKept ? String(character) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }.joined()
  }

  private static let kept = Set("-_.~!*'()/&=:@+$,")
}

extension LibraryEntry {
  /// Writes thumbnails of the take's videos, which show the trigger's frame, or else the middle one.
  ///
  /// - Returns: the paths of the thumbnails written.
  /// - Throws: `OvercrankError` if there is no readable video, or the thumbnails cannot be written.
  public func writeThumbnails(to thumbnails: Thumbnails = Thumbnails()) throws(OvercrankError) -> [FilePath] {
    var pictures = try TakePictures(self, allowingClip: true)
    let picture = try pictures.picture(pictures.keyIndex, fitting: Thumbnails.Size.xxLarge.side)
    return try thumbnails.write(picture, of: clips + [master].compactMap(\.self))
  }
}
