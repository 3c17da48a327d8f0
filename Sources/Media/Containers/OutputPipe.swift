internal import Glibc
public import Platform
public import SystemPackage

/// What somebody else has opened for a film to go to while it is made: standard output, a pipe, a socket.
public final class OutputPipe: Sendable {
  /// What errors call it.
  public let name: FilePath
  private let descriptor: FileDescriptor
  /// How many bytes are written at once.
  private let pieceSize: Int

  /// How often a reader that takes nothing has this look whether it is still wanted, in milliseconds.
  private static let patience: Int32 = 100

  /// - Parameters:
  ///   - descriptor: stays open.
  ///   - name: what errors call it.
  public init(_ descriptor: FileDescriptor, name: FilePath) {
    self.descriptor = descriptor
    self.name = name
    // POLLOUT promises that so much can be written to a pipe without waiting (pipe(7), PIPE_BUF); files never wait.
    let isFile = (try? descriptor.stat().type) == .regular
    pieceSize = isFile ? 1 << 20 : 4096
  }

  /// Writes `bytes`, and waits for whoever reads them.
  ///
  /// - Throws: `readerLeft` where nobody reads any more, `cancelled` where the task
  ///   was cancelled meanwhile, `inputOutput`.
  func write(_ bytes: UnsafeRawBufferPointer) throws(OvercrankError) {
    var rest = bytes
    while !rest.isEmpty {
      guard !Task.isCancelled else {
        throw OvercrankError(
          .cancelled, "\(name): stopped before the end; what was written is no whole film.")
      }
      var wanted = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
      guard poll(&wanted, 1, Self.patience) != 0 else { continue }
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(pieceSize))
      do throws(Errno) {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(try write(piece: piece)))
      } catch .resourceTemporarilyUnavailable, .interrupted {
        continue
      } catch .brokenPipe, .connectionReset {
        throw OvercrankError(.readerLeft, "\(name): whoever read it has left before the end.")
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

/// Where a film goes.
public enum MuxerOutput: ~Copyable, Sendable {
  /// A file, which gets its name when it is whole.
  case file(OutputFile)
  /// Whatever reads it while it is made.
  case pipe(OutputPipe)

  /// What errors call it.
  var path: FilePath {
    switch self {
    case .file(let file): file.path
    case .pipe(let pipe): pipe.name
    }
  }
}
