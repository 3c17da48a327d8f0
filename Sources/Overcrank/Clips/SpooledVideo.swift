import Media
public import Platform
public import SystemPackage

/// A source read from a pipe into an unnamed file, because sources are read at several positions. The file is
/// deleted with this object.
public final class SpooledVideo: Sendable {
  /// The name for messages.
  static let name: FilePath = "standard input"

  private let file: ScratchFile

  private static let pieceSize = 1 << 20

  /// The number of bytes that show whether the input is a video: libav examines no more.
  private static let headSize: Int64 = 16 << 20

  /// Refuses input whose beginning is not that of a video, rather than fill the disk with an endless stream.
  private static func checkMayBeVideo(_ path: FilePath) throws(OvercrankError) {
    do throws(OvercrankError) { _ = try Demuxer(path) } catch {
      // The index of a MOV may come last, and much may precede a video's first frame.
      guard error.code == .badData, error.remedy == nil, !Demuxer.isCutOff(path) else { return }
      throw OvercrankError(error.code, error.description.replacing(path.string, with: name.string))
    }
  }

  /// The path for reading, valid as long as this object exists.
  public var path: FilePath { file.path }

  /// Copies `input` up to its end into an unnamed file in `folder`.
  ///
  /// - Throws: `OvercrankError` if it cannot be written, or if the input is empty.
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
          "standard input: reading failed after \(file.size) bytes: \(error as? Errno ?? .ioError). Write "
            + "the video to a file, and name that file.")
      }
      guard length > 0 else { break }
      _ = try file.append(UnsafeRawBufferPointer(rebasing: piece[..<length]))
      if !isChecked, file.size >= Self.headSize {
        try Self.checkMayBeVideo(file.path)
        isChecked = true
      }
    }
    guard file.size > 0 else {
      throw OvercrankError(.noInput, "standard input: is empty. Have another program write a video to it.")
    }
  }
}
