internal import Glibc
package import SystemPackage

/// A reproducible file, private to its owner: it appears whole, and the caller does not wait for the disk.
package enum CacheFile {
  /// Writes `bytes` to `path`, replacing what was there; missing folders are created, accessible only to
  /// their owner.
  ///
  /// - Throws: ``OvercrankError``; the previous file is then unchanged.
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
