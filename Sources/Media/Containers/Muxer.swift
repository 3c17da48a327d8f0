internal import CLibAV
package import Platform
package import SystemPackage
package import Timebase

/// A writer of one video track of encoded frames, and optionally audio, into a file.
///
/// Frames go to the disk without an intermediate copy. Use from one thread at a time. A muxer that is
/// released before ``finish(captureRate:end:atMost:as:)`` leaves no file.
package struct Muxer: ~Copyable, @unchecked Sendable {
  /// The position of the index, without which a file does not play.
  package enum IndexPlacement: Hashable, Sendable {
    /// After the frames: nothing needs to be known beforehand.
    case end
    /// Before the frames, so that a network player starts at once; MOV and MP4 only.
    ///
    /// Space is reserved for at most `frameCount` frames, and what is left of it is cut out if it is at least a
    /// hundredth of the file.
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
  /// The bytes of the index apart from its frame entries.
  private let indexOverhead: Int
  private var frameCount = 0
  private var audioPacketCount = 0
  /// The bytes of frames and audio.
  private var frameBytes: Int64 = 0
  private var audioBytes: Int64 = 0
  private var lastDecodeTimestamp: Int64?
  private var lastDuration: Int64 = 0

  private let header: MuxerHeader

  /// The limit on the file's size; `nil` for none.
  private var sizeLimit: FileSizeLimit?

  /// The largest overhead of a container per frame, in bytes.
  static let frameOverhead = 256

  /// Starts a file with one track.
  ///
  /// - Parameters:
  ///   - output: the destination; a file gets its name when it is finished.
  ///   - container: the kind of file.
  ///   - video: the track's codec, size and colours.
  ///   - audio: the track of the audio passed to ``writeAudio(_:)``.
  ///   - timescale: the ticks per second of all timestamps.
  ///   - rate: the frames per second of a video with a constant rate; required for a pipe.
  ///   - playCount: the number of times that an animation plays; 0 for no end.
  ///   - placement: the position of the file's index.
  ///   - metadata: the values by libav's keys, such as `creation_time` (ISO 8601) and `comment`.
  ///   - hasCaptureRate: whether ``finish(captureRate:end:atMost:as:)`` will be given the capture rate.
  ///   - sizeLimit: the most bytes that the finished file may have, for
  ///     ``hasRoom(for:timestamp:duration:followedBy:)``; `nil` for no limit.
  /// - Throws: `unsupported` if `container` cannot hold the track, and the errors of `OutputFile.write(_:)`.
  package init(
    to output: consuming MuxerOutput, container: Container, video: VideoTrack, audio: AudioTrack? = nil,
    timescale: Int32, rate: FrameRate? = nil, playCount: Int = 0,
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
      rate: rate, playCount: playCount, metadata: metadata, hasCaptureRate: hasCaptureRate)
    let context = try OutputContext(output, container, path: path)
    let streams = try header.write(to: context)
    let packet = try Packet()
    self.init(
      path, context, streams, packet, header,
      sizeLimit: sizeLimit.map { FileSizeLimit($0, of: header, path: path) })
  }

  /// Creates the writer of a file whose header has been written.
  ///
  /// Nothing in it throws: see the initializer of `OutputFile`.
  private init(
    _ path: FilePath, _ output: OutputContext, _ streams: MuxerHeader.Streams, _ packet: Packet,
    _ header: MuxerHeader, sizeLimit: FileSizeLimit?
  ) {
    self.path = path
    self.output = output
    stream = streams.video
    audioStream = streams.audio
    audioTimeBase = clibav_rational(1, header.audio?.rate ?? 1)
    self.packet = packet
    timeBase = clibav_rational(1, header.timescale)
    placement = header.placement
    indexOverhead = header.indexOverhead
    self.header = header
    self.sizeLimit = sizeLimit
  }

  /// Starts a file with one track, as
  /// ``init(to:container:video:audio:timescale:rate:playCount:index:metadata:hasCaptureRate:sizeLimit:)`` does.
  package init(
    to file: consuming OutputFile, container: Container, video: VideoTrack, audio: AudioTrack? = nil,
    timescale: Int32, index placement: IndexPlacement = .end, metadata: [String: String] = [:],
    hasCaptureRate: Bool = false, sizeLimit: Int64? = nil
  ) throws(OvercrankError) {
    try self.init(
      to: .file(file), container: container, video: video, audio: audio, timescale: timescale,
      index: placement, metadata: metadata, hasCaptureRate: hasCaptureRate, sizeLimit: sizeLimit)
  }

  /// The size of the file so far in bytes.
  package var bytesWritten: Int64 { output.size }

  /// The position in the file of the last frame written, stored contiguously; `nil` if the container holds
  /// frames back, as Matroska does.
  package var lastFramePosition: Int64? { output.lastPacketPosition }

  /// Returns whether a frame of `byteCount` bytes could be written now without waiting for a disk; see
  /// `OutputFile.isReady(forBytes:reserving:)`.
  /// `OutputFile.isReady(forBytes:reserving:)`.
  package func isReady(forBytes byteCount: Int) -> Bool {
    output.isReady(forBytes: bytesHeldBack + byteCount + Self.frameOverhead, reserving: indexReserve)
  }

  /// Returns whether the finished file would stay within its limit if this were its last frame; `true`
  /// without a limit.
  ///
  /// The first parameters are those of ``write(_:timestamp:duration:isKeyframe:)``. `audio` is the range of
  /// the sample numbers that will be written after the frame, in one piece; if it is `nil`, unknown, two
  /// seconds of samples must fit. The answer is exact: see `FileSizeLimit`.
  ///
  /// - Throws: `OvercrankError` if memory runs out.
  package mutating func hasRoom(
    for bytes: UnsafeRawBufferPointer, timestamp: Int64, duration: Int64, isKeyframe: Bool = true,
    followedBy audio: Range<Int64>? = nil
  ) throws(OvercrankError) -> Bool {
    let frame = WrittenPacket(
      bytes, presented: timestamp, decoded: timestamp, duration: duration, isKeyframe: isKeyframe)
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
  ///   - bytes: the whole frame in the codec's form; read before the call returns.
  ///   - timestamp: the time at which it is shown, in ticks; later than the last frame's.
  ///   - duration: the time for which it is shown, in ticks.
  ///   - isKeyframe: whether playback can start here.
  /// - Throws: `inputOutput` if the disk is full or failed. If it is full, no part of this frame is in the
  ///   file, and ``finish(captureRate:end:atMost:as:)`` still completes the frames before it. `badData` if
  ///   `timestamp` is not later than the last one.
  package mutating func write(
    _ bytes: UnsafeRawBufferPointer, timestamp: Int64, duration: Int64, isKeyframe: Bool = true
  ) throws(OvercrankError) {
    try write(
      bytes, presented: timestamp, decoded: timestamp, duration: duration, isKeyframe: isKeyframe)
  }

  /// Writes one frame that may be decoded earlier than it is shown, as required by H.264's B-frames.
  ///
  /// - Parameters:
  ///   - bytes: the whole frame in the codec's form; read before the call returns.
  ///   - presented: the time at which it is shown, in ticks; not before `decoded`.
  ///   - decoded: the time at which it is decoded, in ticks; later than the last frame's.
  ///   - duration: the time for which it is shown, in ticks.
  ///   - isKeyframe: whether playback can start here.
  /// - Throws: as ``write(_:timestamp:duration:isKeyframe:)`` does.
  package mutating func write(
    _ bytes: UnsafeRawBufferPointer, presented: Int64, decoded: Int64, duration: Int64, isKeyframe: Bool
  ) throws(OvercrankError) {
    try write(
      bytes, presented: presented, decoded: decoded, duration: duration, isKeyframe: isKeyframe, like: nil)
  }

  /// Writes one frame of an encoder or another file, with its palette if it has one.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - presented: the time at which it is shown, in ticks; not before `decoded`.
  ///   - decoded: the time at which it is decoded, in ticks; later than the last frame's.
  ///   - duration: the time for which it is shown, in ticks.
  /// - Throws: as ``write(_:timestamp:duration:isKeyframe:)`` does.
  package mutating func write(
    _ frame: Packet, presented: Int64, decoded: Int64, duration: Int64
  ) throws(OvercrankError) {
    try frame.withBytes { bytes throws(OvercrankError) in
      try write(
        bytes, presented: presented, decoded: decoded, duration: duration, isKeyframe: frame.isKeyframe,
        like: frame)
    }
  }

  private mutating func write(
    _ bytes: UnsafeRawBufferPointer, presented: Int64, decoded: Int64, duration: Int64, isKeyframe: Bool,
    like frame: Packet?
  ) throws(OvercrankError) {
    if let last = lastDecodeTimestamp, decoded <= last {
      throw OvercrankError(
        .badData,
        "\(path): frame \(frameCount) has the time \(decoded), which is not after the time of the previous "
          + "frame, \(last).")
    }
    let gap = lastDecodeTimestamp.map { av_rescale_q(decoded - $0, timeBase, stream.pointee.time_base) } ?? 0
    guard gap <= header.container.longestGap else {
      let seconds = [gap, header.container.longestGap].map {
        (Fraction($0) * (Fraction(stream.pointee.time_base) ?? Fraction(1))).decimal(places: 3)
      }
      throw OvercrankError(
        .inputOutput,
        "\(path): frame \(frameCount) comes \(seconds[0]) s after the previous one, and \(header.container) "
          + "cannot hold a gap longer than \(seconds[1]) s. The file ends before this frame.")
    }
    guard let size = Int32(exactly: bytes.count) else {
      throw OvercrankError(.badData, "\(path): frame \(frameCount) is over 2 GiB.")
    }
    try output.reserve(bytesHeldBack + bytes.count + Self.frameOverhead + indexReserve)
    // Nothing is copied or reference-counted: libav writes the bytes before it returns, and guarantees not to
    // modify them.
    let packet = packet.pointer
    packet.pointee.data = UnsafeMutablePointer(
      mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    packet.pointee.size = size
    packet.pointee.pts = presented
    packet.pointee.dts = decoded
    packet.pointee.duration = duration
    packet.pointee.flags = isKeyframe ? AV_PKT_FLAG_KEY : 0
    packet.pointee.stream_index = 0
    // The container may have chosen its own time base in the header.
    av_packet_rescale_ts(packet, timeBase, stream.pointee.time_base)
    defer {
      packet.pointee.data = nil
      packet.pointee.size = 0
      av_packet_free_side_data(packet)
    }
    if let frame { try attachSideData(of: frame) }
    try output.write(self.packet)
    sizeLimit?.enter(
      WrittenPacket(
        bytes, presented: presented, decoded: decoded, duration: duration, isKeyframe: isKeyframe))
    frameCount += 1
    frameBytes += Int64(size)
    lastDecodeTimestamp = decoded
    lastDuration = duration
  }

  /// Copies what belongs to a frame apart from its bytes: a palette, or an APNG's header, which comes with its first
  /// frame.
  private func attachSideData(of frame: Packet) throws(OvercrankError) {
    for type in [AV_PKT_DATA_PALETTE, AV_PKT_DATA_NEW_EXTRADATA] {
      guard let data = frame.sideData(type) else { continue }
      guard let copy = av_packet_new_side_data(packet.pointer, type, data.count) else {
        throw OvercrankError.outOfMemory(path)
      }
      UnsafeMutableRawBufferPointer(start: copy, count: data.count).copyMemory(from: data)
    }
  }

  /// Writes coded audio, with its times in samples, between the frames that are shown with it.
  ///
  /// - Throws: `inputOutput` if the disk is full or failed, `unsupported` if the file was started without an
  ///   audio track.
  package mutating func writeAudio(_ packet: Packet) throws(OvercrankError) {
    guard let audioStream else {
      throw withoutAudio
    }
    try output.reserve(bytesHeldBack + packet.byteCount + Self.frameOverhead + indexReserve)
    let written = sizeLimit.map { _ in WrittenPacket(audio: packet) }
    packet.pointer.pointee.stream_index = audioStream.pointee.index
    av_packet_rescale_ts(packet.pointer, audioTimeBase, audioStream.pointee.time_base)
    frameBytes += Int64(packet.byteCount)
    audioBytes += Int64(packet.byteCount)
    audioPacketCount += 1
    try output.write(packet)
    if let written { sizeLimit?.enter(written) }
  }

  /// Writes PCM samples unchanged, between the frames that are shown with them.
  ///
  /// - Parameters:
  ///   - samples: whole samples, interleaved; read before the call returns.
  ///   - first: the number of the first sample; the file's first is 0.
  ///   - count: the number of samples.
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
    audioBytes += Int64(size)
  }

  private var withoutAudio: OvercrankError {
    OvercrankError(.unsupported, "\(path): was started without an audio track, so no audio can be written.")
  }

  /// Writes the index and gives the file its name.
  ///
  /// - Parameters:
  ///   - captureRate: the capture rate in frames per second, for an index that can hold it: gallery apps
  ///     detect by it that the video can be slowed down. `nil` if unknown.
  ///   - end: the end of the picture, in ticks, if it is before the end of the last frame: MOV and MP4 hide
  ///     anything later, the others do not. `nil` for the end of the last frame.
  ///   - limit: the most bytes that the file may have; `nil` for any number.
  ///   - settle: as in `OutputFile.commit(as:)`.
  /// - Throws: `inputOutput` if the disk failed, `outOfRange` with the remedy `shrink` if the file is larger than
  ///   `limit`, and the errors of `OutputFile.commit(as:)`.
  package consuming func finish(
    captureRate: Double? = nil, end: Int64? = nil, atMost limit: Int64? = nil,
    as settle: (() -> FilePath)? = nil
  ) throws(OvercrankError) {
    if header.container == .gif { output.setFinalDelay(finalDelay) }
    try output.writeTrailer()
    if let end, header.container.hidesFrames { try output.endPresentation(at: end) }
    let box = header.captureRateBox(captureRate, in: output)
    if !box.isEmpty { output.addToIndex(box) }
    if placement != .end { try output.cutOutFreeSpace() }
    if let limit, output.size > limit {
      throw OvercrankError(
        .outOfRange, "\(path): would have \(output.size) bytes, and \(limit) are allowed.",
        remedy: .shrink(from: output.size, frames: frameBytes - audioBytes))
    }
    try output.commit(as: settle)
  }

  /// The time from the last frame to the end, in ticks of the container, in which each frame is at the nearest one.
  private var finalDelay: Int64 {
    func ticks(_ time: Int64) -> Int64 { av_rescale_q(time, timeBase, stream.pointee.time_base) }
    let last = lastDecodeTimestamp ?? 0
    return ticks(last + lastDuration) - ticks(last)
  }

  /// Writes the index, and gives the file its name once `check` has accepted it.
  ///
  /// - Parameter check: called with the path of the part, complete and synced; if it throws, there is no file.
  /// - Throws: the error of `check`, and those of ``finish(captureRate:end:atMost:as:)``.
  package consuming func finish(
    checking check: (FilePath) throws(OvercrankError) -> Void
  ) throws(OvercrankError) {
    try output.writeTrailer()
    try output.commit(checking: check)
  }

  /// A lower bound on the bytes of earlier frames that are not in the file yet: Matroska collects them into
  /// clusters.
  private var bytesHeldBack: Int { Int(max(0, frameBytes - bytesWritten)) }

  /// The bytes that must stay free after the frames for the index.
  private var indexReserve: Int {
    placement == .end ? indexOverhead + Container.indexSize(frameCount: frameCount + audioPacketCount + 1) : 0
  }
}
