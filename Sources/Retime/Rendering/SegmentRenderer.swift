import Platform
import Media

/// Takes the coded frames of segments.
protocol SegmentSink: Actor {
  /// Takes `packets` of a segment, in the order they are decoded.
  func write(_ packets: [Packet], of segment: Int) throws(OvercrankError)
  /// Nothing follows of `segment`.
  func end(_ segment: Int) throws(OvercrankError)
  /// Takes note of one more frame of a segment that was coded; whether that is ahead of others made at the same time.
  func countFrame(of segment: Int) -> Bool
}

/// Makes one segment of a clip: develops its frames, and codes them with an encoder of its own.
///
/// A segment begins where its first whole frame appears, and lasts until that of the next does. Whoever makes the next segment finds the same frame.
actor SegmentRenderer {
  /// What became of the captured frames of a segment.
  struct Outcome: Sendable {
    /// How many it shows.
    var shownCount = 0
    /// How many of them are seen alone.
    var aloneCount = 0
    /// What was made between them.
    var interpolation = ClipReport.Interpolation()
    /// Of the first that it could not show.
    var firstFailure: OvercrankError?
    /// The first that it could not show, by their places among the captured frames.
    var damaged: [Int] = []

    /// Takes note that frames are damaged.
    mutating func noteDamaged(_ frames: some Sequence<Int>) {
      damaged += frames.prefix(max(0, Self.mostNamed - damaged.count))
    }

    /// So many are told of by name.
    static let mostNamed = 8
  }

  /// What the packets are.
  nonisolated let track: VideoTrack
  private let plan: ClipPlan
  private let number: Int
  private let encoder: EncodingThread
  private var interpolator: any FrameInterpolator
  private var zoomer: PictureZoomer?
  /// What is seen of a picture, as it was finished last.
  private var finished: (part: PictureWindow?, of: Picture, picture: Picture)?
  private var last: (picture: Picture, index: Int)?
  private var outcome = Outcome()
  /// The frame of the clip that the encoder is given next; beyond all until it is known where the segment begins.
  private var nextFrame: Int

  /// Makes segment `number` of the clip.
  ///
  /// - Throws: what ``VideoEncoder`` throws.
  init(_ number: Int, of plan: ClipPlan) throws(OvercrankError) {
    let encoder = try EncodingThread(plan.encoder())
    track = encoder.track
    nextFrame = plan.segments[number].lowerBound == 0 ? 0 : .max
    self.encoder = encoder
    interpolator = plan.spec.fill.interpolator
    zoomer = plan.zoomCourse.map { _ in plan.pictures.zoomer }
    self.plan = plan
    self.number = number
  }

  /// Gives `writer` the packets of the segment.
  ///
  /// - Throws: `OvercrankError` of reading the film and writing the clip; `cancelled`.
  func render(into writer: any SegmentSink) async throws(OvercrankError) -> Outcome {
    let frames = plan.segments[number]
    var decodePool = try plan.decodePool(from: frames.lowerBound)
    var isEnded = false
    var next = frames.lowerBound
    let timeline = plan.timeline
    func missing(upTo end: Int) -> some Sequence<Int> {
      (min(next, end)..<end).lazy.filter { timeline.isShown($0) }
    }
    var upcoming = try await decodePool.next()
    while !isEnded, let frame = upcoming {
      try plan.source.path.checkCancellation()
      if plan.looksAhead {
        upcoming = try await decodePool.next()
        try expect(frame, upcoming)
      }
      switch frame.picture {
      case .success(let picture) where frames.contains(frame.index):
        outcome.noteDamaged(missing(upTo: frame.index))
        next = frame.index + 1
        try await show(picture, of: frame.index, writer)
        outcome.shownCount += 1
      case .success(let picture):
        try await fill(upTo: picture, of: frame.index, writer)
        isEnded = true
      case .failure(let failure):
        outcome.firstFailure = outcome.firstFailure ?? failure
      }
      if !plan.looksAhead, !isEnded { upcoming = try await decodePool.next() }
    }
    outcome.noteDamaged(missing(upTo: frames.upperBound))
    if !isEnded, let last {
      while nextFrame < plan.timeline.outputFrameCount { try await add(last.picture, of: last.index, writer) }
    }
    try await writer.write(try await coded(.end), of: number)
    try await writer.end(number)
    return outcome
  }

  /// Has the frames between these two captured ones prepared, if the clip has any.
  private func expect(
    _ frame: DecodePool.ProcessedFrame, _ next: DecodePool.ProcessedFrame?
  ) throws(OvercrankError) {
    guard let next, let here = try? frame.picture.get(), let there = try? next.picture.get() else { return }
    let timeline = plan.timeline
    let first = timeline.outputFrames(showing: frame.index).lowerBound
    let end = timeline.outputFrames(showing: next.index).lowerBound
    // The last of them lies furthest from the captured frame.
    guard first < end, timeline.share(of: end - 1, from: frame.index, to: next.index) > 0 else { return }
    try interpolator.expect(here, there)
  }

  /// Shows `picture` of captured frame `index` from where the timeline has it. The frames between it and the next wait for
  /// that.
  private func show(_ picture: Picture, of index: Int, _ writer: any SegmentSink) async throws(OvercrankError)
  {
    let timeline = plan.timeline
    let frames = timeline.outputFrames(showing: index)
    if nextFrame == .max { nextFrame = frames.lowerBound }
    try await fill(upTo: picture, of: index, writer)
    if nextFrame < frames.upperBound, timeline.share(ofNextIn: nextFrame) == 0 { outcome.aloneCount += 1 }
    while nextFrame < frames.upperBound, timeline.share(ofNextIn: nextFrame) == 0 {
      try await add(picture, of: index, writer)
    }
    last = (picture, index)
  }

  /// Shows the last picture, or what lies between it and `picture` of captured frame `index`, until that appears; the
  /// clip's first fills all frames before it.
  private func fill(upTo picture: Picture, of index: Int, _ writer: any SegmentSink)
    async throws(OvercrankError)
  {
    let timeline = plan.timeline
    while nextFrame < timeline.outputFrames(showing: index).lowerBound {
      guard let last else {
        try await add(picture, of: index, writer)
        continue
      }
      let share = timeline.share(of: nextFrame, from: last.index, to: index)
      guard share > 0 else {
        try await add(last.picture, of: last.index, writer)
        continue
      }
      let frame = try await interpolator.frame(between: last.picture, and: picture, share: share)
      outcome.interpolation.count(
        heldPart: frame.heldPart, isInGap: last.index + 1 < index || plan.gaps[index])
      try await add(frame.picture, of: last.index, writer)
    }
  }

  /// Adds `picture` of captured frame `index` to the clip, or the part of it that is shown now.
  private func add(
    _ picture: Picture, of index: Int, _ writer: any SegmentSink
  ) async throws(OvercrankError) {
    // One frame may be held for hours, where a film's times have a gap.
    try plan.source.path.checkCancellation()
    let packets = try await coded(.picture(shown(of: picture, of: index), timestamp: Int64(nextFrame)))
    nextFrame += 1
    try await writer.write(packets, of: number)
    // Whoever is ahead develops frames for all first, so that both end at about the same time.
    if await writer.countFrame(of: number) { await Task.yield() }
  }

  /// What the next frame of the clip shows of `picture`, with what is written on that.
  private func shown(of picture: Picture, of index: Int) throws(OvercrankError) -> Picture {
    guard plan.zoomCourse != nil || !plan.lateChanges.isEmpty else { return picture }
    let part = plan.zoomCourse?.window(of: nextFrame)
    if let finished, finished.part == part, finished.of === picture { return finished.picture }
    var shown = picture
    if let part { shown = try zoomer?.zoom(picture, to: part) ?? picture }
    // A picture that is shown whole is shown again, in part and without what is written on this one.
    if shown === picture, !plan.lateChanges.isEmpty {
      shown = try picture.cropped(
        to: PictureCrop(width: picture.width, height: picture.height, x: 0, y: 0))
    }
    for change in plan.lateChanges { shown = try change.process(shown, of: index) }
    finished = (part, picture, shown)
    return shown
  }

  /// The packets that the encoder has after `input`.
  private func coded(_ input: EncodingThread.Input) async throws(OvercrankError) -> [Packet] {
    guard let packets = try await encoder.packets(after: input) else { throw plan.source.path.cancellation }
    return packets
  }
}
