internal import CLibAV
internal import SystemPackage
internal import Timebase

/// The owner of an `AVFormatContext` that reads a file.
final class InputContext {
  private let path: FilePath
  private let format: UnsafeMutablePointer<AVFormatContext>
  /// The images that are read; `nil` of a file.
  private let images: ImageSequence?
  /// Which images that follow one another are read now, and what reads them; `nil` for the first.
  private var laterRun: (number: Int, format: UnsafeMutablePointer<AVFormatContext>)?
  /// How many images were read, and how many of those that follow one another now.
  private var imageCount = (all: 0, ofRun: 0)
  /// Where the packet that was read last ends in the file; `nil` where nobody said.
  private var lastEnd: Int64?
  /// Why the file is not whole, by what it says itself; `nil` where it is, or does not say.
  private let cutOff: MediaError?
  /// The packet behind one that may have been the last.
  private var heldBack: Packet?
  /// The size of the first packet.
  private var firstByteCount: Int?

  init(_ path: FilePath) throws(MediaError) {
    _ = LibAVLog.silenced
    self.path = path
    if ImageSequence.isNamed(by: path) {
      let images = try ImageSequence(path)
      self.images = images
      cutOff = nil
      self.format = try Self.open(images, run: 0)
    } else {
      images = nil
      let head = try Self.head(of: path)
      try Y4MHeader.check(path, head: head)
      let cutOff = DeclaredSize(of: path).shortfall.map { Self.cutOff(path, $0) }
      self.cutOff = cutOff
      do throws(MediaError) { self.format = try Self.open(path, head) } catch {
        // Of a header that is cut off, libav may say that reading failed.
        throw error.action == nil ? cutOff ?? error : error
      }
    }
    let result = avformat_find_stream_info(format, nil)
    guard result >= 0 else {
      throw cutOff
        ?? .libav(result, "reading", of: path, "The file is damaged; try another copy of it.")
    }
  }

  private static func cutOff(_ path: FilePath, _ words: String) -> MediaError {
    MediaError(.badData, "\(path): is cut off: \(words). Copy it anew from where it is whole.")
  }

  deinit {
    closeLaterRun()
    var format: UnsafeMutablePointer<AVFormatContext>? = format
    avformat_close_input(&format)
  }

  private func closeLaterRun() {
    var format = laterRun?.format
    avformat_close_input(&format)
    laterRun = nil
  }

  var isMOV: Bool { name.hasPrefix("mov,") }

  /// libav's name of the container.
  private var name: String { String(cString: format.pointee.iformat.pointee.name) }

  /// What the file says under a key of libav's.
  func metadata(_ key: String) -> String? {
    av_dict_get(format.pointee.metadata, key, nil, 0).flatMap { $0.pointee.value }.map { String(cString: $0) }
  }

  /// The video track that a player would show; all others are skipped from now on.
  func bestVideoStream() throws(MediaError) -> UnsafeMutablePointer<AVStream> {
    let best = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
    guard best >= 0, let stream = format.pointee.streams[Int(best)],
      stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    else {
      throw cutOff ?? MediaError(.badData, "\(path): has no video in it. Name a file with video.")
    }
    for index in 0..<Int(format.pointee.nb_streams) where index != Int(best) {
      format.pointee.streams[index]?.pointee.discard = AVDISCARD_ALL
    }
    return stream
  }

  /// How long the file plays, in microseconds; `nil` where it does not say.
  var duration: Int64? { format.pointee.duration > 0 ? format.pointee.duration : nil }

  var hasAudio: Bool { av_find_best_stream(format, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0) >= 0 }

  /// The audio that a player would play of what this libavcodec decodes, `nil` where there is none; all other streams are
  /// skipped from now on.
  func bestAudioStream() -> UnsafeMutablePointer<AVStream>? {
    var decoder: UnsafePointer<AVCodec>?
    let best = av_find_best_stream(format, AVMEDIA_TYPE_AUDIO, -1, -1, &decoder, 0)
    guard best >= 0 else { return nil }
    for index in 0..<Int(format.pointee.nb_streams) {
      format.pointee.streams[index]?.pointee.discard = index == Int(best) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
    return format.pointee.streams[Int(best)]
  }

  /// The next packet of stream `index`; `nil` at the end.
  ///
  /// - Throws: ``MediaError/Code/badData`` where the file is cut off: behind its last whole packet, where that can be told.
  func nextPacket(of index: Int32) throws(MediaError) -> Packet? {
    let held = heldBack
    heldBack = nil
    guard let packet = if let held { held } else { try readPacket(of: index) } else {
      try checkIsWhole(index)
      return nil
    }
    firstByteCount = firstByteCount ?? packet.byteCount
    guard packet.isDamaged || isPieceIfLast(packet) else { return packet }
    heldBack = try readPacket(of: index)
    if heldBack == nil {
      try checkIsWhole(index)
      throw Self.cutOff(path, "its last frame is incomplete")
    }
    return packet
  }

  /// Whether `packet` may be a piece of a frame if it is the last: some containers only show where a frame ends by what
  /// follows, and libav does not say it of NUT.
  private func isPieceIfLast(_ packet: Packet) -> Bool {
    guard cutOff != nil else { return false }
    switch name {
    case "mpegts", "mpeg": return true
    // Raw frames are all of one size.
    case "nut": return packet.byteCount != firstByteCount
    default: return false
    }
  }

  private func readPacket(of index: Int32) throws(MediaError) -> Packet? {
    let packet = try Packet()
    while true {
      // libav would go on to an image that is missing, and fail there.
      if let images, imageCount.ofRun == images.runs[laterRun?.number ?? 0].count {
        guard try openNextRun() else { return nil }
      }
      let result = av_read_frame(laterRun?.format ?? format, packet.pointer)
      if let images, result < 0 {
        throw MediaError(
          .badData,
          "\(images.path(ofImage: imageCount.all)): cannot be read as an image. Make it again, or remove it: an image that "
            + "is missing counts as a lost frame.")
      }
      if result == clibav_eof() { return nil }
      guard result >= 0 else {
        throw MediaError.libav(
          result, "reading", of: path, "The file is damaged or cut off here; try another copy of it.")
      }
      if packet.pointer.pointee.stream_index == index {
        stamp(packet)
        imageCount = (imageCount.all + 1, imageCount.ofRun + 1)
        lastEnd = packet.position.map { $0.adding(clamping: Int64(packet.byteCount)) }
        return packet
      }
      av_packet_unref(packet.pointer)
    }
  }

  /// Finds out whether the file ends where it should, by what it says itself, and by its index as far as that is read:
  /// libav ends in silence before that, and at bytes that are no frame of Y4M.
  func checkIsWhole(_ index: Int32) throws(MediaError) {
    guard images == nil else { return }
    let size = avio_size(format.pointee.pb)
    if let lastEnd, size > lastEnd, name == "yuv4mpegpipe" {
      throw MediaError(
        .badData,
        "\(path): \(size - lastEnd) bytes behind its last whole frame are none. Try another copy of it.")
    }
    guard isMOV, size > 0, let stream = format.pointee.streams[Int(index)] else {
      if let cutOff { throw cutOff }
      return
    }
    let count = avformat_index_get_entries_count(stream)
    let lost = (0..<count).count { number in
      guard let entry = avformat_index_get_entry(stream, number)?.pointee else { return false }
      return entry.pos.adding(clamping: Int64(entry.size)) > size
    }
    guard lost == 0 else {
      throw MediaError(
        .badData,
        "\(path): \(lost) of its \(count) frames lie behind its end. Copy it anew from where it is whole.")
    }
    if let cutOff { throw cutOff }
  }

  /// Goes on behind images that are missing; `false` where there are no more.
  private func openNextRun() throws(MediaError) -> Bool {
    let next = (laterRun?.number ?? 0) + 1
    guard let images, images.runs.indices.contains(next) else { return false }
    closeLaterRun()
    imageCount.ofRun = 0
    laterRun = (next, try Self.open(images, run: next))
    return true
  }

  /// Gives an image behind a gap the time of its number: libav counts from each one that it is told to begin with.
  private func stamp(_ packet: Packet) {
    guard let images, let laterRun else { return }
    let missed = Int64(images.runs[laterRun.number].lowerBound - images.runs[0].lowerBound)
    if packet.pointer.pointee.pts != clibav_no_timestamp() { packet.pointer.pointee.pts += missed }
    if packet.pointer.pointee.dts != clibav_no_timestamp() { packet.pointer.pointee.dts += missed }
  }

  /// Goes to the keyframe at or before `timestamp`, in ticks of `stream`; `false` where that cannot be done.
  func seek(_ stream: UnsafeMutablePointer<AVStream>, to timestamp: Int64) -> Bool {
    heldBack = nil
    return images == nil && av_seek_frame(format, stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD) >= 0
  }

  /// Opens images that follow one another, as a film of 25 a second.
  private static func open(
    _ images: ImageSequence, run: Int
  ) throws(MediaError) -> UnsafeMutablePointer<AVFormatContext> {
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
      throw MediaError.libav(
        result, "opening", of: images.pattern, "Check that these are images, such as PNG, TIFF or JPEG.")
    }
    return format
  }

  private static func open(
    _ path: FilePath, _ head: [UInt8]
  ) throws(MediaError) -> UnsafeMutablePointer<AVFormatContext> {
    var format: UnsafeMutablePointer<AVFormatContext>?
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    // Neither a network nor other files are reached out to.
    av_dict_set(&options, "protocol_whitelist", "file", 0)
    av_dict_set(&options, "format_whitelist", Self.formats, 0)
    // The scheme keeps libav from taking a colon in the name for one.
    let result = avformat_open_input(&format, "file:\(path)", nil, &options)
    guard result >= 0, let format else {
      if result == clibav_invalid_data() { throw Self.unreadable(path, head) }
      if result == clibav_error(Errno.invalidArgument.rawValue) {
        throw MediaError(
          .badData, "\(path): is a list of other files, or of a kind that is not read. Name one of the films."
        )
      }
      throw MediaError.libav(result, "opening", of: path, "Check that it is a media file.")
    }
    return format
  }

  /// All kinds of files that this libavformat reads, but for lists of others: those it would open wherever they lie, and
  /// wait at a pipe among them for ever.
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

  /// The first bytes of the file.
  private static func head(of path: FilePath) throws(MediaError) -> [UInt8] {
    try MediaError.checkIsRegular(path)
    var head: [UInt8] = []
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
      head = try file.closeAfter {
        // The kernel's own files have no size, and some of them no end: a read of them would wait.
        guard try file.stat().size > 0 else { return [] }
        return try [UInt8](unsafeUninitializedCapacity: 12) { buffer, count in
          count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
      }
    } catch {
      throw MediaError(.opening(path, error as? Errno ?? .ioError))
    }
    guard !head.isEmpty else {
      throw MediaError(.badData, "\(path): is empty. Nothing was ever written to it, or the disk was full.")
    }
    return head
  }

  private static func unreadable(_ path: FilePath, _ head: [UInt8]) -> MediaError {
    let firstBox = head.count >= 8 ? String(decoding: head[4..<8], as: UTF8.self) : ""
    guard ["ftyp", "wide", "mdat", "free", "skip", "moov"].contains(firstBox) else {
      return MediaError(.badData, "\(path): is no media file that libav knows. Name a film.")
    }
    return MediaError(
      .badData,
      "\(path): is cut off: a MOV or MP4 whose index (moov) is missing or incomplete, as an interrupted recording or "
        + "copy leaves it. Copy it anew from where it is whole; what Overcrank recorded can be made whole.",
      action: .recover(path))
  }
}
