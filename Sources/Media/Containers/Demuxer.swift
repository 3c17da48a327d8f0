public import Platform
internal import CLibAV
public import SystemPackage
public import Timebase

/// A reader of a media file's video track, packet by packet, from start to end.
///
/// Use from one thread at a time.
public struct Demuxer: ~Copyable, @unchecked Sendable {
  /// The file.
  public let path: FilePath
  /// The parameters of the track.
  public let track: VideoTrack
  /// Seconds per tick of the packets' times.
  public let timeBase: Fraction
  /// The number of frames by the file's header and index; `nil` if unknown, or if they disagree.
  public let frameCount: Int?
  /// The mean rate that the file declares; `nil` if unknown.
  public let averageRate: FrameRate?
  /// The time of the first frame in ticks; `nil` if unknown.
  public let startTimestamp: Int64?

  /// The time of the recording, as the file states it: ISO 8601; `nil` if unknown.
  public let creationTime: String?

  /// The file's `comment`; `nil` if it has none.
  public let comment: String?

  /// Whether it is a MOV or MP4.
  public var isMOV: Bool { context.isMOV }

  /// The number of times that the timestamps have restarted so far, as in recordings that were joined into
  /// one file; the parts still follow one another.
  public var restartCount: Int { context.restartCount }

  /// The error for frames that damage hides between those that have been read so far; `nil` if none are known to be.
  package var hole: OvercrankError? { context.hole }

  /// Whether the file has audio.
  public var hasAudio: Bool { context.hasAudio }

  /// The duration of the track in ticks; `nil` if the file does not give that of the track alone.
  ///
  /// The packets' own durations are not reliable for this: for H.264, libav reports those in the codec's
  /// data, which a copy at another speed leaves unchanged.
  public var duration: Int64? {
    let ticks: Int64
    if context.isMOV {
      ticks = movieDuration
    } else {
      // A header may state any number of frames, and libav relies on it for AVI.
      guard !hasAudio, stream.pointee.nb_frames == 0 || frameCount != nil, let whole = context.duration else {
        return nil
      }
      ticks = Int64(clamping: Int128((Fraction(whole, 1_000_000) / timeBase).rounded))
    }
    let (end, isBeyond) = (startTimestamp ?? 0).addingReportingOverflow(ticks)
    return ticks > 0 && !isBeyond && plausibleTimes.contains(end) ? ticks : nil
  }

  /// Whether a frame that an edit list begins within is still shown, as ffmpeg does for JPEG.
  private var showsPartOfFrame: Bool { track.codec == .mjpeg }

  /// Whether an edit list hides some of its frames.
  public var hidesFrames: Bool {
    guard context.isMOV, !showsPartOfFrame else { return false }
    return (0..<avformat_index_get_entries_count(stream)).contains {
      (avformat_index_get_entry(stream, $0)?.pointee.flags ?? 0) & AVINDEX_DISCARD_FRAME != 0
    }
  }

  /// Returns the end of the last shown frame, which starts at `last`, in ticks by the index of a MOV or MP4;
  /// `nil` for others.
  ///
  /// The packets contain only the time from decoding one to decoding the next. The index may contain only the
  /// sum of these, which ends before that frame if frames are reordered: `nil` in that case.
  public func end(ofLastFrameFrom last: Int64) -> Int64? {
    guard context.isMOV, stream.pointee.nb_frames > 0, stream.pointee.start_time != clibav_no_timestamp(),
      let duration
    else { return nil }
    let end = stream.pointee.start_time + duration
    return end > last ? end : nil
  }

  /// The beginning of every master's comment.
  package static let masterComment = "Overcrank, master"

  /// The times that are accepted: a damaged file may claim any.
  private let plausibleTimes: ClosedRange<Int64>
  /// The time from the first shown frame to the end of the track in ticks, by the index of a MOV or MP4.
  private let movieDuration: Int64
  private let context: InputContext
  private let stream: UnsafeMutablePointer<AVStream>

  /// Opens the file at `path` and picks its best video track.
  ///
  /// - Throws: `noInput` if there is no such file, `noPermission`, `badData` if it is empty, cut off, not a
  ///   media file or without video.
  public init(_ path: FilePath) throws(OvercrankError) {
    let context = try InputContext(path)
    let stream = try context.bestVideoStream()
    let values = stream.pointee
    guard
      let parameters = CodecParameters(filledBy: { avcodec_parameters_copy($0, values.codecpar) })
    else { throw OvercrankError.outOfMemory(path) }
    let timeBase = Fraction(values.time_base) ?? Fraction(1)
    var start = values.start_time == clibav_no_timestamp() ? nil : values.start_time
    let isMaster = context.metadata("comment")?.hasPrefix(Self.masterComment) == true
    let first =
      [AV_CODEC_ID_MJPEG, AV_CODEC_ID_DVVIDEO].contains(parameters.values.codec_id) && !isMaster
      ? context.firstPacket(of: values.index) : nil
    var track = VideoTrack(
      parameters: parameters, codec: first.flatMap { parameters.codec(byFirst: $0) },
      displayMatrix: DisplayMatrix(of: stream) ?? Self.matrix(of: context.images, parameters))
    track.light = LightMetadata(of: stream)
    track.firstFieldOrder = first.flatMap(track.fieldOrder(byFirst:))
    if parameters.hasAVCHeaderWithoutSets, let packet = context.firstPacket(of: values.index) {
      track.header = packet.withBytes(AVCHeader.collected) ?? []
    }
    if let stated = context.metadata(ColorDescription.metadataKey).flatMap(ColorDescription.init(codePoints:))
    {
      track.color = track.color.completed(by: stated)
    }
    // Masters of earlier versions omit whatever their camera did not state.
    if isMaster { track.color = track.color.completed(by: .ofCamera(track.codec)) }
    // Matroska has its own field for this, used if the codec has none.
    track.pixelAspectRatio = track.pixelAspectRatio ?? Fraction(values.sample_aspect_ratio)
    guard track.width > 0, track.height > 0 else {
      try context.checkIsWhole(values.index)
      if parameters.values.codec_id == AV_CODEC_ID_WEBP {
        throw OvercrankError(
          .unsupported,
          "\(path): this libavcodec cannot decode an animated WebP. Use the source it was made from.")
      }
      throw OvercrankError(
        .badData,
        ImageSequence.isNamed(by: path)
          ? "\(path): the first of these images cannot be read. Make it again, or remove it."
          : "\(path): does not state its frame size. Try another copy of it.")
    }
    self.path = path
    self.track = track
    self.timeBase = timeBase
    let stated = values.nb_frames
    self.frameCount =
      stated > 0 && stated == Int64(avformat_index_get_entries_count(stream)) ? Int(stated) : nil
    self.averageRate = Fraction(values.avg_frame_rate).flatMap { FrameRate($0) }
    self.movieDuration = Self.duration(of: stream, in: context, path, from: start)
    if context.isMOV, track.codec == .mjpeg, let shown = start,
      let first = avformat_index_get_entry(stream, 0)?.pointee.timestamp, first < shown
    {
      start = first
    }
    self.startTimestamp = start
    self.creationTime = context.metadata("creation_time")
    self.comment = context.metadata("comment")
    self.plausibleTimes = Self.plausibleTimes(from: start ?? 0, timeBase)
    self.context = context
    self.stream = stream
  }

  /// Returns the time from the first shown frame to the end of a MOV's or MP4's track in ticks.
  ///
  /// libav counts it from 0, before the first shown frame, if an edit list begins with a time without frames.
  private static func duration(
    of stream: UnsafeMutablePointer<AVStream>, in context: InputContext, _ path: FilePath, from start: Int64?
  ) -> Int64 {
    let stated = stream.pointee.duration
    guard context.isMOV, let start, start > 0, let timeBase = Fraction(stream.pointee.time_base),
      let edits = MovieEdits(ofTrack: Int(stream.pointee.id), in: path), edits.lead > Fraction(0),
      edits.length > Fraction(0)
    else { return stated }
    return min(stated, (edits.length / timeBase).rounded)
  }

  /// Returns the matrix of numbered JPEGs, which state their orientation themselves; `nil` for upright, and for others.
  private static func matrix(of images: ImageSequence?, _ parameters: CodecParameters) -> DisplayMatrix? {
    guard let images, parameters.values.codec_id == AV_CODEC_ID_MJPEG else { return nil }
    return DisplayMatrix(Orientation(ofJPEG: images.path(ofImage: 0)))
  }

  /// Checks that there is a file at `path` that could be a source, without opening it.
  ///
  /// - Throws: `noInput` if there is none, or it is a folder, a pipe or a device; `noPermission` if its
  ///   folder may not be searched.
  public static func checkIsFile(_ path: FilePath) throws(OvercrankError) {
    if ImageSequence.isNamed(by: path) {
      _ = try ImageSequence(path)
    } else {
      try OvercrankError.checkIsRegular(path)
    }
  }

  /// Checks that the file is complete, as far as it declares: most containers state their length, or list
  /// their frames.
  ///
  /// - Throws: `badData` if it is cut off.
  package borrowing func checkIsWhole() throws(OvercrankError) {
    try context.checkIsWhole(stream.pointee.index)
  }

  /// Returns whether the file at `path` ends before its declared end, even if it is a source that cannot be
  /// opened.
  package static func isCutOff(_ path: FilePath) -> Bool { DeclaredSize(of: path).shortfall != nil }

  /// Returns the next packet of the track; `nil` at the end.
  ///
  /// - Throws: `badData` if the file is damaged or cut off here, after its last whole frame if that is
  ///   detectable; `inputOutput`.
  public mutating func nextPacket() throws(OvercrankError) -> Packet? {
    guard let packet = try context.nextPacket(of: stream.pointee.index) else { return nil }
    let end = (startTimestamp ?? 0) &+ packet.duration
    let times = [packet.presentationTimestamp, packet.decodeTimestamp, end].compactMap(\.self)
    guard times.allSatisfy(plausibleTimes.contains) else {
      throw OvercrankError(.badData, "\(path): has a frame with an impossible time. Try another copy of it.")
    }
    if showsPartOfFrame { packet.pointer.pointee.flags &= ~AV_PKT_FLAG_DISCARD }
    return packet
  }

  /// Seeks to frame `index`, so that the next packet is that frame; the first frame is 0.
  ///
  /// - Parameters:
  ///   - index: the frame, counted from 0.
  ///   - count: the number of frames in the source.
  /// - Returns: `false`, with an unspecified next packet, if not every frame is a keyframe, or the file has
  ///   no index of all `count` frames.
  public mutating func seek(toFrame index: Int, of count: Int) -> Bool {
    // Matroska's index is read on first use.
    guard track.codec.isIntraOnly, context.seek(stream, to: startTimestamp ?? 0),
      avformat_index_get_entries_count(stream) == count
    else { return false }
    var last = Int64.min
    for place in 0..<count {
      // Frames hidden by an edit list, and frames with equal times, cannot be told apart.
      guard let entry = avformat_index_get_entry(stream, Int32(place))?.pointee, entry.timestamp > last,
        entry.flags & (AVINDEX_KEYFRAME | AVINDEX_DISCARD_FRAME) == AVINDEX_KEYFRAME
      else { return false }
      last = entry.timestamp
    }
    guard let entry = avformat_index_get_entry(stream, Int32(index)) else { return false }
    return context.seek(stream, to: entry.pointee.timestamp)
  }

  /// Seeks to the keyframe at `timestamp`, so that the next packet is that keyframe.
  ///
  /// - Returns: `false`, with an unspecified next packet, if it is not found.
  /// - Throws: as ``nextPacket()``.
  public mutating func seek(toKeyframe timestamp: Int64) throws(OvercrankError) -> Bool {
    // Some containers are entered by decode times, which are earlier, and not always at a keyframe.
    let second = Fraction(1) / timeBase
    let start = max(startTimestamp ?? 0, timestamp.subtracting(clamping: second.rounded))
    guard context.seek(stream, to: start) else { return false }
    return try context.skip(to: timestamp, of: stream.pointee.index)
  }

  /// Seeks close to `part` of the source's length, from 0 to 1. Returns `false`, without moving, if the file
  /// cannot be entered there.
  mutating func approach(_ part: Double) -> Bool {
    let length = context.duration.map { (Fraction($0, 1_000_000) / timeBase).doubleValue } ?? 0
    guard length > 0 else { return false }
    let target = Int64(clamping: (length * min(max(part, 0), 1)).rounded(.down))
    return context.seek(stream, to: (startTimestamp ?? 0).adding(clamping: target))
  }

  /// Returns the times of all frames in the file's own index; `nil` if there is none, or if frames are
  /// reordered.
  ///
  /// Durations are not in an index and are 0, except for that of the last frame.
  public borrowing func indexedTimes() -> [FrameTime]? {
    // Other containers index only keyframes, or estimate.
    let count = Int(avformat_index_get_entries_count(stream))
    guard context.isMOV, track.codec.isIntraOnly, count > 0, count == frameCount else { return nil }
    var times: [FrameTime] = []
    for index in 0..<count {
      guard let entry = avformat_index_get_entry(stream, Int32(index))?.pointee else { return nil }
      guard plausibleTimes.contains(entry.timestamp) else { return nil }
      if entry.flags & AVINDEX_DISCARD_FRAME == 0 || showsPartOfFrame {
        times.append(FrameTime(timestamp: entry.timestamp))
      }
    }
    if let first = times.first, var last = times.popLast() {
      let (end, isBeyond) = first.timestamp.addingReportingOverflow(movieDuration)
      last.duration = isBeyond || !plausibleTimes.contains(end) ? 0 : max(0, end - last.timestamp)
      times.append(last)
    }
    return times
  }

  /// The number of frames per second without losses; `nil` if unknown.
  ///
  /// Lost frames lower the mean rate of a source.
  public var usualRate: FrameRate? {
    let count = min(Int(avformat_index_get_entries_count(stream)), Self.mostIndexed)
    guard context.isMOV, count > 1 else { return averageRate }
    let times = (0..<count).compactMap { avformat_index_get_entry(stream, Int32($0))?.pointee.timestamp }
    guard times.allSatisfy(plausibleTimes.contains) else { return averageRate }
    // The parts of an edit list may overlap.
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    guard !steps.isEmpty else { return averageRate }
    // If the interval is not a whole number of ticks, steps differ by one tick; if frames are missing, by
    // half and more.
    let middle = steps[steps.count / 2]
    let usual = steps.filter { $0 <= middle + middle / 2 }
    let interval = Fraction(usual.reduce(0, +), Int64(usual.count)) * timeBase
    return interval > Fraction(0) ? FrameRate(interval.reciprocal) : averageRate
  }

  /// The largest number of frames that are examined for the usual rate.
  private static let mostIndexed = 100_000

  /// Returns the times within two days of `start`.
  private static func plausibleTimes(from start: Int64, _ timeBase: Fraction) -> ClosedRange<Int64> {
    let longest = Int128((Fraction(2 * 24 * 3600) / timeBase).rounded)
    return Int64(clamping: Int128(start) - longest)...Int64(clamping: Int128(start) + longest)
  }
}

/// The time of a frame, in ticks of its file's time base.
public struct FrameTime: Hashable, Sendable {
  /// The time at which it appears.
  public var timestamp: Int64
  /// The duration for which it is shown; 0 if unknown.
  public var duration: Int64

  /// Creates a frame's time.
  public init(timestamp: Int64, duration: Int64 = 0) {
    self.timestamp = timestamp
    self.duration = duration
  }
}

extension Fraction {
  /// Converts libav's fraction; `nil` unless both terms are positive.
  init?(_ rational: AVRational) {
    guard rational.num > 0, rational.den > 0 else { return nil }
    self.init(Int64(rational.num), Int64(rational.den))
  }
}
