public import Media
public import Platform

/// Makes a slow-motion clip of a film: decodes it, shows each frame when the timeline says so, and encodes that.
public struct ClipRenderer: Sendable {
  /// The film.
  public let source: ClipSource
  /// How the clip is made.
  public let spec: RenderSpec
  /// The part of the source that it shows.
  public let part: ClipSpan

  /// A renderer of clips of `source`.
  public init(_ source: ClipSource, spec: RenderSpec = RenderSpec(), of part: ClipSpan = .whole) {
    self.source = source
    self.spec = spec
    self.part = part
  }

  /// Makes the clip. All cores decode and encode: the segments of a long one are made at once; a few frames are in
  /// memory.
  ///
  /// Cancelling the task stops it and leaves no file. A damaged frame is replaced by the one before, and counted.
  ///
  /// - Parameters:
  ///   - output: where the clip goes. Into a pipe it goes while it is made: whoever reads it has what was written when this
  ///     fails.
  ///   - container: the kind of file; the index goes in front where it can.
  ///   - early: what was made of the clip before the film was whole; used where it is just what it would be now.
  ///   - progress: called after each frame of a first look at the film's light, then after each of the clip; never from
  ///     two threads at once.
  /// - Throws: `OvercrankError` of reading the film or writing the clip; `OvercrankError.Code.badData` where no frame of the
  ///   film can be used; `OvercrankError.Code.cancelled`.
  public func render(
    to output: consuming MuxerOutput, container: Container, early: EarlyClip? = nil,
    progress: (@Sendable (ClipProgress) -> Void)? = nil
  ) async throws(OvercrankError) -> ClipReport {
    var plan = try ClipPlan(source, spec, of: part, in: container)
    let made = try await Self.made(early, of: &plan)
    let first = try SegmentRenderer(0, of: plan)
    let audio = try plan.audio()
    let hasAudio = audio != nil
    let writer = try ClipWriter(
      to: output, container: container, first.track, plan, audio: audio, made: made, progress: progress)
    do throws(OvercrankError) {
      try await writer.begin()
      var report = try await render(plan, first, made, into: writer, progress: progress)
      if early != nil {
        report.madeWhileFilming = made.values.reduce(0) { $0 + $1.packets.countWhileFilming }
      }
      report.cutOff = plan.timing.cutOff
      if let end = part.end, end.inSeconds > plan.timeline.capturedDuration {
        report.filmEnd = plan.timeline.capturedDuration
      }
      report.restartCount = plan.timing.restartCount
      report.isDeinterlaced = plan.deinterlacing != nil
      report.isInterlaced = plan.deinterlacing == nil && plan.pictures.film.fieldOrder != nil
      report.audio = hasAudio || plan.audioTreatment == .drop ? plan.audioTreatment : nil
      report.hasUnknownAudio = plan.audioTreatment != nil && report.audio == nil
      return report
    } catch {
      // Whoever was told that there is no clip may end the program at once, while tasks still hold the writer.
      await writer.abandon()
      throw error
    }
  }

  /// Makes the clip as a file, as ``render(to:container:early:progress:)`` does.
  public func render(
    to file: consuming OutputFile, container: Container = .mp4, early: EarlyClip? = nil,
    progress: (@Sendable (ClipProgress) -> Void)? = nil
  ) async throws(OvercrankError) -> ClipReport {
    try await render(to: .file(file), container: container, early: early, progress: progress)
  }

  /// What was made early of the segments of `plan`, which is parted so that they are among them.
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
    let outcomes = try await segments(of: plan, first, made, writer)
    let shownCount = outcomes.reduce(0) { $0 + $1.shownCount }
    guard shownCount > 0 else {
      let failure = outcomes.lazy.compactMap(\.firstFailure).first
      throw OvercrankError(
        .badData, "\(source.path): no frame of it can be decoded. \(failure?.description ?? "")")
    }
    try await writer.finish()

    var report = ClipReport(
      plan.timeline, shown: shownCount, alone: outcomes.reduce(0) { $0 + $1.aloneCount },
      outcomes.reduce(ClipReport.Interpolation()) { $0 + $1.interpolation },
      hasOneSpeed: spec.speed == nil || spec.speed?.constant != nil)
    report.damagedFrames = Array(outcomes.flatMap(\.damaged).prefix(SegmentRenderer.Outcome.mostNamed))
    report.hasCoarseHDR = plan.pictures.color.transfer.isHDR && plan.pictures.layout.bitsPerSample == 8
    report.development = plan.pictures.development
    report.developmentSource = plan.pictures.developmentSource
    for change in plan.changes { change.report(to: &report) }
    return report
  }

  /// Makes the segments of the clip, several at once, and tells what became of each.
  ///
  /// - Parameters:
  ///   - first: who makes the first of them.
  ///   - made: those that were made before.
  private func segments(
    of plan: ClipPlan, _ first: SegmentRenderer, _ made: [Int: EarlySegment], _ writer: ClipWriter
  ) async throws(OvercrankError) -> [SegmentRenderer.Outcome] {
    typealias Made = (number: Int, outcome: Result<SegmentRenderer.Outcome, OvercrankError>)
    return try await withTaskGroup(of: Made.self) { group in
      var waiting = plan.segments.indices.filter { made[$0] == nil }[...]
      func startNext() {
        guard let number = waiting.popFirst() else { return }
        group.addTask {
          (number, await render(number, of: plan, number == 0 ? first : nil, writer))
        }
      }
      for _ in 0..<plan.encoderCount { startNext() }
      var outcomes = plan.segments.indices.map { made[$0]?.outcome ?? SegmentRenderer.Outcome() }
      var failure: OvercrankError?
      for await made in group {
        switch made.outcome {
        case .success(let outcome):
          outcomes[made.number] = outcome
          if failure == nil { startNext() }
        case .failure(let error):
          // What the others throw now is that they were cancelled.
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
