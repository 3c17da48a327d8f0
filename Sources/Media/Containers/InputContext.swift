import Platform
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
  private let cutOff: OvercrankError?
  /// The packet behind one that may have been the last.
  private var heldBack: Packet?
  /// The size of the first packet.
  private var firstByteCount: Int?
  /// The recording of a chained Ogg file that is read now; `nil` for the first.
  private var laterLink: OggLink?
  /// Lays parts behind one another; `nil` for containers whose times are not known to start again.
  private var timeline: JoinedTimeline?

  init(_ path: FilePath) throws(OvercrankError) {
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
      do throws(OvercrankError) { self.format = try Self.open(path, head) } catch {
        // Of a header that is cut off, libav may say that reading failed.
        throw error.remedy == nil ? cutOff ?? error : error
      }
    }
    let result = avformat_find_stream_info(format, nil)
    guard result >= 0 else {
      throw cutOff
        ?? .libav(result, "reading", of: path, "The file is damaged; try another copy of it.")
    }
    if images == nil, format.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0 {
      timeline = JoinedTimeline()
    }
  }

  private static func cutOff(_ path: FilePath, _ words: String) -> OvercrankError {
    OvercrankError(.badData, "\(path): is cut off: \(words). Copy it anew from where it is whole.")
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

  /// How often the file's times started again in what was read so far: the parts follow one another all the same.
  var restartCount: Int { timeline?.restartCount ?? 0 }

  /// The video track that a player would show; all others are skipped from now on.
  func bestVideoStream() throws(OvercrankError) -> UnsafeMutablePointer<AVStream> {
    let best = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
    guard best >= 0, let stream = format.pointee.streams[Int(best)],
      stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    else {
      throw cutOff ?? OvercrankError(.badData, "\(path): has no video in it. Name a file with video.")
    }
    skipAll(but: best)
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
    skipAll(but: best)
    return format.pointee.streams[Int(best)]
  }

  /// Has libav leave out all tracks but the one that is read, and those that tell where its parts begin.
  private func skipAll(but wanted: Int32) {
    let others =
      timeline == nil
      ? []
      : [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO].map {
        av_find_best_stream(format, $0, -1, -1, nil, 0)
      }
    for index in 0..<Int32(clamping: format.pointee.nb_streams) {
      format.pointee.streams[Int(index)]?.pointee.discard =
        index == wanted || others.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// The next packet of stream `index`; `nil` at the end.
  ///
  /// - Throws: `badData` where the file is cut off: behind its last whole packet, where that can be told.
  func nextPacket(of index: Int32) throws(OvercrankError) -> Packet? {
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

  /// The first packet of stream `index`, which ``nextPacket(of:)`` gives all the same; `nil` where it cannot be read.
  ///
  /// - Precondition: no packet has been read.
  func firstPacket(of index: Int32) -> Packet? {
    guard images == nil else { return nil }
    heldBack = try? readPacket(of: index)
    return heldBack
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

  /// What is read now.
  private var current: UnsafeMutablePointer<AVFormatContext> {
    laterLink?.format ?? laterRun?.format ?? format
  }

  private func readPacket(of index: Int32) throws(OvercrankError) -> Packet? {
    let packet = try Packet()
    while true {
      // libav would go on to an image that is missing, and fail there.
      if let images, imageCount.ofRun == images.runs[laterRun?.number ?? 0].count {
        guard try openNextRun() else { return nil }
      }
      let result = av_read_frame(current, packet.pointer)
      if let images, result < 0 {
        throw OvercrankError(
          .badData,
          "\(images.path(ofImage: imageCount.all)): cannot be read as an image. Make it again, or remove it: an image that "
            + "is missing counts as a lost frame.")
      }
      guard result >= 0 else {
        if try isAtEnd(result) { return nil }
        continue
      }
      guard laterLink?.adopt(packet) ?? true, try join(packet) else {
        av_packet_unref(packet.pointer)
        continue
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

  /// Whether libav's answer to a read means that there is no more to read.
  ///
  /// Some of its readers answer there, or at bytes that they do not understand, as if the disk had failed, and that of
  /// MPJPEG as if the file were damaged.
  private func isAtEnd(_ result: Int32) throws(OvercrankError) -> Bool {
    if result == clibav_eof() { return true }
    if result == clibav_patch_welcome(), name == "ogg",
      let next = try OggLink(in: path, after: laterLink?.start ?? 0, like: format)
    {
      laterLink = next
      return false
    }
    let isNoFailure =
      [clibav_error(EIO), clibav_error(EPERM)].contains(result)
      || name == "mpjpeg" && result == clibav_invalid_data()
    guard isNoFailure, let io = current.pointee.pb, io.pointee.error == 0
    else {
      throw OvercrankError.libav(
        result, "reading", of: path, "The file is damaged or cut off here; try another copy of it.")
    }
    if avio_feof(io) != 0 { return true }
    throw OvercrankError(
      .badData, "\(path): is damaged at byte \(avio_seek(io, 0, SEEK_CUR)). Try another copy of it.")
  }

  /// Moves the times of a packet to where its part of the file belongs; `false` where it is to be left out.
  private func join(_ packet: Packet) throws(OvercrankError) -> Bool {
    let number = packet.pointer.pointee.stream_index
    guard timeline != nil, let stream = format.pointee.streams[Int(number)],
      stream.pointee.discard == AVDISCARD_DEFAULT, let parameters = stream.pointee.codecpar
    else { return true }
    if try isHeader(packet, parameters.pointee) { return false }
    let (ticks, microseconds) = (stream.pointee.time_base, clibav_rational(1, 1_000_000))
    let shift = timeline?.shift(
      track: number, decoded: packet.decodeTimestamp.map { av_rescale_q($0, ticks, microseconds) },
      duration: av_rescale_q(packet.duration, ticks, microseconds),
      isAlone: parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO)
    guard let shift else { return false }
    guard shift != 0 else { return true }
    let moved = av_rescale_q(shift, microseconds, ticks)
    packet.pointer.pointee.pts =
      packet.presentationTimestamp?.adding(clamping: moved) ?? clibav_no_timestamp()
    packet.pointer.pointee.dts = packet.decodeTimestamp?.adding(clamping: moved) ?? clibav_no_timestamp()
    return true
  }

  /// Whether a packet is no frame but a header of a later part of an Ogg file, which libav's decoder does not understand.
  private func isHeader(_ packet: Packet, _ parameters: AVCodecParameters) throws(OvercrankError) -> Bool {
    // Theora I specification, 6.1: the first bit tells headers from frames.
    guard parameters.codec_id == AV_CODEC_ID_THEORA, name == "ogg",
      let kind = packet.withBytes({ $0.first }), kind & 0x80 != 0
    else { return false }
    let known = UnsafeRawBufferPointer(
      start: parameters.extradata, count: Int(max(0, parameters.extradata_size)))
    // That of the middle one names the program that wrote it.
    guard kind == 0x81 || packet.withBytes({ known.holds($0) }) else {
      throw OggLink.otherPictures(path)
    }
    return true
  }

  /// Finds out whether the file ends where it should, by what it says itself, and by its index as far as that is read:
  /// libav ends in silence before that, and at bytes that are no frame of Y4M.
  func checkIsWhole(_ index: Int32) throws(OvercrankError) {
    guard images == nil else { return }
    let size = avio_size(format.pointee.pb)
    if let lastEnd, size > lastEnd, name == "yuv4mpegpipe" {
      throw OvercrankError(
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
      throw OvercrankError(
        .badData,
        "\(path): \(lost) of its \(count) frames lie behind its end. Copy it anew from where it is whole.")
    }
    if let cutOff { throw cutOff }
  }

  /// Goes on behind images that are missing; `false` where there are no more.
  private func openNextRun() throws(OvercrankError) -> Bool {
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
    guard images == nil,
      av_seek_frame(format, stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD) >= 0
    else { return false }
    heldBack = nil
    timeline?.seek()
    return true
  }
}

extension UnsafeRawBufferPointer {
  /// Whether `part` lies in it.
  fileprivate func holds(_ part: UnsafeRawBufferPointer) -> Bool {
    guard let first = part.first, part.count <= count else { return false }
    return indices.dropLast(part.count - 1).contains {
      self[$0] == first && self[$0..<$0 + part.count].elementsEqual(part)
    }
  }
}
