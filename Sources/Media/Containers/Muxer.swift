internal import CLibAV
package import Platform
package import SystemPackage
package import Timebase

/// Writes one video track of ready-made frames into a file, and audio beside it where there is some.
///
/// Frames go to the disk from where they lie, without a copy in between. Use from one thread at a time. A muxer that
/// is dropped before ``finish(captureRate:end:as:)`` leaves no file.
package struct Muxer: ~Copyable, @unchecked Sendable {
  /// Where the index goes, without which a file does not play.
  package enum IndexPlacement: Hashable, Sendable {
    /// Behind the frames: nothing need be known beforehand.
    case end
    /// In front of them, so that a player on a network starts at once; MOV and MP4 only.
    ///
    /// Room is left for at most `frameCount` frames.
    case front(frameCount: Int)
  }

  /// The name of the file.
  package let path: FilePath

  private let output: OutputContext
  private let stream: UnsafeMutablePointer<AVStream>
  private let audioStream: UnsafeMutablePointer<AVStream>?
  private let audioTimeBase: AVRational
  private let packet: Packet
  private let timeBase: AVRational
  private let placement: IndexPlacement
  /// Bytes that the index takes apart from its frames.
  private let indexOverhead: Int
  private var frameCount = 0
  private var audioPacketCount = 0
  private var frameBytes: Int64 = 0
  private var lastDecodeTimestamp: Int64?

  private let header: MuxerHeader

  /// How large the file may become; `nil` where that is not limited.
  private var sizeLimit: FileSizeLimit?

  /// What a container may put around a frame, in bytes.
  static let frameOverhead = 256

  /// Starts a file with one track.
  ///
  /// - Parameters:
  ///   - output: where it goes; a file gets its name when it is finished.
  ///   - container: the kind of file.
  ///   - video: the track's codec, size and colours.
  ///   - audio: the track of what ``writeAudio(_:)`` is given.
  ///   - timescale: ticks per second, in which all timestamps are given.
  ///   - rate: frames a second, of a film at one steady rate; what goes to a pipe has to be one.
  ///   - placement: where the file's index goes.
  ///   - metadata: by libav's keys, such as `creation_time` (ISO 8601) and `comment`.
  ///   - hasCaptureRate: whether ``finish(captureRate:end:as:)`` will be told how fast the film was captured.
  ///   - sizeLimit: the bytes that the finished file may have at most, for ``hasRoom(for:timestamp:duration:followedBy:)``; `nil`
  ///     for any number.
  /// - Throws: `unsupported` where `container` cannot hold the track, and what `OutputFile.write(_:)`
  ///   throws.
  package init(
    to output: consuming MuxerOutput, container: Container, video: VideoTrack, audio: AudioTrack? = nil,
    timescale: Int32, rate: FrameRate? = nil,
    index placement: IndexPlacement = .end, metadata: [String: String] = [:],
    hasCaptureRate: Bool = false, sizeLimit: Int64? = nil
  ) throws(OvercrankError) {
    _ = LibAVLog.silenced
    let path = output.path
    guard container.canHold(video.codec) else {
      throw OvercrankError.cannotHold(video.codec, container, path)
    }
    let header = MuxerHeader(
      container: container, video: video, audio: audio, timescale: timescale, placement: placement,
      rate: rate, metadata: metadata, hasCaptureRate: hasCaptureRate)
    let context = try OutputContext(output, container, path: path)
    let streams = try header.write(to: context)
    let packet = try Packet()
    self.path = path
    self.output = context
    self.stream = streams.video
    self.audioStream = streams.audio
    audioTimeBase = clibav_rational(1, audio?.rate ?? 1)
    self.packet = packet
    self.timeBase = clibav_rational(1, timescale)
    self.placement = placement
    self.indexOverhead = header.indexOverhead
    self.header = header
    self.sizeLimit = sizeLimit.map { FileSizeLimit($0, of: header, path: path) }
  }

  /// Starts a file with one track, as ``init(to:container:video:audio:timescale:rate:index:metadata:hasCaptureRate:sizeLimit:)``
  /// does.
  package init(
    to file: consuming OutputFile, container: Container, video: VideoTrack, audio: AudioTrack? = nil,
    timescale: Int32, index placement: IndexPlacement = .end, metadata: [String: String] = [:],
    hasCaptureRate: Bool = false, sizeLimit: Int64? = nil
  ) throws(OvercrankError) {
    try self.init(
      to: .file(file), container: container, video: video, audio: audio, timescale: timescale,
      index: placement, metadata: metadata, hasCaptureRate: hasCaptureRate, sizeLimit: sizeLimit)
  }

  /// Bytes of the file so far.
  package var bytesWritten: Int64 { output.size }

  /// Where the bytes of the frame that was written last lie in the file, in one piece; `nil` where the container holds
  /// frames back, as Matroska does.
  package var lastFramePosition: Int64? { output.lastPacketPosition }

  /// Whether a frame of `byteCount` bytes could be written now without waiting for a disk; see
  /// `OutputFile.isReady(forBytes:reserving:)`.
  package func isReady(forBytes byteCount: Int) -> Bool {
    output.isReady(forBytes: bytesHeldBack + byteCount + Self.frameOverhead, reserving: indexReserve)
  }

  /// Whether the finished file would stay within its limit if this were its last frame; `true` where it has none.
  ///
  /// The first parameters are those of ``write(_:timestamp:duration:isKeyframe:)``. `audio` has the numbers of the samples
  /// that will be written behind it, in one piece; where that is not known, `nil`, two seconds of them are to find room.
  /// The answer is exact: see `FileSizeLimit`.
  ///
  /// - Throws: `OvercrankError` where there is no memory to find out.
  package mutating func hasRoom(
    for bytes: UnsafeRawBufferPointer, timestamp: Int64, duration: Int64,
    followedBy audio: Range<Int64>? = nil
  ) throws(OvercrankError) -> Bool {
    let frame = WrittenPacket(bytes, presented: timestamp, decoded: timestamp, duration: duration)
    let track = header.audio
    guard let audio else {
      return try sizeLimit?.holds(frame, reserve: track?.reserve ?? 0) ?? true
    }
    let samples =
      audio.isEmpty
      ? nil
      : WrittenPacket(
        silence: audio.count, bytes: audio.count.multiplied(clamping: track?.sampleBytes ?? 0),
        first: audio.lowerBound)
    return try sizeLimit?.holds(frame, followedBy: samples) ?? true
  }

  /// Writes one frame that is decoded and shown in the same order.
  ///
  /// - Parameters:
  ///   - bytes: the whole frame as the codec has it; read before the call returns.
  ///   - timestamp: when it is shown, in ticks; later than the last frame's.
  ///   - duration: how long it is shown, in ticks.
  ///   - isKeyframe: whether playing can start here.
  /// - Throws: `inputOutput` where the disk is full or failed. Where it is full, none of this frame is
  ///   in the file, and ``finish(captureRate:end:as:)`` still makes those before it whole.
  ///   `badData` where `timestamp` is not later than the last.
  package mutating func write(
    _ bytes: UnsafeRawBufferPointer, timestamp: Int64, duration: Int64, isKeyframe: Bool = true
  ) throws(OvercrankError) {
    try write(
      bytes, presented: timestamp, decoded: timestamp, duration: duration, isKeyframe: isKeyframe)
  }

  /// Writes one frame that may be decoded earlier than it is shown, as H.264's B-frames want it.
  ///
  /// - Parameters:
  ///   - bytes: the whole frame as the codec has it; read before the call returns.
  ///   - presented: when it is shown, in ticks; not before `decoded`.
  ///   - decoded: when it is decoded, in ticks; later than the last frame's.
  ///   - duration: how long it is shown, in ticks.
  ///   - isKeyframe: whether playing can start here.
  /// - Throws: as ``write(_:timestamp:duration:isKeyframe:)`` does.
  package mutating func write(
    _ bytes: UnsafeRawBufferPointer, presented: Int64, decoded: Int64, duration: Int64, isKeyframe: Bool
  ) throws(OvercrankError) {
    try write(
      bytes, palette: nil, presented: presented, decoded: decoded, duration: duration, isKeyframe: isKeyframe)
  }

  /// Writes one frame as it was read from another file, with the colours of its palette where it has one.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - presented: when it is shown, in ticks; not before `decoded`.
  ///   - decoded: when it is decoded, in ticks; later than the last frame's.
  ///   - duration: how long it is shown, in ticks.
  /// - Throws: as ``write(_:timestamp:duration:isKeyframe:)`` does.
  package mutating func write(
    _ frame: Packet, presented: Int64, decoded: Int64, duration: Int64
  ) throws(OvercrankError) {
    try frame.withBytes { bytes throws(OvercrankError) in
      try write(
        bytes, palette: frame.palette, presented: presented, decoded: decoded, duration: duration,
        isKeyframe: frame.isKeyframe)
    }
  }

  private mutating func write(
    _ bytes: UnsafeRawBufferPointer, palette: UnsafeRawBufferPointer?, presented: Int64, decoded: Int64,
    duration: Int64, isKeyframe: Bool
  ) throws(OvercrankError) {
    if let last = lastDecodeTimestamp, decoded <= last {
      throw OvercrankError(
        .badData,
        "\(path): frame \(frameCount) has the time \(decoded), not after \(last) of the one before it.")
    }
    let gap = lastDecodeTimestamp.map { av_rescale_q(decoded - $0, timeBase, stream.pointee.time_base) } ?? 0
    guard gap <= header.container.longestGap else {
      let seconds = [gap, header.container.longestGap].map {
        (Fraction($0) * (Fraction(stream.pointee.time_base) ?? Fraction(1))).decimal(places: 3)
      }
      throw OvercrankError(
        .inputOutput,
        "\(path): frame \(frameCount) comes \(seconds[0]) s after the one before it, and \(header.container) holds no gap "
          + "longer than \(seconds[1]) s. The file ends before it.")
    }
    guard let size = Int32(exactly: bytes.count) else {
      throw OvercrankError(.badData, "\(path): frame \(frameCount) is over 2 GiB.")
    }
    try output.reserve(bytesHeldBack + bytes.count + Self.frameOverhead + indexReserve)
    // No reference is counted and nothing is copied: libav writes the bytes before it returns, and
    // promises not to write to them.
    let packet = packet.pointer
    packet.pointee.data = UnsafeMutablePointer(
      mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    packet.pointee.size = size
    packet.pointee.pts = presented
    packet.pointee.dts = decoded
    packet.pointee.duration = duration
    packet.pointee.flags = isKeyframe ? AV_PKT_FLAG_KEY : 0
    packet.pointee.stream_index = 0
    // Containers may have chosen a time base of their own in their header.
    av_packet_rescale_ts(packet, timeBase, stream.pointee.time_base)
    defer {
      packet.pointee.data = nil
      packet.pointee.size = 0
      av_packet_free_side_data(packet)
    }
    if let palette {
      guard let copy = av_packet_new_side_data(packet, AV_PKT_DATA_PALETTE, palette.count) else {
        throw OvercrankError.outOfMemory(path)
      }
      UnsafeMutableRawBufferPointer(start: copy, count: palette.count).copyMemory(from: palette)
    }
    try output.write(self.packet)
    sizeLimit?.enter(
      WrittenPacket(
        bytes, presented: presented, decoded: decoded, duration: duration, isKeyframe: isKeyframe))
    frameCount += 1
    frameBytes += Int64(size)
    lastDecodeTimestamp = decoded
  }

  /// Writes coded audio, with its times in samples, between the frames that are shown with it.
  ///
  /// - Throws: `inputOutput` where the disk is full or failed, `unsupported` where the
  ///   file was started without a audio track.
  package mutating func writeAudio(_ packet: Packet) throws(OvercrankError) {
    guard let audioStream else {
      throw withoutAudio
    }
    try output.reserve(bytesHeldBack + packet.byteCount + Self.frameOverhead + indexReserve)
    let written = sizeLimit.map { _ in WrittenPacket(audio: packet) }
    packet.pointer.pointee.stream_index = audioStream.pointee.index
    av_packet_rescale_ts(packet.pointer, audioTimeBase, audioStream.pointee.time_base)
    frameBytes += Int64(packet.byteCount)
    audioPacketCount += 1
    try output.write(packet)
    if let written { sizeLimit?.enter(written) }
  }

  /// Writes samples as they are, between the frames that are shown with them.
  ///
  /// - Parameters:
  ///   - samples: whole samples, interleaved; read before the call returns.
  ///   - first: the number of the first, where the file's first is 0.
  ///   - count: how many there are.
  /// - Throws: as ``writeAudio(_:)`` does.
  package mutating func writeSamples(
    _ samples: UnsafeRawBufferPointer, first: Int64, count: Int
  ) throws(OvercrankError) {
    guard let audioStream else { throw withoutAudio }
    guard let size = Int32(exactly: samples.count) else {
      throw OvercrankError(.badData, "\(path): over 2 GiB of audio cannot be written at once.")
    }
    try output.reserve(bytesHeldBack + samples.count + Self.frameOverhead + indexReserve)
    let packet = packet.pointer
    packet.pointee.data = UnsafeMutablePointer(
      mutating: samples.baseAddress?.assumingMemoryBound(to: UInt8.self))
    packet.pointee.size = size
    packet.pointee.pts = first
    packet.pointee.dts = first
    packet.pointee.duration = Int64(count)
    packet.pointee.flags = AV_PKT_FLAG_KEY
    packet.pointee.stream_index = audioStream.pointee.index
    av_packet_rescale_ts(packet, audioTimeBase, audioStream.pointee.time_base)
    defer {
      packet.pointee.data = nil
      packet.pointee.size = 0
    }
    try output.write(self.packet)
    sizeLimit?.enter(WrittenPacket(samples: samples, first: first, count: count))
    audioPacketCount += 1
    frameBytes += Int64(size)
  }

  private var withoutAudio: OvercrankError {
    OvercrankError(.unsupported, "\(path): was started without an audio track, so none can be written.")
  }

  /// Writes the index and gives the file its name.
  ///
  /// - Parameters:
  ///   - captureRate: how many frames were captured a second, for a film whose index has a place for that: gallery
  ///     programs know by it that it can be slowed down. `nil` where nobody knows.
  ///   - end: when the picture ends, in ticks, where that is before the end of the last frame: MOV and MP4 hide what is
  ///     shown later, and others do not. `nil` for the end of the last frame.
  ///   - settle: as `OutputFile.commit(as:)` has it.
  /// - Throws: `inputOutput` where the disk failed, and what `OutputFile.commit(as:)` throws.
  package consuming func finish(
    captureRate: Double? = nil, end: Int64? = nil, as settle: (() -> FilePath)? = nil
  ) throws(OvercrankError) {
    try output.writeTrailer()
    if let end, header.container.hidesFrames { try output.endPresentation(at: end) }
    let box = header.captureRateBox(captureRate, in: output)
    if !box.isEmpty { output.addToIndex(box) }
    try output.commit(as: settle)
  }

  /// At least so many bytes of earlier frames are not in the file yet: Matroska gathers them to clusters.
  private var bytesHeldBack: Int { Int(max(0, frameBytes - bytesWritten)) }

  /// Bytes that must stay free behind the frames for the index.
  private var indexReserve: Int {
    placement == .end ? indexOverhead + Container.indexSize(frameCount: frameCount + audioPacketCount + 1) : 0
  }
}
