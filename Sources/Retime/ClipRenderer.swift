public import Media
import Timebase

/// Makes a slow-motion clip of a film: decodes it, shows each frame when the timeline says so, and encodes that.
public struct ClipRenderer: Sendable {
  /// The film.
  public let source: ClipSource
  /// How the clip is made.
  public let options: ClipOptions

  /// The most frames for which an MP4's index in front, of 44 bytes a frame, can be given a place.
  private static let mostFrames = 48_000_000

  /// A renderer of clips of `source`.
  public init(_ source: ClipSource, options: ClipOptions = ClipOptions()) {
    self.source = source
    self.options = options
  }

  /// What is heard when; `nil` where every frame is shown once at a speed beyond all that speeds can be.
  private func soundCourse(_ timing: FilmTiming, _ timeline: Timeline) -> SoundCourse? {
    guard let curve = options.speed ?? Speed(timeline.speed).map({ SpeedCurve($0) }) else { return nil }
    let pacing = Pacing(timing.frames, nominalInterval: timing.nominalInterval)
    return SoundCourse(curve, options.span, without: options.fill == .skip ? pacing.lostTimes : [])
  }

  /// Makes the clip. Frames are decoded on all cores while others are encoded; a few are in memory at once.
  ///
  /// Cancelling the task stops it and leaves no file. A damaged frame is replaced by the one before, and counted.
  ///
  /// - Parameters:
  ///   - file: where the clip goes.
  ///   - container: the kind of file; the index goes in front where it can.
  ///   - progress: called after each frame of a first look at the film's light, then after each of the clip; never from
  ///     two threads at once.
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
      speed: options.speed, outputRate: options.outputRate, fill: options.fill, span: options.span)
    guard timeline.capturedFrameCount > 0 else {
      throw MediaError(.badData, "\(source.path): has no frame in it.")
    }
    try options.span.check("\(source.path)", lasting: timeline.capturedDuration)
    guard timeline.outputFrameCount <= Self.mostFrames else {
      throw MediaError(
        .outOfRange,
        "\(source.path): at this speed the clip would have \(timeline.outputFrameCount) frames, and no file holds more "
          + "than \(Self.mostFrames). Play it faster, or a part of it with --in and --out.")
    }
    let geometry = try ClipGeometry(
      of: track, crop: options.crop, scale: options.scale)
    let color = options.codec.color(track.pictureColor, height: geometry.height)
    var metadata = ["comment": options.comment]
    metadata["creation_time"] = source.capturedAt ?? film.creationTime
    let course = film.hasSound ? soundCourse(timing, timeline) : nil
    let treatment = course.map { options.sound ?? .usual(by: $0, duration: timeline.duration) } ?? .drop
    let sound = try course.flatMap { course throws(MediaError) in
      try treatment.slowed(source.path, by: course, duration: timeline.duration)
    }
    let hasSound = sound != nil
    let leavesSoundOut = treatment == .drop && film.hasSound
    let isSoundUnknown = treatment != .drop && !hasSound
    var writer = try ClipWriter(
      to: file, container: container, of: source.path, film: track, geometry, color: color, options: options,
      timeline, sound: sound, metadata: metadata, progress: progress)
    let layout = options.codec.layout(for: track)
    let meter =
      options.evensFlicker ? try await LightMeter(source, timing, options: options, progress: progress) : nil
    let flicker = meter?.flicker
    let gains = flicker.map(LightMeter.gains) ?? []
    let pixelCount = geometry.developingPixelCount(of: track)
    var darkroom = try Darkroom(FrameFeed(film, timing, timeline), pixelCount: pixelCount) {
      () throws(MediaError) in
      try Workbench(film: track, geometry, layout: layout, clipColor: color, gains: gains)
    }

    var shownCount = 0
    var evened: [(time: Double, light: Double)] = []
    var firstFailure = ""
    while let frame = try await darkroom.next() {
      try source.path.checkCancellation()
      switch frame.picture {
      case .success(let picture):
        // Waits while the encoder is busy, whose threads are its own: the pool's other threads develop meanwhile.
        try writer.show(picture, of: frame.index)
        shownCount += 1
        if flicker != nil, let meter { evened.append((meter.times[frame.index], picture.meanLight)) }
      case .failure(let failure):
        if firstFailure.isEmpty { firstFailure = failure.description }
      }
    }
    guard try writer.finish() else {
      throw MediaError(.badData, "\(source.path): no frame of it can be decoded. \(firstFailure)")
    }
    var report = ClipReport(timeline, shown: shownCount)
    report.sound = hasSound ? treatment : leavesSoundOut ? .drop : nil
    report.hasUnknownSound = isSoundUnknown
    report.losesOrientation = track.orientation != .upright && !container.keepsOrientation
    report.hasCoarseHDR = color.transfer.isHDR && layout.bitsPerSample == 8
    if let flicker {
      report.flicker = .evened(
        hertz: flicker.hertz, before: flicker.depth,
        after: FlickerFit.depth(hertz: flicker.hertz, times: evened.map(\.time), light: evened.map(\.light)))
    } else if meter != nil {
      report.flicker = ClipReport.Flicker.none
    }
    return report
  }
}
