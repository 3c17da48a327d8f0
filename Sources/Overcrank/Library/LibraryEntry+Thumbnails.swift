public import Platform
import Media
public import SystemPackage
public import Takes

extension LibraryEntry {
  /// Writes thumbnails of the take's films, which show the trigger's frame, else the middle one.
  ///
  /// - Returns: what was written.
  /// - Throws: `OvercrankError` where there is no film, none that can be read, or no place for them.
  public func writeThumbnails(to thumbnails: Thumbnails = Thumbnails()) throws(OvercrankError) -> [FilePath] {
    var pictures = try TakePictures(self, allowingClip: true)
    let picture = try pictures.picture(pictures.keyIndex, fitting: Thumbnails.Size.xxLarge.side)
    return try thumbnails.write(picture, of: clips + [master].compactMap(\.self))
  }
}
