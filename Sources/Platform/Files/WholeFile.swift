import Glibc
package import SystemPackage

/// A file that is read as a whole: a table, a profile, a take.
package enum WholeFile {
  /// How long somebody may take to begin to write into a named pipe, in milliseconds.
  private static let usualPatience: Int32 = 10_000

  /// What is in the file at `path`.
  ///
  /// It is read as a stream, as it may come out of a pipe: of that it waits for the end, and for a
  /// while for somebody to write into it.
  ///
  /// - Throws: `Errno`; `fileTooLarge` where there are more than `limit` bytes, as in `/dev/zero`,
  ///   `timedOut` where nobody writes into a pipe, and `wouldBlock` where a file that is no pipe has
  ///   no end, as `/proc/kmsg`. ``reason(_:)`` has words for these.
  package static func bytes(of path: FilePath, atMost limit: Int) throws(Errno) -> [UInt8] {
    try bytes(of: path, atMost: limit, patience: usualPatience)
  }

  /// The same, with another patience.
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

  /// Waits until there is something to read in a pipe, and takes the first byte of it. That is none
  /// where nothing was written, or nothing yet by somebody who has it open for that.
  private static func firstByte(ofPipe pipe: FileDescriptor, _ patience: Int32) throws(Errno) -> [UInt8] {
    var entry = pollfd(fd: pipe.rawValue, events: Int16(POLLIN), revents: 0)
    var count = poll(&entry, 1, patience)
    while count == -1, errno == EINTR { count = poll(&entry, 1, patience) }
    var byte: UInt8 = 0
    switch read(pipe.rawValue, &byte, 1) {
    case 1: return [byte]
    // The end, of what nobody has begun.
    case 0 where count == 0: throw .timedOut
    default: return []
    }
  }

  /// The error where the file at `path` could not be read as a whole.
  package static func failure(_ path: FilePath, _ errno: Errno) -> OvercrankError {
    switch errno {
    case .timedOut, .wouldBlock: OvercrankError(.noInput, "\(path): cannot be read: \(reason(errno)).")
    default: .opening(path, errno)
    }
  }

  /// Why a file could not be read, in words.
  package static func reason(_ errno: Errno) -> String {
    switch errno {
    case .timedOut: "it is a pipe that nobody writes into. Start what writes into it, then this"
    case .wouldBlock: "it is no file with an end, but gives bytes as they come. Copy them into a file"
    default: "\(errno) (errno \(errno.rawValue))"
    }
  }

  /// What is still to be read from `source`.
  ///
  /// - Throws: `Errno`; `fileTooLarge` where there are more than `limit` bytes.
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
