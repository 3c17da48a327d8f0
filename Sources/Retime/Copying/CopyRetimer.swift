public import CameraModel
public import Media
public import Platform
public import SystemPackage
public import Timebase

/// Makes a slow-motion clip of a film without decoding it: the frames stay as they are, only their times change.
///
/// Every time of the clip is the film's divided by the speed, exactly where that is one throughout, and to a
/// microsecond by a curve; where frames were lost, the one before stays longer. Takes as long as copying the file.
public struct CopyRetimer: Sendable {
  /// The film.
  public let path: FilePath
  /// How fast the clip plays against life.
  public let speed: SpeedCurve
  /// Capture seconds that pass in one second of the film.
  public let pace: Fraction
  /// Frames captured a second, which a clip as fast as life tells; `nil` where nobody knows.
  public let captureRate: Fraction?
  /// The part of the film that is copied; a codec whose frames lean on others begins and ends at a keyframe.
  public let span: ClipSpan
  /// When it was filmed, in UTC as ISO 8601; `nil` goes by what the file says.
  public let capturedAt: String?
  /// How a player is to turn it, after what the film itself says.
  public let turn: PictureTurn

  /// A retimer of the film at `path`.
  public init(
    _ path: FilePath, speed: SpeedCurve, span: ClipSpan = .whole, capturedAt: String? = nil,
    turn: PictureTurn = .none, pace: Fraction = Fraction(1), captureRate: Fraction? = nil
  ) {
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
  ///   - file: where the clip goes.
  ///   - container: the kind of file; the index goes in front where it can.
  ///   - progress: called after each frame.
  /// - Returns: what became of the frames: all of the span are shown.
  /// - Throws: `OvercrankError` of reading the film or writing the clip; `OvercrankError.Code.unsupported` where `container`
  ///   cannot hold the film's frames, or where the film does not tell their order; `OvercrankError.Code.cancelled`.
  public func copy(
    to file: consuming OutputFile, container: Container, progress: (@Sendable (ClipProgress) -> Void)? = nil
  ) async throws(OvercrankError) -> ClipReport {
    try speed.constant?.factor.checkFitsContainer("a speed")
    var film = try Demuxer(path)
    try film.checkIsWhole()
    let isTold = film.frameCount != nil && span == .whole && !PacketScan.tellsOrder(film.track)
    let scan = isTold ? nil : try PacketScan(path)
    let frameCount = film.frameCount ?? scan?.times.count ?? 0
    let timeBase = film.timeBase * pace
    let clock = ClipClock(timeBase, speed)
    var start = scan?.start ?? film.startTimestamp
    let cut = try cut(scan, start, timeBase)
    let isReal = speed.constant == .normal
    var metadata = ["comment": RenderSpec(speed: speed).comment()]
    metadata["creation_time"] = capturedAt ?? film.creationTime
    let orientation = film.track.orientation.followed(by: Orientation(turn))
    let track = turn == .none ? film.track : film.track.shown(in: orientation)
    let hidden = film.hidesFrames ? try HiddenFrames(path) : nil
    try hidden?.check(path, container)
    let muxer = try Muxer(
      to: file, container: container, video: track, timescale: clock.timescale,
      index: .front(frameCount: frameCount), metadata: metadata,
      hasCaptureRate: isReal && captureRate != nil)
    var writer = CopyWriter(muxer, container)
    let usualDuration = film.averageRate.map { ($0.interval / film.timeBase).rounded } ?? 1
    var (place, index) = (-1, -1)
    var copied = 0
    var end: Int64 = 0
    var lastShown: Int64 = 0
    var isEndStated = false
    var origin: Int64?
    var filmEnd: Int64 = 0
    /// The keyframe that a part ends at. Frames that are shown before it may lie behind it, and lean on it.
    var ending: (frame: CopyWriter.Frame, time: Int64, isWritten: Bool)?
    while let packet = try film.nextPacket() {
      try path.checkCancellation()
      place += 1
      if !packet.isHidden { index += 1 }
      guard packet.palette == nil || container != .nut else {
        throw OvercrankError(
          .unsupported,
          "\(path): has the palette of its colours beside its frames, and NUT has no place for one. Encode a clip of it instead.",
          remedy: .encode)
      }
      guard hidden?.dropped.contains(place) != true else { continue }
      let stated = scan?.shownTime(index) ?? packet.presentationTimestamp
      if stated == nil, film.track.decodingDelay > 0 {
        throw OvercrankError(
          .unsupported,
          "\(path): does not tell when its frames are shown, which is in another order than they lie in. "
            + "Encode a clip of it instead.",
          remedy: .encode
        )
      }
      guard let presented = stated ?? packet.decodeTimestamp else {
        throw OvercrankError(
          .badData, "\(path): frame \(place) has no time. Encode a clip of it instead.",
          remedy: .encode)
      }
      let filmStart = start ?? presented
      start = filmStart
      let time = presented - filmStart
      guard place >= cut.firstPacket else { continue }
      if let frame = ending?.frame, let ended = ending?.time {
        guard !packet.isKeyframe, time < ended else { break }
        if ending?.isWritten == false { try writer.write(frame) }
        ending?.isWritten = true
      }
      let first = origin ?? (packet.isHidden ? hidden?.firstShown.map { $0 - filmStart } : nil) ?? time
      origin = first
      // What is shown before the keyframe leans on frames in front of it.
      guard packet.isHidden || time >= first else { continue }
      let duration = packet.duration > 0 ? packet.duration : usualDuration
      let decoded = (scan?.decodeTime(index) ?? packet.decodeTimestamp ?? presented) - filmStart
      let shown = clock.ticks(time, from: first)
      // What is shown before the keyframe that ends a part is shown no longer than until then.
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
      filmEnd = max(filmEnd, shownEnd)
      progress?(ClipProgress(done: copied, total: max(copied, frameCount)))
    }
    guard copied > 0, let origin else { throw OvercrankError(.badData, "\(path): has no frame in it.") }
    if let ending {
      (filmEnd, end) = (ending.time, ending.frame.presented)
      if ending.isWritten, !container.hidesFrames {
        copied += 1
        end += ending.frame.duration
        filmEnd += usualDuration
      }
    } else if let start, let stated = film.end(ofLastFrameFrom: start + lastShown) {
      filmEnd = stated - start
      end = clock.ticks(filmEnd, from: origin)
    } else if !isEndStated, copied > 1 {
      // As long as the others in the mean, as in a clip that is rendered.
      filmEnd = lastShown + Fraction(lastShown - origin, Int64(copied - 1)).rounded
      end = clock.ticks(filmEnd, from: origin)
    }
    try writer.finish(end: end, captureRate: isReal ? captureRate?.doubleValue : nil)
    let length = Fraction(end, Int64(clock.timescale))
    var report = ClipReport(
      copied: copied, of: max(copied, frameCount), duration: length,
      speed: speed.constant?.factor ?? Self.mean(Fraction(filmEnd - origin) * timeBase, length))
    report.hasVaryingRate = speed.constant == nil
    report.audio = film.hasAudio ? .drop : nil
    report.restartCount = film.restartCount
    report.losesOrientation = orientation != .upright && !container.keepsOrientation
    if span != .whole {
      report.passedOver = 0
      report.cut = ClipReport.Cut(
        start: Fraction(origin) * timeBase, end: Fraction(filmEnd) * timeBase)
      let film = Fraction(filmEnd) * timeBase
      if let end = span.end, ending == nil, end.inSeconds > film { report.filmEnd = film }
    }
    return report
  }

  /// How fast a clip of `length` plays `captured`; as in life where its frames are too short to last a
  /// tick.
  private static func mean(_ captured: Fraction, _ length: Fraction) -> Fraction {
    length > Fraction(0) && captured > Fraction(0) ? captured / length : Fraction(1)
  }

  /// Where copying begins, as a place among the film's packets, and when the keyframe is shown that ends it, in its ticks.
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
