import Glibc
public import SystemPackage

/// A file that is read as a whole: a table, a profile, a take.
public enum WholeFile {
  /// What is in the file at `path`.
  ///
  /// It is read as a stream, as it may come out of a pipe. A named pipe that nobody writes to is empty.
  ///
  /// - Throws: `Errno`; `fileTooLarge` where there are more than `limit` bytes, as in `/dev/zero`.
  public static func bytes(of path: FilePath, atMost limit: Int) throws(Errno) -> [UInt8] {
    do {
      // Without waiting for whoever writes to a pipe; what is written there is waited for.
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      _ = fcntl(file.rawValue, F_SETFL, fcntl(file.rawValue, F_GETFL) & ~O_NONBLOCK)
      return try file.closeAfter { try bytes(from: file, atMost: limit) }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// What is still to be read from `source`.
  ///
  /// - Throws: `Errno`; `fileTooLarge` where there are more than `limit` bytes.
  public static func bytes(from source: FileDescriptor, atMost limit: Int) throws(Errno) -> [UInt8] {
    do {
      var bytes: [UInt8] = []
      var block = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = try block.withUnsafeMutableBytes { try source.read(into: $0) }
        guard count > 0 else { return bytes }
        bytes += block.prefix(count)
        guard bytes.count <= limit else { throw Errno.fileTooLarge }
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
