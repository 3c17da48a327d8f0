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
  private var outcome = Outcome()
  /// The frames of the block that is encoded backwards next.
  private var block: [ClipFrame] = []
  private var lastOrigin: ClipFrame.Origin?

  /// Creates the renderer of segment `number` of the clip.
  ///
  /// - Throws: the errors of ``VideoEncoder``.
  init(_ number: Int, of plan: ClipPlan) throws(OvercrankError) {
    let encoder = try EncodingThread(plan.encoder())
    track = encoder.track
    self.encoder = encoder
    self.plan = plan
    self.number = number
  }

  /// Renders the segment, and writes its packets to `writer`.
  ///
  /// - Throws: `OvercrankError` if reading the source or writing the clip fails; `cancelled`.
  func render(into writer: any SegmentSink) async throws(OvercrankError) -> Outcome {
    for (run, (frames, isReversed)) in plan.runs(of: number).enumerated() {
      guard isReversed else {
        try await make(frames, writer, isReversed: false, isFirstTime: true)
        continue
      }
      for part in plan.blocks(of: frames).reversed() {
        // The frames of a block are made again for each part of it that fits into memory.
        for (pass, places) in plan.windows(of: part).reversed().enumerated() {
          try await make(part, at: places, writer, isReversed: true, isFirstTime: run == 0 && pass == 0)
          try await encodeBackwards(writer)
        }
      }
    }
    try await writer.write(try await coded(.end), of: number)
    encoder = nil
    try await writer.end(number)
    return outcome
  }

  /// Makes the frames of the clip that show these captured ones, in the order in which they were captured, and
  /// encodes them, or keeps them to be encoded backwards.
  ///
  /// - Parameters:
  ///   - places: the places in the clip whose frames are made.
  ///   - isReversed: whether they are kept.
  ///   - isFirstTime: whether the clip has not shown these frames before.
  private func make(
    _ frames: Range<Int>, at places: Range<Int> = 0..<Int.max, _ writer: any SegmentSink, isReversed: Bool,
    isFirstTime: Bool
  ) async throws(OvercrankError) {
    let made = try ClipFrames(of: plan, showing: frames, at: places)
    while let frame = try await made.next() {
      if isReversed {
        block.append(frame)
      } else {
        try await encode(frame, at: frame.place, writer)
      }
    }
    outcome.firstFailure = outcome.firstFailure ?? made.firstFailure
    guard isFirstTime else { return }
    outcome.shownCount += made.shownCount
    outcome.noteDamaged(made.damaged)
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
    try plan.source.name.checkCancellation()
    outcome.count(frame.origin, after: lastOrigin)
    lastOrigin = frame.origin
    let packets = try await coded(.picture(frame.picture, timestamp: Int64(place)))
    try await writer.write(packets, of: number)
    // A renderer that is ahead yields, so that all segments end at about the same time.
    if await writer.countFrame(of: number) { await Task.yield() }
  }

  /// Returns the packets that the encoder has after `input`.
  private func coded(_ input: EncodingThread.Input) async throws(OvercrankError) -> [Packet] {
    guard let packets = try await encoder?.packets(after: input) else { throw plan.source.name.cancellation }
    return packets
  }
}
