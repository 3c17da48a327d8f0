import Platform
internal import CLibAV
internal import SystemPackage

/// The owner of an `AVFormatContext` that reads a file.
final class InputContext {
  private let path: FilePath
  private let format: UnsafeMutablePointer<AVFormatContext>
  /// The images that are read; `nil` for a file.
  let images: ImageSequence?
  /// The later run of consecutive images that is read now, and its reader; `nil` for the first run.
  private var laterRun: (number: Int, format: UnsafeMutablePointer<AVFormatContext>)?
  /// The number of images read, in total and of the current run.
  private var imageCount = (all: 0, ofRun: 0)
  /// The end of the last packet in the file; `nil` if unknown.
  private var lastEnd: Int64?
  /// The error for frames that are missing between those that were read; `nil` if none are known to be.
  private(set) var hole: OvercrankError?
  /// The error of a file that is cut off by its own account; `nil` if it is complete, or does not say.
  private let cutOff: OvercrankError?
  /// The damaged bytes in front of other parts.
  private let gaps: [Range<Int64>]
  /// The end of the last gap behind which reading was resumed.
  private var resumption: Int64 = 0
  private var hasEnded = false
  /// The packets whose decoding needs missing ones.
  private var dependents = DependentPackets()
  /// Whether the last packet is marked as damaged.
  private var isMarked = false
  /// The packet after one that may have been the last.
  private var heldBack: Packet?
  /// The size of the first packet.
  private var firstByteCount: Int?
  /// The later recording of a chained Ogg file that is read now; `nil` for the first.
  private var laterLink: OggLink?
  /// The timeline that joins parts; `nil` for containers whose times are not known to restart.
  private var timeline: JoinedTimeline?

  init(_ path: FilePath) throws(OvercrankError) {
    _ = LibAVLog.silenced
    self.path = path
    if ImageSequence.isNamed(by: path) {
      let images = try ImageSequence(path)
      self.images = images
      (cutOff, gaps) = (nil, [])
      self.format = try Self.open(images, run: 0)
    } else {
      images = nil
      let head = try Self.head(of: path)
      try Y4MHeader.check(path, head: head)
      let declared = DeclaredSize(of: path)
      let cutOff = declared.shortfall.map { Self.cutOff(path, $0) }
      (self.cutOff, gaps) = (cutOff, declared.gaps)
      do throws(OvercrankError) { self.format = try Self.open(path, head) } catch {
        // For a cut-off header, libav may report a read failure.
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
    OvercrankError(.badData, "\(path): is cut off: \(words). Copy it again from a complete file.")
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

  /// Returns the file's value of a libav metadata key.
  func metadata(_ key: String) -> String? {
    av_dict_get(format.pointee.metadata, key, nil, 0).flatMap { $0.pointee.value }.map { String(cString: $0) }
  }

  /// The number of times that the file's timestamps have restarted so far; the parts still follow one
  /// another.
  var restartCount: Int { timeline?.restartCount ?? 0 }

  /// Returns the video track that a player would show; all others are skipped from now on.
  func bestVideoStream() throws(OvercrankError) -> UnsafeMutablePointer<AVStream> {
    let best = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
    guard best >= 0, let stream = format.pointee.streams[Int(best)],
      stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    else {
      throw cutOff ?? OvercrankError(.badData, "\(path): contains no video. Name a file with video.")
    }
    skipAll(but: best)
    return stream
  }

  /// The duration of the file in microseconds; `nil` if unknown.
  var duration: Int64? { format.pointee.duration > 0 ? format.pointee.duration : nil }

  var hasAudio: Bool { av_find_best_stream(format, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0) >= 0 }

  /// Returns the audio that a player would play, if this libavcodec decodes it; `nil` if there is none. All
  /// other streams are skipped from now on.
  func bestAudioStream() -> UnsafeMutablePointer<AVStream>? {
    var decoder: UnsafePointer<AVCodec>?
    let best = av_find_best_stream(format, AVMEDIA_TYPE_AUDIO, -1, -1, &decoder, 0)
    guard best >= 0 else { return nil }
    skipAll(but: best)
    return format.pointee.streams[Int(best)]
  }

  /// Makes libav skip all tracks but the one that is read, and those that show where its parts begin.
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

  /// Returns the next packet of stream `index`; `nil` at the end.
  ///
  /// - Throws: `badData` if the file is cut off, after its last whole packet if that is detectable.
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

  /// Returns the first packet of stream `index`, which ``nextPacket(of:)`` returns again; `nil` if it cannot
  /// be read.
  ///
  /// - Precondition: no packet has been read.
  func firstPacket(of index: Int32) -> Packet? {
    guard images == nil else { return nil }
    heldBack = try? readPacket(of: index)
    return heldBack
  }

  /// Returns whether `packet` may be an incomplete frame if it is the last: in some containers, only the next
  /// packet marks the end of a frame, and libav does not report it for NUT.
  private func isPieceIfLast(_ packet: Packet) -> Bool {
    guard cutOff != nil else { return false }
    switch name {
    case "mpegts", "mpeg": return true
    // Raw frames all have the same size.
    case "nut": return packet.byteCount != firstByteCount
    default: return false
    }
  }

  /// The context that is read now.
  private var current: UnsafeMutablePointer<AVFormatContext> {
    laterLink?.format ?? laterRun?.format ?? format
  }

  private func readPacket(of index: Int32) throws(OvercrankError) -> Packet? {
    let packet = try Packet()
    while true {
      // libav would try a missing image next, and fail.
      if let images, imageCount.ofRun == images.runs[laterRun?.number ?? 0].count {
        guard try openNextRun() else { return nil }
      }
      let result = av_read_frame(current, packet.pointer)
      if let images, result < 0 {
        throw OvercrankError(
          .badData,
          "\(images.path(ofImage: imageCount.all)): cannot be read as an image. Make it again, or remove it: "
            + "a missing image counts as a lost frame.")
      }
      guard result >= 0 else {
        if try isAtEnd(result) {
          hasEnded = true
          return nil
        }
        continue
      }
      guard laterLink?.adopt(packet) ?? true, try join(packet) else {
        av_packet_unref(packet.pointer)
        continue
      }
      let isDamage = packet.position.map { start in gaps.contains { $0.contains(start) } } ?? false
      if packet.pointer.pointee.stream_index == index, !isDamage {
        stamp(packet)
        imageCount = (imageCount.all + 1, imageCount.ofRun + 1)
        try noteSkipped(before: packet)
        lastEnd = packet.position.map { $0.adding(clamping: Int64(packet.byteCount)) }
        return packet
      }
      av_packet_unref(packet.pointer)
    }
  }

  /// Returns whether libav's result of a read means the end of the file.
  ///
  /// At the end, or at bytes that they do not understand, some of its demuxers report a disk failure, that of
  /// MPJPEG a damaged file, and that of APNG a lack of libav. At a size that no frame has, it has no memory.
  private func isAtEnd(_ result: Int32) throws(OvercrankError) -> Bool {
    // A damaged length may be taken for one that reaches to the end.
    if let gap = gaps.first(where: { $0.upperBound > max(resumption, lastEnd ?? 0) }),
      avio_seek(current.pointee.pb, gap.upperBound, SEEK_SET) >= 0
    {
      resumption = gap.upperBound
      return false
    }
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
      // It calls a chunk that it does not know unsupported.
      || name == "apng" && result == clibav_patch_welcome()
      || result == clibav_error(ENOMEM) && SystemMemory.limitRemedy == nil
    guard isNoFailure, let io = current.pointee.pb, io.pointee.error == 0
    else {
      throw OvercrankError.libav(
        result, "reading", of: path, "The file is damaged or cut off here; try another copy of it.")
    }
    if avio_feof(io) != 0 { return true }
    throw OvercrankError(
      .badData, "\(path): is damaged at byte \(avio_seek(io, 0, SEEK_CUR)). Try another copy of it.")
  }

  /// Moves the times of a packet to its part's place in the timeline. Returns `false` if the packet is to be
  /// skipped.
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

  /// Returns whether a packet is a header of a later part of an Ogg file, which libav's decoder does not
  /// understand.
  private func isHeader(_ packet: Packet, _ parameters: AVCodecParameters) throws(OvercrankError) -> Bool {
    // Theora I specification, 6.1: the first bit distinguishes headers from frames.
    guard parameters.codec_id == AV_CODEC_ID_THEORA, name == "ogg",
      let kind = packet.withBytes({ $0.first }), kind & 0x80 != 0
    else { return false }
    let known = UnsafeRawBufferPointer(
      start: parameters.extradata, count: Int(max(0, parameters.extradata_size)))
    // The middle header names the program that wrote it, and may differ.
    guard kind == 0x81 || packet.withBytes({ known.holds($0) }) else {
      throw OggLink.otherPictures(path)
    }
    return true
  }

  /// Notes the damage that libav skipped in front of a packet, and marks the packet if it depends on what is missing.
  private func noteSkipped(before packet: Packet) throws(OvercrankError) {
    if let gap = try skipped(before: packet) {
      if hole == nil { _ = missing(at: gap) }
      dependents.begin()
    }
    packet.isBehindGap = dependents.includes(packet)
    // libav marks the packet in front of the one in or behind which others are missing. What it lacks itself, the
    // decoder tells.
    if isMarked { dependents.begin() }
    isMarked = packet.isDamaged && name == "mpegts"
  }

  /// Returns the offset of damage between the last packet and this one; `nil` if there is none.
  private func skipped(before packet: Packet) throws(OvercrankError) -> Int64? {
    guard let lastEnd, let start = packet.position else { return nil }
    if let gap = gaps.first(where: { lastEnd <= $0.lowerBound && $0.upperBound <= start }) {
      return gap.lowerBound
    }
    return try skipped(to: start)
  }

  /// Returns the place of bytes of NUT that libav skipped in front of `start`; `nil` if there are none. It may also have
  /// gone back to a place where it could read on.
  private func skipped(to start: Int64) throws(OvercrankError) -> Int64? {
    // Other streams' packets are skipped, too.
    guard name == "nut", format.pointee.nb_streams == 1, let lastEnd,
      hasEnded || !DeclaredSize.nutHeads.contains(start.subtracting(clamping: lastEnd))
    else { return nil }
    if start >= lastEnd, try DeclaredSize.hasNUTHead(InputFile(path), near: lastEnd) { return nil }
    return min(start, lastEnd)
  }

  /// Returns the error for frames that are missing between others, and keeps it as ``hole``.
  private func missing(at byte: Int64) -> OvercrankError {
    let error = OvercrankError(
      .badData,
      "\(path): is damaged at byte \(byte), and its frames there are missing. Try another copy of it.")
    hole = error
    return error
  }

  /// Checks that the file ends where its declared length, and its index as far as it is read, require: libav
  /// ends silently before that, and at bytes that are not a Y4M frame.
  func checkIsWhole(_ index: Int32) throws(OvercrankError) {
    guard images == nil else { return }
    let size = avio_size(format.pointee.pb)
    if let lastEnd, size > lastEnd, name == "yuv4mpegpipe" {
      throw OvercrankError(
        .badData,
        "\(path): the \(size - lastEnd) bytes after its last complete frame are not a frame. Try another "
          + "copy of it.")
    }
    guard isMOV, size > 0, let stream = format.pointee.streams[Int(index)] else {
      // Bytes that are missing in the middle are not missing at the end.
      if let lastEnd, name.hasPrefix("matroska"),
        let damage = try DeclaredSize.damage(ofMatroska: InputFile(path))
      {
        guard lastEnd <= damage else { throw missing(at: damage) }
        throw OvercrankError(
          .badData,
          "\(path): is damaged at byte \(damage), and cannot be read from there on. Try another copy of it.")
      }
      if let cutOff { throw cutOff }
      if hasEnded, hole == nil, let gap = try skipped(to: size) { throw missing(at: gap) }
      if let gap = gaps.first { throw missing(at: gap.lowerBound) }
      if let hole { throw hole }
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
        "\(path): \(lost) of its \(count) frames are beyond its end. Copy it again from a complete file.")
    }
    if let cutOff { throw cutOff }
  }

  /// Opens the images after missing ones. Returns `false` if there are no more.
  private func openNextRun() throws(OvercrankError) -> Bool {
    let next = (laterRun?.number ?? 0) + 1
    guard let images, images.runs.indices.contains(next) else { return false }
    closeLaterRun()
    imageCount.ofRun = 0
    laterRun = (next, try Self.open(images, run: next))
    return true
  }

  /// Adds the missing images to the times of an image after a gap, because libav counts from the start of
  /// each run.
  private func stamp(_ packet: Packet) {
    guard let images, let laterRun else { return }
    let missed = Int64(images.runs[laterRun.number].lowerBound - images.runs[0].lowerBound)
    if packet.pointer.pointee.pts != clibav_no_timestamp() { packet.pointer.pointee.pts += missed }
    if packet.pointer.pointee.dts != clibav_no_timestamp() { packet.pointer.pointee.dts += missed }
  }

  /// Skips the packets of stream `index` before the keyframe at `timestamp`. Returns `false` if it is not among
  /// the next ones.
  func skip(to timestamp: Int64, of index: Int32) throws(OvercrankError) -> Bool {
    for _ in 0..<Self.mostSkipped {
      guard let packet = try readPacket(of: index) else { return false }
      guard packet.isKeyframe, packet.presentationTimestamp == timestamp else { continue }
      heldBack = packet
      return true
    }
    return false
  }

  /// More packets than lie between a second before a keyframe, or the keyframe before that, and itself.
  private static let mostSkipped = 2000

  /// Seeks to the keyframe at or before `timestamp`, in ticks of `stream`. Returns `false` if that fails.
  func seek(_ stream: UnsafeMutablePointer<AVStream>, to timestamp: Int64) -> Bool {
    guard images == nil,
      av_seek_frame(format, stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD) >= 0
    else { return false }
    (heldBack, lastEnd, dependents, resumption) = (nil, nil, DependentPackets(), 0)
    (isMarked, hasEnded) = (false, false)
    timeline?.seek()
    return true
  }
}

extension UnsafeRawBufferPointer {
  /// Returns whether it contains `part`.
  fileprivate func holds(_ part: UnsafeRawBufferPointer) -> Bool {
    guard let first = part.first, part.count <= count else { return false }
    return indices.dropLast(part.count - 1).contains {
      self[$0] == first && self[$0..<$0 + part.count].elementsEqual(part)
    }
  }
}
