public import Media
import Platform
public import Takes

extension LibraryPhoto {
  /// The picture in red, green and blue, made to fit into a square of `side` pixels and never enlarged.
  ///
  /// - Throws: `MediaError` with `unsupported` where it is no JPEG, `badData` where it is damaged.
  public func picture(fitting side: Int) throws(MediaError) -> Picture {
    guard format == .jpeg else {
      throw MediaError(.unsupported, "\(path): is no JPEG, and small pictures are made of those alone.")
    }
    let file: [UInt8]
    do throws(FileError) { file = try InputFile.bytes(of: path, upTo: Self.largest) } catch {
      throw MediaError(error)
    }
    var decoder = try JPEGDecoder()
    let whole = try file.span.bytes.withUnsafeBytes { bytes throws(MediaError) in try decoder.decode(bytes) }
    let longest = max(whole.width, whole.height, 1)
    let target = min(side, longest)
    func scaled(_ length: Int) -> Int { max(1, (length * target + longest / 2) / longest) }
    var converter = PictureConverter(
      width: scaled(whole.width), height: scaled(whole.height), color: .jpeg, layout: .rgb24)
    return try converter.convert(whole)
  }

  /// Removes the photo and its thumbnails.
  ///
  /// - Throws: `MediaError` where the file stays, with `busy` where another program is at work with it.
  public func remove() throws(MediaError) {
    try LibraryEntry.removing([path]) { file throws(MediaError) in
      do throws(FileError) { try file.removeFile() } catch { throw MediaError(error) }
    }
    Thumbnails().remove(of: [path])
  }

  /// More is no photo of a camera.
  private static let largest: Int64 = 1 << 28
}
