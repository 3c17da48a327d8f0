import Platform
internal import CLibAV
internal import SystemPackage

extension InputContext {
  /// Opens consecutive images as a video with 25 frames per second.
  static func open(
    _ images: ImageSequence, run: Int
  ) throws(OvercrankError) -> UnsafeMutablePointer<AVFormatContext> {
    var format: UnsafeMutablePointer<AVFormatContext>?
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    av_dict_set(&options, "protocol_whitelist", "file", 0)
    av_dict_set(&options, "pattern_type", "sequence", 0)
    av_dict_set(&options, "start_number", "\(images.runs[run].lowerBound)", 0)
    av_dict_set(&options, "start_number_range", "1", 0)
    let result = avformat_open_input(
      &format, "file:\(images.libavPattern)", av_find_input_format("image2"), &options)
    guard result >= 0, let format else {
      throw OvercrankError.libav(
        result, "opening", of: images.pattern, "Check that these are images, such as PNG, TIFF or JPEG.")
    }
    return format
  }

  static func open(
    _ path: FilePath, _ head: [UInt8]
  ) throws(OvercrankError) -> UnsafeMutablePointer<AVFormatContext> {
    var format: UnsafeMutablePointer<AVFormatContext>?
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    // Prevents access to networks and other files.
    av_dict_set(&options, "protocol_whitelist", "file", 0)
    av_dict_set(&options, "format_whitelist", Self.formats, 0)
    // The scheme keeps libav from taking a colon in the name for the end of one.
    let result = avformat_open_input(&format, "file:\(path)", nil, &options)
    guard result >= 0, let format else {
      if result == clibav_invalid_data() { throw Self.unreadable(path, head) }
      if result == clibav_error(Errno.invalidArgument.rawValue) {
        throw OvercrankError(
          .badData,
          "\(path): is a list of other files, or a kind of file that is not supported. Name one of the "
            + "videos.")
      }
      throw OvercrankError.libav(result, "opening", of: path, "Check that it is a media file.")
    }
    return format
  }

  /// All formats that this libavformat reads except lists of other files: libav would open those anywhere,
  /// and wait for ever at a pipe among them.
  private static let formats: String = {
    let lists: Set = [
      "hls", "concat", "dash", "webm_dash_manifest", "imf", "sdp", "rtsp", "rtp", "sap", "image2",
    ]
    var names: [String] = []
    var place: UnsafeMutableRawPointer?
    while let format = av_demuxer_iterate(&place) {
      let name = String(cString: format.pointee.name)
      if lists.isDisjoint(with: name.split(separator: ",").map(String.init)) { names.append(name) }
    }
    return names.joined(separator: ",")
  }()

  /// Returns the first bytes of the file.
  static func head(of path: FilePath) throws(OvercrankError) -> [UInt8] {
    try OvercrankError.checkIsRegular(path)
    var head: [UInt8] = []
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
      head = try file.closeAfter {
        // The kernel's own files have no size, and some of them no end: reading them would wait.
        guard try file.stat().size > 0 else { return [] }
        return try [UInt8](unsafeUninitializedCapacity: 12) { buffer, count in
          count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
      }
    } catch {
      throw OvercrankError.opening(path, error as? Errno ?? .ioError)
    }
    guard !head.isEmpty else {
      throw OvercrankError(
        .badData, "\(path): is empty. Nothing was ever written to it, or the disk was full.")
    }
    return head
  }

  private static func unreadable(_ path: FilePath, _ head: [UInt8]) -> OvercrankError {
    let firstBox = head.count >= 8 ? String(decoding: head[4..<8], as: UTF8.self) : ""
    guard ["ftyp", "wide", "mdat", "free", "skip", "moov"].contains(firstBox) else {
      return OvercrankError(.badData, "\(path): is not a media file that libav knows. Name a video.")
    }
    return OvercrankError(
      .badData,
      "\(path): is cut off: the index (moov) of this MOV or MP4 is missing or incomplete, as after an "
        + "interrupted recording or copy. Copy it again from a complete file; a recording made by Overcrank "
        + "can be recovered.",
      remedy: .recover(path))
  }
}
