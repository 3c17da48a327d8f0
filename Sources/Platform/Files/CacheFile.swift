internal import Glibc
package import SystemPackage

/// A file that can be made again, for its owner's eyes alone: it appears whole, and nobody waits for the disk.
package enum CacheFile {
  /// Writes `bytes` to `path`, in place of what was there; folders on the way are made, open to their owner alone.
  ///
  /// - Throws: ``OvercrankError``; what was there before still is.
  package static func write(_ bytes: [UInt8], to path: FilePath) throws(OvercrankError) {
    makeFolder(path.folder)
    var random = SystemRandomNumberGenerator()
    let temporary = path.beside(".\(path.name).\(random.next())")
    do {
      let file = try FileDescriptor.open(
        temporary, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: .ownerReadWrite)
      try file.closeAfter { _ = try file.writeAll(bytes) }
      let result = temporary.withPlatformString { old in path.withPlatformString { rename(old, $0) } }
      guard result == 0 else { throw Errno(rawValue: errno) }
    } catch {
      temporary.unlink()
      throw OvercrankError.creating(path, error as? Errno ?? .ioError)
    }
  }

  private static func makeFolder(_ path: FilePath) {
    guard (try? Stat(path)) == nil, path.lastComponent != nil else { return }
    makeFolder(path.folder)
    _ = path.withPlatformString { mkdir($0, 0o700) }
  }
}
