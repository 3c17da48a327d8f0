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

  /// Sets the label in the tags of its picture; `nil` removes it.
  ///
  /// - Throws: `OvercrankError` if the file cannot be rewritten, or has no room for the label; it is then
  ///   unchanged.
  func setLabel(_ label: String?) throws(OvercrankError) {
    let lock = try FileLock([path], for: .changing)
    defer { lock.release() }
    guard let labelled = format.labelling(try InputFile.bytes(of: path, upTo: Self.largest), label) else {
      throw OvercrankError(
        .unsupported, "\(path): its tags have no room for a label. Rename its file instead.")
    }
    var file = try OutputFile(path, replacing: true, canBeMadeAgain: true, havingLock: true)
    try file.write(labelled)
    try file.commit()
  }

  /// The largest file to read, in bytes; a camera's photo is smaller.
  static let largest: Int64 = 1 << 28
}
