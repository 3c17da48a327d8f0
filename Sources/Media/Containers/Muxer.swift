internal import CLibAV
public import Platform
public import SystemPackage

/// Writes one video track of ready-made frames into a file, and audio beside it where there is some.
///
/// Frames go to the disk from where they lie, without a copy in between. Use from one thread at a time. A muxer that
/// is dropped before ``finish()`` leaves no file.
public struct Muxer: ~Copyable, @unchecked Sendable {
  /// Where the index goes, without which a file does not play.
  public enum IndexPlacement: Hashable, Sendable {
    /// Behind the frames: nothing need be known beforehand.
    case end
    /// In front of them, so that a player on a network starts at once; MOV and MP4 only.
    ///
    /// Room is left for at most `frameCount` frames.
    case front(frameCount: Int)
  }

  /// The name of the file.
  public let path: FilePath

  private let output: OutputContext
  private let stream: UnsafeMutablePointer<AVStream>
  private let audioStream: UnsafeMutablePointer<AVStream>?
  private let packet: Packet
  private let timeBase: AVRational
  private let placement: IndexPlacement
  /// Bytes that the index takes apart from its frames.
  private let indexOverhead: Int
  private var frameCount = 0
  private var frameBytes: Int64 = 0
  private var lastDecodeTimestamp: Int64?

  /// What a container may put around a frame, in bytes.
  private static let frameOverhead = 256

  /// Starts a file with one track.
  ///
  /// - Parameters:
  ///   - file: the output; it gets its name when the file is finished.
  ///   - container: the kind of file.
  ///   - video: the track's codec, size and colours.
  ///   - audio: the track of what ``writeAudio(_:)`` is given.
  ///   - timescale: ticks per second, in which all timestamps are given.
  ///   - placement: where the file's index goes.
  ///   - metadata: by libav's keys, such as `creation_time` (ISO 8601) and `comment`.
  /// - Throws: ``MediaError/Code/unsupported`` where `container` cannot hold the track, and what `OutputFile.write(_:)`
  ///   throws.
  public init(
    to file: consuming OutputFile, container: Container, video: VideoTrack, audio: AudioTrack? = nil,
    timescale: Int32,
    index placement: IndexPlacement = .end, metadata: [String: String] = [:]
  ) throws(MediaError) {
    _ = LibAVLog.silenced
    let path = file.path
    guard container.canHold(video.codec) else {
      throw MediaError.cannotHold(video.codec, container, path)
    }
    let timeBase = clibav_rational(1, timescale)
    let output = try OutputContext(file, container)
    let stream = try output.addStream(video, timeBase: timeBase)
    let audioStream: UnsafeMutablePointer<AVStream>? =
      if let audio { try output.addStream(audio) } else { nil }
    let packet = try Packet()
    let indexOverhead =
      9 << 10 + Int(stream.pointee.codecpar.pointee.extradata_size)
      + metadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    var options: [String: Int64] = [:]
    if container == .mov || container == .mp4 {
      if let tag = video.tagOfMOV { stream.pointee.codecpar.pointee.codec_tag = Self.tag(tag) }
      // MOV rounds to its own timescales unless told: the track's to at least 10000, the film's to milliseconds.
      options = ["video_track_timescale": Int64(timescale), "movie_timescale": Int64(timescale)]
      if case .front(let frameCount) = placement {
        options["moov_size"] = Int64(
          indexOverhead + Container.indexSize(frameCount: frameCount + (audio?.packetCount ?? 0)))
      }
    }
    try output.reserve(indexOverhead)
    var metadata = metadata
    // NUT has no place for colours of its own, and MOV none for the range.
    if container == .nut || container == .mov && video.codec.layout != nil {
      metadata[ColorDescription.metadataKey] = video.color.codePoints
      // FF_MOV_FLAG_USE_MDTA of libavformat's movenc.h: keys that QuickTime does not know are written too.
      if container == .mov { options["movflags"] = 1 << 17 }
    }
    try output.writeHeader(metadata: metadata, options: options)

    self.path = path
    self.output = output
    self.stream = stream
    self.audioStream = audioStream
    self.packet = packet
    self.timeBase = timeBase
    self.placement = placement
    self.indexOverhead = indexOverhead
  }

  /// Bytes of the file so far.
  public var bytesWritten: Int64 { output.size }

  /// Where the bytes of the frame that was written last lie in the file, in one piece; `nil` where the container holds
  /// frames back, as Matroska does.
  public var lastFramePosition: Int64? { output.lastPacketPosition }

  /// Whether a frame of `byteCount` bytes could be written now without waiting for a disk; see
  /// `OutputFile.isReady(forBytes:reserving:)`.
  public func isReady(forBytes byteCount: Int) -> Bool {
    output.isReady(forBytes: bytesHeldBack + byteCount + Self.frameOverhead, reserving: indexReserve)
  }

  /// Writes one frame that is decoded and shown in the same order.
  ///
  /// - Parameters:
  ///   - bytes: the whole frame as the codec has it; read before the call returns.
  ///   - timestamp: when it is shown, in ticks; later than the last frame's.
  ///   - duration: how long it is shown, in ticks.
  ///   - isKeyframe: whether playing can start here.
  /// - Throws: ``MediaError/Code/inputOutput`` where the disk is full or failed. Where it is full, none of this frame is
  ///   in the file, and ``finish()`` still makes those before it whole.
  ///   ``MediaError/Code/badData`` where `timestamp` is not later than the last.
  public mutating func write(
    _ bytes: UnsafeRawBufferPointer, timestamp: Int64, duration: Int64, isKeyframe: Bool = true
  ) throws(MediaError) {
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
  public mutating func write(
    _ bytes: UnsafeRawBufferPointer, presented: Int64, decoded: Int64, duration: Int64, isKeyframe: Bool
  ) throws(MediaError) {
    if let last = lastDecodeTimestamp, decoded <= last {
      throw MediaError(
        .badData,
        "\(path): frame \(frameCount) has the time \(decoded), not after \(last) of the one before it.")
    }
    guard let size = Int32(exactly: bytes.count) else {
      throw MediaError(.badData, "\(path): frame \(frameCount) is over 2 GiB.")
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
    }
    try output.write(self.packet)
    frameCount += 1
    frameBytes += Int64(size)
    lastDecodeTimestamp = decoded
  }

  /// Writes coded audio, with its times in samples, between the frames that are shown with it.
  ///
  /// - Throws: ``MediaError/Code/inputOutput`` where the disk is full or failed, ``MediaError/Code/unsupported`` where the
  ///   file was started without a audio track.
  public mutating func writeAudio(_ packet: Packet) throws(MediaError) {
    guard let audioStream else {
      throw MediaError(.unsupported, "\(path): was started without a audio track, so none can be written.")
    }
    try output.reserve(bytesHeldBack + packet.byteCount + Self.frameOverhead + indexReserve)
    packet.pointer.pointee.stream_index = audioStream.pointee.index
    av_packet_rescale_ts(
      packet.pointer, clibav_rational(1, Int32(SlowedAudio.rate)), audioStream.pointee.time_base)
    frameBytes += Int64(packet.byteCount)
    try output.write(packet)
  }

  /// Writes the index and gives the file its name.
  ///
  /// - Throws: ``MediaError/Code/inputOutput`` where the disk failed, and what `OutputFile.commit()` throws.
  public consuming func finish() throws(MediaError) {
    try output.writeTrailer()
    try output.commit()
  }

  /// Four letters as libav has them.
  private static func tag(_ letters: String) -> UInt32 {
    letters.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// At least so many bytes of earlier frames are not in the file yet: Matroska gathers them to clusters.
  private var bytesHeldBack: Int { Int(max(0, frameBytes - bytesWritten)) }

  /// Bytes that must stay free behind the frames for the index.
  private var indexReserve: Int {
    placement == .end ? indexOverhead + Container.indexSize(frameCount: frameCount + 1) : 0
  }
}
