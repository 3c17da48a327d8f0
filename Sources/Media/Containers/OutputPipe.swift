internal import Glibc
public import Platform
public import SystemPackage

/// A descriptor to which a video is written while it is made, opened by another program: standard output, a
/// pipe, a socket.
public final class OutputPipe: Sendable {
  /// The name used in errors.
  public let name: FilePath
  private let descriptor: FileDescriptor
  /// The number of bytes per write.
  private let pieceSize: Int

  /// The interval at which a blocked write checks for cancellation, in milliseconds.
  private static let patience: Int32 = 100

  /// - Parameters:
  ///   - descriptor: the open descriptor; the pipe does not close it.
  ///   - name: the name used in errors.
  public init(_ descriptor: FileDescriptor, name: FilePath) {
    self.descriptor = descriptor
    self.name = name
    // POLLOUT guarantees that this many bytes can be written to a pipe without waiting (pipe(7), PIPE_BUF);
    // files never wait.
    let isFile = (try? descriptor.stat().type) == .regular
    pieceSize = isFile ? 1 << 20 : 4096
  }

  /// Writes `bytes`, waiting for their reader.
  ///
  /// - Throws: `readerLeft` if the reader has ended, `cancelled` if the task was cancelled meanwhile,
  ///   `inputOutput`.
  func write(_ bytes: UnsafeRawBufferPointer) throws(OvercrankError) {
    var rest = bytes
    while !rest.isEmpty {
      guard !Task.isCancelled else {
        throw OvercrankError(
          .cancelled, "\(name): stopped before the end; what was written is not a complete video.")
      }
      var wanted = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
      guard poll(&wanted, 1, Self.patience) != 0 else { continue }
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(pieceSize))
      do throws(Errno) {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(try write(piece: piece)))
      } catch .resourceTemporarilyUnavailable, .interrupted {
        continue
      } catch .brokenPipe, .connectionReset {
        throw OvercrankError(.readerLeft, "\(name): the program that read it stopped before the end.")
      } catch {
        throw OvercrankError(
          .inputOutput,
          "\(name): cannot be written: \(error.inWords). \(error.remedy ?? "Write to a file instead.")")
      }
    }
  }

  private func write(piece: UnsafeRawBufferPointer) throws(Errno) -> Int {
    let count = Glibc.write(descriptor.rawValue, piece.baseAddress, piece.count)
    guard count >= 0 else { throw Errno(rawValue: errno) }
    return count
  }
}

/// The destination of a muxer.
public enum MuxerOutput: ~Copyable, Sendable {
  /// A file, which gets its name when it is complete.
  case file(OutputFile)
  /// A pipe whose reader gets the video while it is made.
  case pipe(OutputPipe)

  /// The name used in errors.
  var path: FilePath {
    switch self {
    case .file(let file): file.path
    case .pipe(let pipe): pipe.name
    }
  }

  /// The folder for data that is needed only until the output is written.
  package var scratchFolder: FilePath {
    switch self {
    case .file(let file): file.path.folder
    case .pipe: "/var/tmp"
    }
  }
}
