import Media
import Platform
import SystemPackage

/// What a master that was cut off left, with errors told as those of a film.
extension AbandonedPart {
  /// The part of the master at `path`.
  static func ofMaster(at path: FilePath) throws(MediaError) -> AbandonedPart {
    do throws(FileError) { return try AbandonedPart(of: path) } catch { throw MediaError(error) }
  }

  /// What its journal holds; `nil` where there is none.
  borrowing func entries() throws(MediaError) -> [UInt8]? {
    do throws(FileError) { return try journal() } catch { throw MediaError(error) }
  }

  /// The `count` bytes at `offset`; `nil` where it has fewer.
  borrowing func content(at offset: Int64, count: Int) throws(MediaError) -> [UInt8]? {
    do throws(FileError) { return try bytes(at: offset, count: count) } catch { throw MediaError(error) }
  }
}
