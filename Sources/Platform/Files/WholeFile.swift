import Glibc
package import SystemPackage

/// A reader of whole files, such as a table, a profile or a take.
package enum WholeFile {
  /// The time in which a writer must start to write into a named pipe, in milliseconds.
  private static let usualPatience: Int32 = 10_000

  /// Returns the content of the file at `path`.
  ///
  /// It is read as a stream, because it may be a pipe: in that case this waits a while for a writer to begin,
  /// and then for the end.
  ///
  /// - Throws: `Errno`; `fileTooLarge` if there are more than `limit` bytes, as in `/dev/zero`, `timedOut` if
  ///   no program writes into a pipe, and `wouldBlock` if a file that is not a pipe has no end, such as
  ///   `/proc/kmsg`. ``reason(_:)`` describes these in words.
  package static func bytes(of path: FilePath, atMost limit: Int) throws(Errno) -> [UInt8] {
    try bytes(of: path, atMost: limit, patience: usualPatience)
  }

  /// Returns the same with another timeout.
  static func bytes(of path: FilePath, atMost limit: Int, patience: Int32) throws(Errno) -> [UInt8] {
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      return try file.closeAfter {
        guard try file.stat().type == .fifo else { return try bytes(from: file, atMost: limit) }
        let first = try firstByte(ofPipe: file, patience)
        _ = fcntl(file.rawValue, F_SETFL, fcntl(file.rawValue, F_GETFL) & ~O_NONBLOCK)
        return try first + bytes(from: file, atMost: limit)
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Waits until a pipe is readable, and returns its first byte. Returns none if nothing was written, or a
  /// writer has it open but has not written yet.
  private static func firstByte(ofPipe pipe: FileDescriptor, _ patience: Int32) throws(Errno) -> [UInt8] {
    var entry = pollfd(fd: pipe.rawValue, events: Int16(POLLIN), revents: 0)
    var count = poll(&entry, 1, patience)
    while count == -1, errno == EINTR { count = poll(&entry, 1, patience) }
    var byte: UInt8 = 0
    switch read(pipe.rawValue, &byte, 1) {
    case 1: return [byte]
    // End of file without data: no writer came within the timeout.
    case 0 where count == 0: throw .timedOut
    default: return []
    }
  }

  /// Returns the error for a file at `path` that could not be read as a whole.
  package static func failure(_ path: FilePath, _ errno: Errno) -> OvercrankError {
    switch errno {
    case .timedOut, .wouldBlock: OvercrankError(.noInput, "\(path): cannot be read: \(reason(errno)).")
    default: .opening(path, errno)
    }
  }

  /// Describes why a file could not be read.
  package static func reason(_ errno: Errno) -> String {
    switch errno {
    case .timedOut: "it is a pipe that no program writes to. Start the writing program first, then this one"
    case .wouldBlock: "it is a stream, not a file with an end. Copy its bytes into a file"
    default: "\(errno) (errno \(errno.rawValue))"
    }
  }

  /// Returns the rest of `source`.
  ///
  /// - Throws: `Errno`; `fileTooLarge` if there are more than `limit` bytes.
  package static func bytes(from source: FileDescriptor, atMost limit: Int) throws(Errno) -> [UInt8] {
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
