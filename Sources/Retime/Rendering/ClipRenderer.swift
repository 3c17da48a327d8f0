public import Media
public import Platform

/// Makes a slow-motion clip of a source: decodes it, places each frame on the timeline, and encodes the
/// result.
public struct ClipRenderer: Sendable {
  /// The source.
  public let source: ClipSource
  /// The settings of the clip.
  public internal(set) var spec: RenderSpec
  /// The part of the source to show.
  public let part: ClipSpan
  /// The quality, size or rate given up to stay under a size; `nil` at first.
  var reduction: SizeReduction?
  /// The bytes of its file that are not frames, once it was found to be too large.
  var fixedBytes: Int64 = 0
  /// The most frames that are held in memory to be encoded backwards; `nil` for as many as fit.
  var blockLength: Int?

  /// Creates a renderer of clips of `source`.
  public init(_ source: ClipSource, spec: RenderSpec = RenderSpec(), of part: ClipSpan = .whole) {
    self.source = source
    self.spec = spec
    self.part = part
  }

  /// Makes the clip. Decoding and encoding use all cores: the segments of a long clip are made in parallel.
  /// Only a few frames are in memory.
  ///
  /// Cancelling the task stops it and leaves no file. A damaged frame is replaced by the one before, and
  /// counted.
  ///
  /// - Parameters:
  ///   - output: the destination. A pipe receives the clip while it is made, so its reader keeps what was
  ///     written before a failure.
  ///   - container: the file format; its index goes to the front if the format allows it.
  ///   - early: the segments rendered before the master was complete; used if they are identical to what
  ///     would be rendered now.
  ///   - progress: called after each frame of a first pass that measures the light, then after each of the
  ///     clip; never from two threads at once.
  /// - Throws: `OvercrankError` if reading the source or writing the clip fails;
  ///   `OvercrankError.Code.badData` if no frame of the source can be used; `OvercrankError.Code.cancelled`.
  public func render(
    to output: consuming MuxerOutput, container: Container, early: EarlyClip? = nil,
    progress: (@Sendable (ClipProgress) -> Void)? = nil
  ) async throws(OvercrankError) -> ClipReport {
    var plan = try ClipPlan(source, spec, of: part, in: container)
    if let blockLength { plan.blockLength = blockLength }
    if reduction?.isCapped == true { plan.keepToCap(besides: fixedBytes) }
    let made = try await Self.made(early, of: &plan)
    if spec.codec == .gif { plan.palette = try await plan.palette(in: container) }
    let first = try SegmentRenderer(0, of: plan)
    let audio = try plan.audio(turnedIn: output.scratchFolder)
    let hasAudio = audio != nil
    let writer = try ClipWriter(
      to: output, container: container, first.track, plan, audio: audio, made: made, progress: progress)
    do throws(OvercrankError) {
      try await writer.begin()
      var report = try await render(plan, first, made, into: writer, progress: progress)
      if early != nil {
        report.madeWhileRecording = made.values.reduce(0) { $0 + $1.packets.countWhileRecording }
      }
      report.cutOff = plan.timing.cutOff
      let length = plan.group?.duration ?? plan.timeline.capturedDuration
      if let end = part.end, end.inSeconds > length { report.videoEnd = length }
      report.unreachedPoint = spec.speed?.point(after: length)
      report.restartCount = plan.timing.restartCount
      report.hasContradictoryTimes = plan.timing.hasContradictoryTimes
      if source.timing == nil, !ImageSequence.isNamed(by: source.path) {
        report.gap = SourceGap(in: plan.timing.frames, of: part)
      }
      report.obliqueRotation = plan.pictures.video.obliqueRotation
      report.isDeinterlaced = plan.deinterlacing != nil
      report.isInterlaced = plan.deinterlacing == nil && plan.pictures.video.fieldOrder != nil
      report.audio = hasAudio || plan.audioTreatment == .drop ? plan.audioTreatment : nil
      report.hasUnknownAudio = plan.audioTreatment != nil && report.audio == nil
      plan.group?.complete(&report, of: plan)
      return report
    } catch {
      // The caller may end the program as soon as it gets this error, while tasks still hold the writer.
      await writer.abandon()
      throw error
    }
  }

  /// Makes the clip as a file, like ``render(to:container:early:progress:)``.
  public func render(
    to file: consuming OutputFile, container: Container = .mp4, early: EarlyClip? = nil,
    progress: (@Sendable (ClipProgress) -> Void)? = nil
  ) async throws(OvercrankError) -> ClipReport {
    try await render(to: .file(file), container: container, early: early, progress: progress)
  }

  /// Splits `plan` so that the usable early segments are among its own, and returns these by their numbers.
  private static func made(
    _ early: EarlyClip?, of plan: inout ClipPlan
  ) async throws(OvercrankError) -> [Int: EarlySegment] {
    guard let early, case let segments = early.segments(of: plan), !segments.isEmpty,
      try plan.leave(segments.map(\.content.frames), frames: await early.allFrames())
    else { return [:] }
    let byStart = Dictionary(uniqueKeysWithValues: segments.map { ($0.content.frames.lowerBound, $0) })
    var made: [Int: EarlySegment] = [:]
    for (number, frames) in plan.segments.enumerated() { made[number] = byStart[frames.lowerBound] }
    return made
  }

  private func render(
    _ plan: ClipPlan, _ first: SegmentRenderer, _ made: [Int: EarlySegment], into writer: ClipWriter,
    progress: (@Sendable (ClipProgress) -> Void)?
  ) async throws(OvercrankError) -> ClipReport {
    for change in plan.changes { try await change.analyse(plan, progress: progress) }
    try await plan.group?.analyse(progress: progress)
    let outcomes = try await segments(of: plan, first, made, writer)
    // On the way back, a clip shows the same frames again.
    let forward = outcomes.prefix(plan.segments.count)
    let shownCount = forward.reduce(0) { $0 + $1.shownCount }
    guard shownCount > 0 else {
      throw OvercrankError.noDecodableFrame(source.name, outcomes.lazy.compactMap(\.firstFailure).first)
    }
    try await writer.finish()

    var report = ClipReport(
      plan.timeline, frameCount: plan.outputFrameCount, shown: shownCount,
      alone: outcomes.reduce(0) { $0 + $1.aloneCount },
      outcomes.reduce(ClipReport.Interpolation()) { $0 + $1.interpolation },
      hasOneSpeed: spec.speed == nil || spec.speed?.constant != nil)
    report.order = plan.order
    report.reduction = reduction
    if spec.codec.isAnimation {
      report.size = ClipReport.Size(width: plan.pictures.size.width, height: plan.pictures.size.height)
    }
    report.damagedFrames = Array(forward.flatMap(\.damaged).prefix(SegmentRenderer.Outcome.mostNamed))
    report.hasCoarseHDR = plan.pictures.color.transfer.isHDR && plan.pictures.layout.bitsPerSample == 8
    report.sizeCount = max(1, plan.pictures.sizes.count)
    report.development = plan.pictures.development
    report.developmentSource = plan.pictures.developmentSource
    for change in plan.changes { change.report(to: &report) }
    return report
  }

  /// Renders the segments of the clip, several at once, and returns the outcome of each.
  ///
  /// - Parameters:
  ///   - first: the renderer of the first segment.
  ///   - made: the segments that were rendered before.
  private func segments(
    of plan: ClipPlan, _ first: SegmentRenderer, _ made: [Int: EarlySegment], _ writer: ClipWriter
  ) async throws(OvercrankError) -> [SegmentRenderer.Outcome] {
    typealias Made = (number: Int, outcome: Result<SegmentRenderer.Outcome, OvercrankError>)
    return try await withTaskGroup(of: Made.self) { group in
      var waiting = (0..<plan.segmentCount).filter { made[$0] == nil }[...]
      func startNext() {
        guard let number = waiting.popFirst() else { return }
        group.addTask {
          (number, await render(number, of: plan, number == 0 ? first : nil, writer))
        }
      }
      for _ in 0..<plan.encoderCount { startNext() }
      var outcomes = (0..<plan.segmentCount).map { made[$0]?.outcome ?? SegmentRenderer.Outcome() }
      var failure: OvercrankError?
      for await made in group {
        switch made.outcome {
        case .success(let outcome):
          outcomes[made.number] = outcome
          if failure == nil { startNext() }
        case .failure(let error):
          // Later errors only say that the tasks were cancelled.
          failure = failure ?? error
          group.cancelAll()
        }
      }
      return failure.map { .failure($0) } ?? Result.success(outcomes)
    }.get()
  }

  private func render(
    _ number: Int, of plan: ClipPlan, _ renderer: SegmentRenderer?, _ writer: ClipWriter
  ) async -> Result<SegmentRenderer.Outcome, OvercrankError> {
    do {
      let renderer = if let renderer { renderer } else { try SegmentRenderer(number, of: plan) }
      return .success(try await renderer.render(into: writer))
    } catch {
      return .failure(error)
    }
  }
}
