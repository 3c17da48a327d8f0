import Platform
import Media

/// A destination for the encoded frames of segments.
protocol SegmentSink: Actor {
  /// Writes `packets` of a segment, in decoding order.
  func write(_ packets: [Packet], of segment: Int) throws(OvercrankError)
  /// Ends `segment`: no packets of it follow.
  func end(_ segment: Int) throws(OvercrankError)
  /// Counts one more encoded frame of a segment, and returns whether that segment is ahead of others in
  /// progress.
  func countFrame(of segment: Int) -> Bool
}

/// Renders one segment of a clip: processes its frames, and encodes them with an encoder of its own.
///
/// A segment begins when its first undamaged frame appears, and lasts until that of the next segment does.
/// The renderer of the next segment finds the same frame.
actor SegmentRenderer {
  /// The outcome of rendering a segment.
  struct Outcome: Sendable {
    /// The number of captured frames that it shows.
    var shownCount = 0
    /// The number of captured frames that appear without interpolation.
    var aloneCount = 0
    /// The frames that were interpolated.
    var interpolation = ClipReport.Interpolation()
    /// The error of the first frame that could not be shown.
    var firstFailure: OvercrankError?
    /// The first frames that could not be shown, by their indices among the captured ones.
    var damaged: [Int] = []

    /// Counts a frame of the clip after another of this origin.
    fileprivate mutating func count(_ origin: ClipFrame.Origin, after last: ClipFrame.Origin?) {
      switch origin {
      case .captured: if origin != last { aloneCount += 1 }
      case .held: break
      case .interpolated(let heldPart, let isInGap):
        interpolation.count(heldPart: heldPart, isInGap: isInGap)
      }
    }

    /// Adds frames to the damaged ones.
    mutating func noteDamaged(_ frames: some Sequence<Int>) {
      damaged += frames.prefix(max(0, Self.mostNamed - damaged.count))
    }

    /// The most damaged frames to list.
    static let mostNamed = 8
  }

  /// The track of the packets.
  nonisolated let track: VideoTrack
  private let plan: ClipPlan
  private let number: Int
  /// The encoder; `nil` at the end of the segment, because its memory is then needed by the next one.
  private var encoder: EncodingThread?
  private var interpolator: any FrameInterpolator
  private var zoomer: PictureZoomer?
  /// The part of a picture that was finished last, and the result.
  private var finished: (part: PictureWindow?, of: Picture, picture: Picture)?
  private var last: (picture: Picture, index: Int)?
  private var outcome = Outcome()
  /// The next frame of the clip to make; `Int.max` until the segment's first frame is known.
  private var nextFrame: Int
  private let isReversed: Bool
  /// The frames of the block that is encoded backwards next.
  private var block: [ClipFrame] = []
  /// The places in the clip whose frames are made now.
  private var kept = 0..<Int.max
  private var lastOrigin: ClipFrame.Origin?

  /// A frame of the clip, by its place in a clip that plays forwards.
  fileprivate struct ClipFrame {
    let picture: Picture
    let place: Int
    let origin: Origin

    enum Origin: Equatable {
      /// The captured frame of this index.
      case captured(Int)
      /// The frame before it.
      case held
      /// The two captured frames around it.
      case interpolated(heldPart: Double, isInGap: Bool)
    }
  }

  /// Creates the renderer of segment `number` of the clip.
  ///
  /// - Throws: the errors of ``VideoEncoder``.
  init(_ number: Int, of plan: ClipPlan) throws(OvercrankError) {
    let encoder = try EncodingThread(plan.encoder())
    track = encoder.track
    (_, isReversed) = plan.segment(number)
    nextFrame = .max
    self.encoder = encoder
    interpolator = plan.spec.fill.interpolator
    zoomer = plan.zoomCourse.map { _ in plan.pictures.zoomer }
    self.plan = plan
    self.number = number
  }

  /// Renders the segment, and writes its packets to `writer`.
  ///
  /// - Throws: `OvercrankError` if reading the source or writing the clip fails; `cancelled`.
  func render(into writer: any SegmentSink) async throws(OvercrankError) -> Outcome {
    let (frames, _) = plan.segment(number)
    if isReversed {
      for part in plan.blocks(of: frames).reversed() {
        // The frames of a block are made again for each part of it that fits into memory.
        for (pass, places) in plan.windows(of: part).reversed().enumerated() {
          kept = places
          try await make(part, writer, isFirstPass: pass == 0)
          try await encodeBackwards(writer)
        }
      }
    } else {
      try await make(frames, writer)
    }
    try await writer.write(try await coded(.end), of: number)
    (encoder, last, finished) = (nil, nil, nil)
    try await writer.end(number)
    return outcome
  }

  /// Makes the frames of the clip that show these captured ones, in the order in which they were captured.
  private func make(
    _ frames: Range<Int>, _ writer: any SegmentSink, isFirstPass: Bool = true
  ) async throws(OvercrankError) {
    last = nil
    nextFrame = frames.lowerBound == 0 ? 0 : .max
    if isReversed { interpolator = plan.spec.fill.interpolator }
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
        if isFirstPass { outcome.noteDamaged(missing(upTo: frame.index)) }
        next = frame.index + 1
        try await show(picture, of: frame.index, writer)
        if isFirstPass { outcome.shownCount += 1 }
      case .success(let picture):
        try await fill(upTo: picture, of: frame.index, writer)
        isEnded = true
      case .failure(let failure):
        outcome.firstFailure = outcome.firstFailure ?? failure
      }
      if !plan.looksAhead, !isEnded { upcoming = try await decodePool.next() }
    }
    if isFirstPass { outcome.noteDamaged(missing(upTo: frames.upperBound)) }
    if !isEnded, let last {
      while nextFrame < plan.timeline.outputFrameCount {
        try await add(last.picture, of: last.index, .held, writer)
      }
    }
  }

  /// Lets the interpolator prepare the frames between these two captured ones, if the clip has any.
  private func expect(
    _ frame: DecodePool.ProcessedFrame, _ next: DecodePool.ProcessedFrame?
  ) throws(OvercrankError) {
    guard let next, let here = try? frame.picture.get(), let there = try? next.picture.get() else { return }
    let timeline = plan.timeline
    let first = timeline.outputFrames(showing: frame.index).lowerBound
    let end = timeline.outputFrames(showing: next.index).lowerBound
    // The last of them is furthest from the captured frame.
    guard first < end, timeline.share(of: end - 1, from: frame.index, to: next.index) > 0 else { return }
    try interpolator.expect(here, there)
  }

  /// Adds `picture` of captured frame `index` from its place on the timeline on. The frames between it and
  /// the next captured one are added once that arrives.
  private func show(_ picture: Picture, of index: Int, _ writer: any SegmentSink) async throws(OvercrankError)
  {
    let timeline = plan.timeline
    let frames = timeline.outputFrames(showing: index)
    if nextFrame == .max { nextFrame = frames.lowerBound }
    try await fill(upTo: picture, of: index, writer)
    while nextFrame < frames.upperBound, timeline.share(ofNextIn: nextFrame) == 0 {
      try await add(picture, of: index, .captured(index), writer)
    }
    last = (picture, index)
  }

  /// Adds frames until `picture` of captured frame `index` appears: the last picture, or interpolated ones.
  /// The clip's first picture also fills all frames before it.
  private func fill(upTo picture: Picture, of index: Int, _ writer: any SegmentSink)
    async throws(OvercrankError)
  {
    let timeline = plan.timeline
    while nextFrame < timeline.outputFrames(showing: index).lowerBound {
      guard kept.contains(nextFrame) else {
        nextFrame += 1
        continue
      }
      guard let last else {
        try await add(picture, of: index, .held, writer)
        continue
      }
      let share = timeline.share(of: nextFrame, from: last.index, to: index)
      guard share > 0 else {
        try await add(last.picture, of: last.index, .held, writer)
        continue
      }
      let frame = try await interpolator.frame(between: last.picture, and: picture, share: share)
      let isInGap = last.index + 1 < index || plan.gaps[index]
      try await add(
        frame.picture, of: last.index, .interpolated(heldPart: frame.heldPart, isInGap: isInGap), writer)
    }
  }

  /// Adds `picture` of captured frame `index` to the clip, or the part of it that is shown now.
  private func add(
    _ picture: Picture, of index: Int, _ origin: ClipFrame.Origin, _ writer: any SegmentSink
  ) async throws(OvercrankError) {
    defer { nextFrame += 1 }
    guard kept.contains(nextFrame) else { return }
    let frame = ClipFrame(picture: try shown(of: picture, of: index), place: nextFrame, origin: origin)
    guard !isReversed else { return block.append(frame) }
    try await encode(frame, at: frame.place, writer)
  }

  private func encodeBackwards(_ writer: any SegmentSink) async throws(OvercrankError) {
    let count = plan.timeline.outputFrameCount
    while let frame = block.popLast() {
      guard let place = plan.order?.returning(frame.place, of: count) else { continue }
      try await encode(frame, at: place, writer)
    }
  }

  private func encode(
    _ frame: ClipFrame, at place: Int, _ writer: any SegmentSink
  ) async throws(OvercrankError) {
    // One frame may be held for hours if the source's times have a gap.
    try plan.source.path.checkCancellation()
    outcome.count(frame.origin, after: lastOrigin)
    lastOrigin = frame.origin
    let packets = try await coded(.picture(frame.picture, timestamp: Int64(place)))
    try await writer.write(packets, of: number)
    // A renderer that is ahead yields, so that all segments end at about the same time.
    if await writer.countFrame(of: number) { await Task.yield() }
  }

  /// Returns the part of `picture` that the next frame of the clip shows, with its overlays.
  private func shown(of picture: Picture, of index: Int) throws(OvercrankError) -> Picture {
    guard plan.zoomCourse != nil || !plan.lateChanges.isEmpty else { return picture }
    let part = plan.zoomCourse?.window(of: nextFrame)
    if let finished, finished.part == part, finished.of === picture { return finished.picture }
    var shown = picture
    if let part { shown = try zoomer?.zoom(picture, to: part) ?? picture }
    // A picture shown whole may appear again in part, without these overlays, so they are drawn on a copy.
    if shown === picture, !plan.lateChanges.isEmpty {
      shown = try picture.cropped(
        to: PictureCrop(width: picture.width, height: picture.height, x: 0, y: 0))
    }
    for change in plan.lateChanges { shown = try change.process(shown, of: index) }
    finished = (part, picture, shown)
    return shown
  }

  /// Returns the packets that the encoder has after `input`.
  private func coded(_ input: EncodingThread.Input) async throws(OvercrankError) -> [Packet] {
    guard let packets = try await encoder?.packets(after: input) else { throw plan.source.path.cancellation }
    return packets
  }
}
