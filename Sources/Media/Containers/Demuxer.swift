public import Platform
internal import CLibAV
public import SystemPackage
public import Timebase

/// Reads the video track of a media file, packet by packet, from the start to the end.
///
/// Use from one thread at a time.
public struct Demuxer: ~Copyable, @unchecked Sendable {
  /// The file.
  public let path: FilePath
  /// What the track holds.
  public let track: VideoTrack
  /// Seconds per tick of the packets' times.
  public let timeBase: Fraction
  /// How many frames the file has by its header and its index; `nil` where these do not say, or do not agree.
  public let frameCount: Int?
  /// The mean rate that the file promises; `nil` where it does not say.
  public let averageRate: FrameRate?
  /// When the first frame is shown, in ticks; `nil` where the file does not say.
  public let startTimestamp: Int64?

  /// When it was filmed, as the file has it: ISO 8601; `nil` where it does not say.
  public let creationTime: String?

  /// What the file says of itself (`comment`); `nil` where it says nothing.
  public let comment: String?

  /// Whether it is a MOV or MP4.
  public var isMOV: Bool { context.isMOV }

  /// How often the times started again in what was read so far, as in recordings that were joined into one file; the parts
  /// follow one another all the same.
  public var restartCount: Int { context.restartCount }

  /// Whether there is audio beside the picture.
  public var hasAudio: Bool { context.hasAudio }

  /// For how many ticks the track plays; `nil` where the file does not say that of the track alone.
  ///
  /// The packets' own durations are not to be trusted for that: of H.264, libav tells what the codec's bytes say, which
  /// a copy at another speed leaves as it is.
  public var duration: Int64? {
    let ticks: Int64
    if context.isMOV {
      ticks = stream.pointee.duration
    } else {
      // A header may state any number of frames, and libav goes by that of AVI.
      guard !hasAudio, stream.pointee.nb_frames == 0 || frameCount != nil, let whole = context.duration else {
        return nil
      }
      ticks = Int64(clamping: Int128((Fraction(whole, 1_000_000) / timeBase).rounded))
    }
    let (end, isBeyond) = (startTimestamp ?? 0).addingReportingOverflow(ticks)
    return ticks > 0 && !isBeyond && plausibleTimes.contains(end) ? ticks : nil
  }

  /// Whether a frame that an edit list begins within is shown all the same, as ffmpeg shows it of JPEGs.
  private var showsPartOfFrame: Bool { track.codec == .mjpeg }

  /// Whether an edit list hides some of its frames.
  public var hidesFrames: Bool {
    guard context.isMOV, !showsPartOfFrame else { return false }
    return (0..<avformat_index_get_entries_count(stream)).contains {
      (avformat_index_get_entry(stream, $0)?.pointee.flags ?? 0) & AVINDEX_DISCARD_FRAME != 0
    }
  }

  /// When the frame that is shown last, from `last` on, ends in ticks by the index of a MOV or MP4; `nil` for others.
  ///
  /// The packets themselves say only how long it takes from decoding one to decoding the next. The index may state
  /// no more than the sum of these, which ends before such a frame where frames wait for others: `nil` then.
  public func end(ofLastFrameFrom last: Int64) -> Int64? {
    guard context.isMOV, stream.pointee.nb_frames > 0, stream.pointee.start_time != clibav_no_timestamp(),
      let duration
    else { return nil }
    let end = stream.pointee.start_time + duration
    return end > last ? end : nil
  }

  /// How the comment of every master begins.
  package static let masterComment = "Overcrank, master"

  /// What times can be reckoned with: a damaged file may claim any.
  private let plausibleTimes: ClosedRange<Int64>
  private let context: InputContext
  private let stream: UnsafeMutablePointer<AVStream>

  /// Opens the file at `path` and picks its best video track.
  ///
  /// - Throws: `noInput` where there is no such file, `noPermission`,
  ///   `badData` where it is empty, cut off, no media or without video.
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
      displayMatrix: DisplayMatrix(of: values))
    track.light = LightMetadata(of: values)
    track.firstFieldOrder = first.flatMap(track.fieldOrder(byFirst:))
    if let stated = context.metadata(ColorDescription.metadataKey).flatMap(ColorDescription.init(codePoints:))
    {
      track.color = track.color.completed(by: stated)
    }
    // Masters of earlier versions leave out what their camera did not state.
    if isMaster { track.color = track.color.completed(by: .ofCamera(track.codec)) }
    // Matroska's own word for it, where the codec has none.
    track.pixelAspectRatio = track.pixelAspectRatio ?? Fraction(values.sample_aspect_ratio)
    guard track.width > 0, track.height > 0 else {
      try context.checkIsWhole(values.index)
      throw OvercrankError(
        .badData,
        ImageSequence.isNamed(by: path)
          ? "\(path): the first of these images is none that can be read. Make it again, or remove it."
          : "\(path): does not say how large its pictures are. Try another copy of it.")
    }
    self.path = path
    self.track = track
    self.timeBase = timeBase
    let stated = values.nb_frames
    self.frameCount =
      stated > 0 && stated == Int64(avformat_index_get_entries_count(stream)) ? Int(stated) : nil
    self.averageRate = Fraction(values.avg_frame_rate).flatMap { FrameRate($0) }
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

  /// Finds out whether there is a file at `path` that could be a film, and opens nothing.
  ///
  /// - Throws: `noInput` where there is none, or a folder, a pipe or a device;
  ///   `noPermission` where its folder may not be searched.
  public static func checkIsFile(_ path: FilePath) throws(OvercrankError) {
    if ImageSequence.isNamed(by: path) {
      _ = try ImageSequence(path)
    } else {
      try OvercrankError.checkIsRegular(path)
    }
  }

  /// Finds out whether the file is whole, as far as it tells: most containers say how long they are, or list their frames.
  ///
  /// - Throws: `badData` where it is cut off.
  package borrowing func checkIsWhole() throws(OvercrankError) {
    try context.checkIsWhole(stream.pointee.index)
  }

  /// Whether the file at `path` ends before the end that it tells of, be it a film that can be opened or not.
  package static func isCutOff(_ path: FilePath) -> Bool { DeclaredSize(of: path).shortfall != nil }

  /// The next packet of the track; `nil` at the end.
  ///
  /// - Throws: `badData` where the file is damaged or cut off here:
  ///   behind its last whole frame where that can be told, `inputOutput`.
  public mutating func nextPacket() throws(OvercrankError) -> Packet? {
    guard let packet = try context.nextPacket(of: stream.pointee.index) else { return nil }
    let end = (startTimestamp ?? 0) &+ packet.duration
    let times = [packet.presentationTimestamp, packet.decodeTimestamp, end].compactMap(\.self)
    guard times.allSatisfy(plausibleTimes.contains) else {
      throw OvercrankError(.badData, "\(path): has a frame at an impossible time. Try another copy of it.")
    }
    if showsPartOfFrame { packet.pointer.pointee.flags &= ~AV_PKT_FLAG_DISCARD }
    return packet
  }

  /// Goes to frame `index`, so that the next packet is its; the first frame is 0.
  ///
  /// - Parameters:
  ///   - index: the frame, counted from 0.
  ///   - count: how many frames the film has.
  /// - Returns: `false`, and the next packet may be any, where not every frame stands alone, or the file has no index
  ///   of all `count` frames.
  public mutating func seek(toFrame index: Int, of count: Int) -> Bool {
    // Matroska reads its index when it is first used.
    guard track.codec.isIntraOnly, context.seek(stream, to: startTimestamp ?? 0),
      avformat_index_get_entries_count(stream) == count
    else { return false }
    var last = Int64.min
    for place in 0..<count {
      // Frames that an edit list hides, and those at one time, are not to be told apart.
      guard let entry = avformat_index_get_entry(stream, Int32(place))?.pointee, entry.timestamp > last,
        entry.flags & (AVINDEX_KEYFRAME | AVINDEX_DISCARD_FRAME) == AVINDEX_KEYFRAME
      else { return false }
      last = entry.timestamp
    }
    guard let entry = avformat_index_get_entry(stream, Int32(index)) else { return false }
    return context.seek(stream, to: entry.pointee.timestamp)
  }

  /// Goes near the frame at `part` of the film's length, from 0 to 1; `false` where the file cannot be entered there, and the
  /// next packet is the next all the same.
  mutating func approach(_ part: Double) -> Bool {
    let length = context.duration.map { (Fraction($0, 1_000_000) / timeBase).doubleValue } ?? 0
    guard length > 0 else { return false }
    let target = Int64(clamping: (length * min(max(part, 0), 1)).rounded(.down))
    return context.seek(stream, to: (startTimestamp ?? 0).adding(clamping: target))
  }

  /// The times of all frames as the file's own index has them; `nil` where there is none, or where frames are not
  /// shown in the order they lie in.
  ///
  /// What no index tells is 0: the durations of all but the last frame.
  public borrowing func indexedTimes() -> [FrameTime]? {
    // Other containers index keyframes only, or guess.
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
      let (end, isBeyond) = first.timestamp.addingReportingOverflow(stream.pointee.duration)
      last.duration = isBeyond || !plausibleTimes.contains(end) ? 0 : max(0, end - last.timestamp)
      times.append(last)
    }
    return times
  }

  /// How many frames play in a second where none is missing; `nil` where the file does not say.
  ///
  /// Frames that were lost make the mean rate of a film lower.
  public var usualRate: FrameRate? {
    let count = min(Int(avformat_index_get_entries_count(stream)), Self.mostIndexed)
    guard context.isMOV, count > 1 else { return averageRate }
    let times = (0..<count).compactMap { avformat_index_get_entry(stream, Int32($0))?.pointee.timestamp }
    guard times.allSatisfy(plausibleTimes.contains) else { return averageRate }
    let sorted = times.sorted()
    let steps = zip(sorted, sorted.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    guard !steps.isEmpty else { return averageRate }
    // Where a frame has no whole number of ticks, they differ by one; where frames are missing, by a half and more.
    let middle = steps[steps.count / 2]
    let usual = steps.filter { $0 <= middle + middle / 2 }
    let interval = Fraction(usual.reduce(0, +), Int64(usual.count)) * timeBase
    return interval > Fraction(0) ? FrameRate(interval.reciprocal) : averageRate
  }

  /// So many frames tell the usual rate.
  private static let mostIndexed = 100_000

  /// The times within two days of `start`.
  private static func plausibleTimes(from start: Int64, _ timeBase: Fraction) -> ClosedRange<Int64> {
    let longest = Int128((Fraction(2 * 24 * 3600) / timeBase).rounded)
    return Int64(clamping: Int128(start) - longest)...Int64(clamping: Int128(start) + longest)
  }
}

/// When a frame is shown, in ticks of its file's time base.
public struct FrameTime: Hashable, Sendable {
  /// The moment it appears.
  public var timestamp: Int64
  /// How long it stays; 0 where nobody said.
  public var duration: Int64

  /// A frame's time.
  public init(timestamp: Int64, duration: Int64 = 0) {
    self.timestamp = timestamp
    self.duration = duration
  }
}

extension Fraction {
  /// libav's fraction; `nil` where a term is not above zero.
  init?(_ rational: AVRational) {
    guard rational.num > 0, rational.den > 0 else { return nil }
    self.init(Int64(rational.num), Int64(rational.den))
  }
}
