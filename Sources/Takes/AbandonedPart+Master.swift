import Media
import Platform
import SystemPackage

/// What a master that was cut off left, with errors told as those of a film.
extension AbandonedPart {
  /// The part of the master at `path`.
  static func ofMaster(at path: FilePath) throws(MediaError) -> AbandonedPart {
    do throws(FileError) { return try AbandonedPart(of: path) } catch { throw MediaError(error) }
  }

  /// Its journal; `nil` where there is none.
  borrowing func entries() throws(MediaError) -> InputFile? {
    do throws(FileError) { return try journal() } catch { throw MediaError(error) }
  }
}
