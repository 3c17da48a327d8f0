import FoundationEssentials
import Media
import Platform
import SystemPackage
import Takes

extension LibraryPhoto {
  /// Decodes a picture to its end, and the video that belongs to it; returns the damage, or `nil` if there is
  /// none.
  ///
  /// - Throws: `OvercrankError` if a file cannot be read, or is not what it should be.
  func damage(of picture: FilePath) throws(OvercrankError) -> String? {
    let bytes = try InputFile.bytes(of: picture, upTo: Self.largest)
    switch format {
    case .jpeg:
      if let damage = damage(atEndOf: bytes) { return damage }
      // Even at a reduced size, all of a JPEG's data is read.
      var decoder = try JPEGDecoder(reduction: 8)
      _ = try bytes.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in
        try decoder.decode(bytes)
      }
    case .png, .tiff:
      if format == .png, let damage = PNGNotes.damage(of: bytes) { return damage }
      if let damage = try Self.damage(ofVideo: picture) { return damage }
    }
    if let video { return try Self.damage(ofVideo: video).map { "its video \(video.name): \($0)" } }
    guard kind == .motionPhoto, let place = MotionPhotoFile.video(in: try InputFile(picture)) else {
      return nil
    }
    let video = Array(bytes.suffix(Int(clamping: place.upperBound - place.lowerBound)))
    guard place.lowerBound > 0, video.dropFirst(4).starts(with: "ftyp".utf8) else {
      return "its video is cut off or damaged"
    }
    let file = try ScratchFile(
      in: FilePath(ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp"))
    _ = try video.span.bytes.withUnsafeBytes { bytes throws(OvercrankError) in try file.append(bytes) }
    do throws(OvercrankError) {
      return try Self.damage(ofVideo: file.path).map { "its video: \($0)" }
    } catch {
      // The unnamed file means nothing to the user.
      throw error.renaming(file.path, to: picture)
    }
  }

  /// Returns what is wrong with the end of a JPEG, which a decoder fills in or ignores; `nil` if nothing is.
  private func damage(atEndOf jpeg: [UInt8]) -> String? {
    switch JPEGWalk(jpeg.span) {
    case .unfinished: return "is cut off"
    // The decoder tells why.
    case .none: return nil
    case .whole(let count, _, _):
      guard kind != .motionPhoto else { return nil }
      // Some cameras pad their JPEGs.
      let rest = jpeg[count...].reversed().drop { $0 == 0 || $0 == 0xff }.count
      return rest == 0 ? nil : "has \(rest) bytes after its end"
    }
  }

  private static func damage(ofVideo path: FilePath) throws(OvercrankError) -> String? {
    let video = try WholeVideo(path)
    return video.count == 0 ? "has no frames" : video.damage
  }
}
