public import CameraModel
public import Media
public import Platform
public import SystemPackage
public import Timebase

/// Makes a slow-motion clip of a source without decoding it: the frames stay as they are, only their times
/// change.
///
/// Each time is the source's divided by the speed: exactly at a constant speed, to a microsecond along a
/// curve. Across lost frames, the frame before stays longer. Takes as long as copying the file.
public struct CopyRetimer: Sendable {
  /// The source's path.
  public let path: FilePath
  /// The speed at which the clip plays.
  public let speed: SpeedCurve
  /// Capture seconds in one second of the source.
  public let pace: Fraction
  /// Frames captured per second, stored in a clip that plays in real time; `nil` if unknown.
  public let captureRate: Fraction?
  /// The part of the source to copy. With a codec whose frames depend on others, it begins and ends at a
  /// keyframe.
  public let span: ClipSpan
  /// The capture time in UTC, as ISO 8601; `nil` for the file's own.
  public let capturedAt: String?
  /// The turn for players to apply, after the source's own.
  public let turn: PictureTurn
  /// The number of frames that the source's take lists; `nil` if there is no take.
  public let listedFrames: Int?

  /// Creates a retimer of the source at `path`.
  public init(
    _ path: FilePath, speed: SpeedCurve, span: ClipSpan = .whole, capturedAt: String? = nil,
    turn: PictureTurn = .none, pace: Fraction = Fraction(1), captureRate: Fraction? = nil,
    listedFrames: Int? = nil
  ) {
    self.listedFrames = listedFrames
    self.pace = pace
    self.captureRate = captureRate
    self.path = path
    self.speed = speed
    self.span = span
    self.capturedAt = capturedAt
    self.turn = turn
  }

  /// Makes the clip. Cancelling the task stops it and leaves no file.
  ///
  /// - Parameters:
  ///   - file: the file to write.
  ///   - container: the file format; its index goes to the front if the format allows it.
  ///   - progress: called after each frame.
  /// - Returns: a report on the frames, all of which are shown within the span.
  /// - Throws: `OvercrankError` if reading the source or writing the clip fails;
  ///   `OvercrankError.Code.unsupported` if `container` cannot hold the source's frames, or if the order in
  ///   which they are shown is unknown; `OvercrankError.Code.cancelled`.
  public func copy(
    to file: consuming OutputFile, container: Container, progress: (@Sendable (ClipProgress) -> Void)? = nil
  ) async throws(OvercrankError) -> ClipReport {
    try speed.constant?.factor.checkFitsContainer("a speed")
    var video = try Demuxer(path)
    try video.checkIsWhole()
    let isReported = video.frameCount != nil && span == .whole && !PacketScan.tellsOrder(video.track)
    let scan = isReported ? nil : try PacketScan(path)
    guard scan?.hasFarTime != true else {
      throw OvercrankError(
        .unsupported,
        "\(path): the time of a frame is far from those around it, and a copy would keep it. Encode a clip of it "
          + "instead, which shows the frames in the order in which they decode.",
        remedy: .encode)
    }
    let frameCount = video.frameCount ?? scan?.times.count ?? 0
    let timeBase = video.timeBase * pace
    let clock = ClipClock(timeBase, speed)
    var start = scan?.start ?? video.startTimestamp
    let cut = try cut(scan, start, timeBase)
    let isReal = speed.constant == .normal
    var metadata = ["comment": RenderSpec(speed: speed).comment()]
    metadata["creation_time"] = capturedAt ?? video.creationTime
    let orientation = video.track.orientation.followed(by: Orientation(turn))
    let track = turn == .none ? video.track : video.track.shown(in: orientation)
    let hidden = video.hidesFrames ? try HiddenFrames(path) : nil
    try hidden?.check(path, container)
    let muxer = try Muxer(
      to: file, container: container, video: track, timescale: clock.timescale,
      index: .front(frameCount: frameCount), metadata: metadata,
      hasCaptureRate: isReal && captureRate != nil)
    var writer = CopyWriter(muxer, container, of: path)
    let usualDuration = video.averageRate.map { ($0.interval / video.timeBase).rounded } ?? 1
    var (place, index) = (-1, -1)
    var copied = 0
    var end: Int64 = 0
    var lastShown: Int64 = 0
    var isEndStated = false
    var origin: Int64?
    var videoEnd: Int64 = 0
    /// The keyframe that ends a part. Frames shown before it may follow it in the file and depend on it.
    var ending: (frame: CopyWriter.Frame, time: Int64, isWritten: Bool)?
    while let packet = try video.nextPacket() {
      try path.checkCancellation()
      place += 1
      if !packet.isHidden { index += 1 }
      guard packet.palette == nil || container != .nut else {
        throw OvercrankError(
          .unsupported,
          "\(path): has its colour palette outside its frames, and NUT cannot hold one. Encode a clip of it "
            + "instead.",
          remedy: .encode)
      }
      guard hidden?.dropped.contains(place) != true else { continue }
      let stated = scan?.shownTime(index) ?? packet.presentationTimestamp
      if stated == nil, video.track.decodingDelay > 0 {
        throw OvercrankError(
          .unsupported,
          "\(path): does not state when its frames are shown, and they are stored in another order. Encode a "
            + "clip of it instead.",
          remedy: .encode
        )
      }
      guard let presented = stated ?? packet.decodeTimestamp else {
        throw OvercrankError(
          .badData, "\(path): frame \(place) has no time. Encode a clip of it instead.",
          remedy: .encode)
      }
      let videoStart = start ?? presented
      start = videoStart
      let time = presented - videoStart
      guard place >= cut.firstPacket else { continue }
      if let frame = ending?.frame, let ended = ending?.time {
        guard !packet.isKeyframe, time < ended else { break }
        if ending?.isWritten == false { try writer.write(frame) }
        ending?.isWritten = true
      }
      let first = origin ?? (packet.isHidden ? hidden?.firstShown.map { $0 - videoStart } : nil) ?? time
      origin = first
      // Frames that are shown before the keyframe depend on frames in front of it.
      guard packet.isHidden || time >= first else { continue }
      let duration = packet.duration > 0 ? packet.duration : usualDuration
      let decoded = (scan?.decodeTime(index) ?? packet.decodeTimestamp ?? presented) - videoStart
      let shown = clock.ticks(time, from: first)
      // A frame shown before the keyframe that ends a part lasts until then at most.
      let shownEnd = min(time + duration, cut.end.flatMap { time < $0 ? $0 : nil } ?? .max)
      let over = clock.ticks(shownEnd, from: first)
      let frame = CopyWriter.Frame(
        packet: packet, place: place, presented: shown, decoded: clock.ticks(decoded, from: first),
        duration: over - shown)
      if ending == nil, packet.isKeyframe, let end = cut.end, time >= end {
        ending = (frame, time, false)
        continue
      }
      try writer.write(frame)
      guard !packet.isHidden else { continue }
      copied += 1
      end = max(end, over)
      if time >= lastShown { (lastShown, isEndStated) = (time, packet.duration > 0) }
      videoEnd = max(videoEnd, shownEnd)
      progress?(ClipProgress(done: copied, total: max(copied, frameCount)))
    }
    guard copied > 0, let origin else { throw OvercrankError.noFrames(path) }
    // libav skips damaged parts of some containers without a word.
    if span == .whole, let listedFrames, copied < listedFrames {
      throw SourceTiming.otherFrames(copied, listed: listedFrames, path)
    }
    if let ending {
      (videoEnd, end) = (ending.time, ending.frame.presented)
      if ending.isWritten, !container.hidesFrames {
        copied += 1
        end += ending.frame.duration
        videoEnd += usualDuration
      }
    } else if let start, let stated = video.end(ofLastFrameFrom: start + lastShown) {
      videoEnd = stated - start
      end = clock.ticks(videoEnd, from: origin)
    } else if !isEndStated, copied > 1 {
      // Lasts as long as the average frame, as in a rendered clip.
      videoEnd = lastShown + Fraction(lastShown - origin, Int64(copied - 1)).rounded
      end = clock.ticks(videoEnd, from: origin)
    }
    try writer.finish(end: end, captureRate: isReal ? captureRate?.doubleValue : nil)
    let length = Fraction(end, Int64(clock.timescale))
    var report = ClipReport(
      copied: copied, of: max(copied, frameCount), duration: length,
      speed: speed.constant?.factor ?? Self.mean(Fraction(videoEnd - origin) * timeBase, length))
    report.hasVaryingRate = speed.constant == nil
    report.audio = video.hasAudio ? .drop : nil
    report.restartCount = video.restartCount
    report.losesOrientation = orientation != .upright && !container.keepsOrientation
    if span != .whole {
      report.skipped = 0
      report.cut = ClipReport.Cut(
        start: Fraction(origin) * timeBase, end: Fraction(videoEnd) * timeBase)
      let video = Fraction(videoEnd) * timeBase
      if let end = span.end, ending == nil, end.inSeconds > video { report.videoEnd = video }
    }
    return report
  }

  /// Returns the mean speed of a clip of `length` that shows `captured` seconds; 1 if the clip is shorter
  /// than a tick.
  private static func mean(_ captured: Fraction, _ length: Fraction) -> Fraction {
    length > Fraction(0) && captured > Fraction(0) ? captured / length : Fraction(1)
  }

  /// Returns the index of the first packet to copy, and the source's timestamp of the keyframe that ends the
  /// part; `nil` if no keyframe ends it.
  private func cut(
    _ scan: PacketScan?, _ start: Int64?, _ timeBase: Fraction
  ) throws(OvercrankError) -> (firstPacket: Int, end: Int64?) {
    guard span != .whole, let scan else { return (0, nil) }
    let first = start ?? scan.times.first?.timestamp ?? 0
    let duration = scan.times.last.map { Fraction($0.timestamp - first + max(1, $0.duration)) * timeBase }
    try span.check(path, lasting: duration ?? Fraction(0))
    func ticks(_ time: Duration) -> Fraction { time.inSeconds / timeBase }
    let asked = ticks(span.start)
    let place = scan.keyframes.last { Fraction($0.timestamp - first) <= asked }?.place ?? 0
    let end = span.end.flatMap { end in
      scan.keyframes.first { $0.place >= place && Fraction($0.timestamp - first) >= ticks(end) }
    }
    return (place, end.map { $0.timestamp - first })
  }
}
