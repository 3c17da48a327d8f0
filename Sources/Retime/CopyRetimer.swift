public import Media
public import SystemPackage
public import Timebase

/// Makes a slow-motion clip of a film without decoding it: the frames stay as they are, only their times change.
///
/// Every time of the clip is exactly the film's, divided by the speed; where frames were lost, the one before stays
/// longer. Takes as long as copying the file.
public struct CopyRetimer: Sendable {
  /// The film.
  public let path: FilePath
  /// How fast the clip plays.
  public let speed: Speed

  /// A retimer of the film at `path`.
  public init(_ path: FilePath, speed: Speed) {
    self.path = path
    self.speed = speed
  }

  /// Makes the clip. Cancelling the task stops it and leaves no file.
  ///
  /// - Parameters:
  ///   - file: where the clip goes.
  ///   - container: the kind of file; the index goes in front where it can.
  ///   - progress: called after each frame.
  /// - Returns: what became of the frames: all are shown.
  /// - Throws: ``MediaError`` of reading the film or writing the clip; ``MediaError/Code/unsupported`` where `container`
  ///   cannot hold the film's frames; ``MediaError/Code/cancelled``.
  public func copy(
    to file: consuming OutputFile, container: Container, progress: (@Sendable (ClipProgress) -> Void)? = nil
  ) async throws(MediaError) -> ClipReport {
    try speed.factor.checkFitsContainer("a speed")
    var film = try Demuxer(path)
    let scan = film.frameCount == nil ? try PacketScan(path) : nil
    let frameCount = film.frameCount ?? scan?.times.count ?? 0
    let clock = ClipClock(film.timeBase, speed)
    var muxer = try Muxer(
      to: file, container: container, video: film.track, timescale: clock.timescale,
      index: .front(frameCount: frameCount))
    let usualDuration = film.averageRate.map { ($0.interval / film.timeBase).rounded } ?? 1
    var start = film.startTimestamp
    var copied = 0
    var end: Int64 = 0
    while let packet = try film.nextPacket() {
      guard !Task.isCancelled else {
        throw MediaError(.cancelled, "\(path): stopped half way; no clip was made.")
      }
      guard let presented = packet.presentationTimestamp ?? packet.decodeTimestamp else {
        throw MediaError(.badData, "\(path): frame \(copied) has no time. Leave out --copy.")
      }
      let origin = start ?? presented
      start = origin
      let duration = clock.ticks(packet.duration > 0 ? packet.duration : usualDuration)
      let shown = clock.ticks(presented - origin)
      let decoded = clock.ticks((scan?.decodeTime(copied) ?? packet.decodeTimestamp ?? presented) - origin)
      try packet.withBytes { bytes throws(MediaError) in
        try muxer.write(
          bytes, presented: shown, decoded: decoded, duration: duration, isKeyframe: packet.isKeyframe)
      }
      copied += 1
      end = max(end, shown + duration)
      progress?(ClipProgress(done: copied, total: max(copied, frameCount)))
    }
    guard copied > 0 else { throw MediaError(.badData, "\(path): has no frame in it.") }
    try muxer.finish()
    return ClipReport(
      copied: copied, duration: Fraction(end, Int64(clock.timescale)), speed: speed.factor)
  }
}
