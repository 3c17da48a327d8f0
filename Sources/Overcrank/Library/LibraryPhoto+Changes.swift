public import Media
public import Platform
public import Takes

extension LibraryPhoto {
  /// Returns the picture in RGB, reduced to fit into a square of `side` pixels and never enlarged.
  ///
  /// - Throws: `OvercrankError` with `unsupported` if it is not a JPEG, `badData` if it is damaged.
  public func picture(fitting side: Int) throws(OvercrankError) -> Picture {
    guard format == .jpeg else {
      throw OvercrankError(.unsupported, "\(path): is not a JPEG, and small pictures are made only of JPEGs.")
    }
    let file = try InputFile.bytes(of: path, upTo: Self.largest)
    var decoder = try JPEGDecoder()
    let whole = try file.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
      try decoder.decode(bytes)
    }
    let longest = max(whole.width, whole.height, 1)
    let target = min(side, longest)
    func scaled(_ length: Int) -> Int { max(1, (length * target + longest / 2) / longest) }
    var converter = PictureConverter(
      width: scaled(whole.width), height: scaled(whole.height), color: .jpeg, layout: .rgb24)
    return try converter.convert(whole)
  }

  /// Deletes the photo and its thumbnails.
  ///
  /// - Throws: `OvercrankError` if the file cannot be deleted, with `busy` if another program is using it.
  public func remove() throws(OvercrankError) {
    try LibraryEntry.removing([path]) { file throws(OvercrankError) in
      try file.removeFile()
    }
    Thumbnails().remove(of: [path])
  }

  /// The largest file to read, in bytes; a camera's photo is smaller.
  private static let largest: Int64 = 1 << 28
}
