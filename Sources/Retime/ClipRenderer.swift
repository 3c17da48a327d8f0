public import Media

/// Makes a slow-motion clip of a film: decodes it, shows each frame when the timeline says so, and encodes that.
public struct ClipRenderer: Sendable {
  /// The film.
  public let source: ClipSource
  /// How the clip is made.
  public let options: ClipOptions

  /// A renderer of clips of `source`.
  public init(_ source: ClipSource, options: ClipOptions = ClipOptions()) {
    self.source = source
    self.options = options
  }

  /// Makes the clip. Frames are decoded on all cores while others are encoded; a few are in memory at once.
  ///
  /// Cancelling the task stops it and leaves no file. A damaged frame is replaced by the one before, and counted.
  ///
  /// - Parameters:
  ///   - file: where the clip goes.
  ///   - container: the kind of file; the index goes in front where it can.
  ///   - progress: called after each captured frame, never from two threads at once.
  /// - Throws: ``MediaError`` of reading the film or writing the clip; ``MediaError/Code/badData`` where no frame of the
  ///   film can be used; ``MediaError/Code/cancelled``.
  public func render(
    to file: consuming OutputFile, container: Container = .mp4,
    progress: (@Sendable (ClipProgress) -> Void)? = nil
  ) async throws(MediaError) -> ClipReport {
    try options.check()
    let film = try Demuxer(source.path)
    let track = film.track
    let timing = try FilmTiming(of: source, in: film)
    let timeline = Timeline(
      timing.frames, nominalInterval: timing.nominalInterval, lastInterval: timing.lastInterval,
      speed: options.speed, outputRate: options.outputRate)
    guard timeline.capturedFrameCount > 0 else {
      throw MediaError(.badData, "\(source.path): has no frame in it.")
    }
    // 4:2:0 has no odd sizes.
    let (width, height) = (track.width & ~1, track.height & ~1)
    let color = track.pictureColor.inClip(height: height)
    let treatment = options.sound ?? .usual(at: timeline.speed)
    let sound = try treatment.slowed(source.path, speed: timeline.speed, duration: timeline.duration)
    let hasSound = sound != nil
    let leavesSoundOut = treatment == .drop && film.hasSound
    var writer = try ClipWriter(
      to: file, container: container, film: track, width: width, height: height, color: color,
      options: options, sound: sound, frameCount: timeline.outputFrameCount)
    var darkroom = try Darkroom(FrameFeed(film, timing, timeline)) { () throws(MediaError) in
      try Workbench(film: track, width: width, height: height, clipColor: color)
    }

    var shownCount = 0
    var firstFailure = ""
    while let frame = try await darkroom.next() {
      guard !Task.isCancelled else {
        throw MediaError(.cancelled, "\(source.path): stopped half way; no clip was made.")
      }
      switch frame.picture {
      case .success(let picture):
        // Waits while the encoder is busy, whose threads are its own: the pool's other threads develop meanwhile.
        try writer.show(picture, on: timeline.outputFrames(showing: frame.index))
        shownCount += 1
      case .failure(let failure):
        if firstFailure.isEmpty { firstFailure = failure.description }
      }
      progress?(ClipProgress(done: writer.frameCount, total: timeline.outputFrameCount))
    }
    guard try writer.finish(frameCount: timeline.outputFrameCount) else {
      throw MediaError(.badData, "\(source.path): no frame of it can be decoded. \(firstFailure)")
    }
    var report = ClipReport(timeline, damaged: timeline.shownFrameCount - shownCount)
    report.sound = hasSound ? treatment : leavesSoundOut ? .drop : nil
    return report
  }
}
