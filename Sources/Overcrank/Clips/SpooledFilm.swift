import Media
public import Platform
public import SystemPackage

/// A film that came through a pipe, in a file without a name: a film is read in more places than one. The file goes with
/// this.
public final class SpooledFilm: Sendable {
  /// What it is called in messages.
  static let name: FilePath = "standard input"

  private let file: ScratchFile

  private static let pieceSize = 1 << 20

  /// So many bytes show whether they are a film's: libav looks at no more.
  private static let headSize: Int64 = 16 << 20

  /// Refuses what is no film by its beginning, rather than fill the disk with what may have no end.
  private static func checkMayBeFilm(_ path: FilePath) throws(OvercrankError) {
    do throws(OvercrankError) { _ = try Demuxer(path) } catch {
      // The index of a MOV may come last, and much may lie in front of a film's first frame.
      guard error.code == .badData, error.remedy == nil, !Demuxer.isCutOff(path) else { return }
      throw OvercrankError(error.code, error.description.replacing(path.string, with: name.string))
    }
  }

  /// Where it can be read as long as this is there.
  public var path: FilePath { file.path }

  /// Keeps what comes from `input` until its end in `folder`.
  ///
  /// - Throws: `OvercrankError` where that cannot be written, or nothing comes.
  public init(_ input: FileDescriptor = .standardInput, in folder: FilePath) throws(OvercrankError) {
    file = try ScratchFile(in: folder)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 4096)
    defer { piece.deallocate() }
    var isChecked = false
    while true {
      let length: Int
      do {
        length = try input.read(into: piece)
      } catch {
        throw OvercrankError(
          .inputOutput,
          "standard input: \(file.size) bytes came, and then reading failed: \(error as? Errno ?? .ioError). "
            + "Write the film to a file, and name that.")
      }
      guard length > 0 else { break }
      _ = try file.append(UnsafeRawBufferPointer(rebasing: piece[..<length]))
      if !isChecked, file.size >= Self.headSize {
        try Self.checkMayBeFilm(file.path)
        isChecked = true
      }
    }
    guard file.size > 0 else {
      throw OvercrankError(.noInput, "standard input: nothing came. Have another program write a film to it.")
    }
  }
}
