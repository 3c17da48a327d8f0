import Glibc
public import Media
import Platform
public import SystemPackage

/// A film that came through a pipe, in a file without a name: a film is read in more places than one. The file goes with
/// this.
public final class SpooledFilm: Sendable {
  /// Where it can be read as long as this is there.
  public let path: FilePath
  private let file: FileDescriptor

  private static let pieceSize = 1 << 20

  /// Keeps what comes from `input` until its end in `folder`.
  ///
  /// - Throws: `MediaError` where that cannot be written, or nothing comes.
  public init(_ input: FileDescriptor = .standardInput, in folder: FilePath) throws(MediaError) {
    let name = folder.appending(".overcrank-\(getpid()).spool")
    do {
      let file = try FileDescriptor.open(
        name, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
      self.file = file
    } catch {
      throw MediaError(
        .cannotCreate,
        "\(folder): what comes at standard input is kept there while it is converted, and that cannot be written: "
          + "\(error as? Errno ?? .ioError). Choose another folder for the clip.")
    }
    path = FilePath("/proc/self/fd/\(file.rawValue)")
    do throws(FileError) { try name.removeFile() } catch { throw MediaError(error) }
    var count = 0
    do {
      let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 4096)
      defer { piece.deallocate() }
      while true {
        let length = try input.read(into: piece)
        guard length > 0 else { break }
        count += try file.writeAll(UnsafeRawBufferPointer(rebasing: piece[..<length]))
      }
    } catch {
      throw MediaError(
        .inputOutput,
        "standard input: \(count) bytes came, and then keeping them in \(folder) failed: "
          + "\(error as? Errno ?? .ioError). Write the film to a file, and name that.")
    }
    guard count > 0 else {
      throw MediaError(.noInput, "standard input: nothing came. Have another program write a film to it.")
    }
  }

  deinit { try? file.close() }
}
