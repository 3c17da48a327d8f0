import Media
import Platform

/// A frame of the clip, by its place in a clip that plays forwards.
struct ClipFrame {
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

/// Makes the frames of a clip that show some captured frames of its source, one after the other.
///
/// They begin where the first undamaged one of these appears, and last until the next one after them does. Used
/// from one task at a time.
final class ClipFrames {
  private let plan: ClipPlan
  private let timeline: Timeline
  /// The captured frames to show.
  private let frames: Range<Int>
  /// The places in the clip whose frames are made.
  private let places: Range<Int>
  private let pool: any FramePool
  private let interpolator: any FrameInterpolator
  private var zoomer: PictureZoomer?
  /// The part of a picture that was finished last, and the result.
  private var finished: (part: PictureWindow?, of: Picture, picture: Picture)?
  /// The captured frame that appeared last.
  private var last: (picture: Picture, index: Int)?
  /// The captured frame that appears next, once it is decoded.
  private var ahead: (picture: Picture, index: Int)?
  /// The frame after it, which is decoded early if the interpolator prepares for it.
  private var upcoming: ProcessedFrame?
  private var hasStarted = false
  /// Whether all frames of the source are decoded.
  private var isAtEnd = false
  /// The next frame of the clip to make; `Int.max` until the first captured frame is known.
  private var nextFrame: Int
  /// The captured frame after the last decoded one.
  private var nextIndex: Int

  /// The number of captured frames that were decoded.
  private(set) var shownCount = 0
  /// The error of the first frame that could not be shown.
  private(set) var firstFailure: OvercrankError?
  /// The captured frames that could not be shown.
  private(set) var damaged: [Int] = []

  /// Opens the source of `plan`.
  ///
  /// - Parameters:
  ///   - frames: the captured frames to show.
  ///   - places: the places in the clip whose frames are made.
  ///   - start: the first place, which the first undamaged frame fills too; `nil` for that at which it appears, or
  ///     the clip's start for the source's first frame.
  /// - Throws: `OvercrankError` if reading the source fails.
  init(
    of plan: ClipPlan, showing frames: Range<Int>, at places: Range<Int> = 0..<Int.max, from start: Int? = nil
  ) throws(OvercrankError) {
    self.plan = plan
    timeline = plan.timeline
    self.frames = frames
    self.places = places
    nextIndex = frames.lowerBound
    nextFrame = start ?? (frames.lowerBound == 0 ? 0 : .max)
    interpolator = plan.spec.fill.interpolator
    zoomer = plan.zoomCourse.map { _ in plan.pictures.zoomer }
    pool = try plan.framePool(from: frames.lowerBound)
  }

  /// Returns the next frame of the clip; `nil` at the end.
  ///
  /// - Throws: `OvercrankError` if reading the source fails; `cancelled`.
  nonisolated(nonsending) func next() async throws(OvercrankError) -> ClipFrame? {
    while true {
      guard let source = nextSource else {
        guard try await advance() else { return nil }
        continue
      }
      defer { nextFrame += 1 }
      if places.contains(nextFrame) { return try await frame(from: source) }
    }
  }

  /// The picture that the next frame of the clip shows.
  private enum Source {
    case captured(Picture, Int)
    case held(Picture, Int)
    case between(share: Int)
  }

  /// The picture of the next frame of the clip; `nil` if another captured frame is needed first.
  private var nextSource: Source? {
    guard nextFrame < .max else { return nil }
    if let ahead {
      guard nextFrame < timeline.outputFrames(showing: ahead.index).lowerBound else { return nil }
      // The clip's first picture also fills all frames before it.
      guard let last else { return .held(ahead.picture, ahead.index) }
      let share = timeline.share(of: nextFrame, from: last.index, to: ahead.index)
      return share > 0 ? .between(share: share) : .held(last.picture, last.index)
    }
    guard let last else { return nil }
    if nextFrame < timeline.outputFrames(showing: last.index).upperBound,
      timeline.share(ofNextIn: nextFrame) == 0
    {
      return .captured(last.picture, last.index)
    }
    return isAtEnd && nextFrame < timeline.outputFrameCount ? .held(last.picture, last.index) : nil
  }

  private nonisolated(nonsending) func frame(from source: Source) async throws(OvercrankError) -> ClipFrame? {
    switch source {
    case .captured(let picture, let index): return try frame(picture, of: index, .captured(index))
    case .held(let picture, let index): return try frame(picture, of: index, .held)
    case .between(let share):
      guard let last, let ahead else { return nil }
      let made = try await interpolator.frame(between: last.picture, and: ahead.picture, share: share)
      let isInGap = last.index + 1 < ahead.index || plan.gaps[ahead.index]
      return try frame(
        made.picture, of: last.index, .interpolated(heldPart: made.heldPart, isInGap: isInGap))
    }
  }

  private func frame(
    _ picture: Picture, of index: Int, _ origin: ClipFrame.Origin
  ) throws(OvercrankError) -> ClipFrame {
    ClipFrame(picture: try shown(of: picture, of: index), place: nextFrame, origin: origin)
  }

  /// Lets the frame ahead appear, or decodes the next one. Returns whether there is one.
  private nonisolated(nonsending) func advance() async throws(OvercrankError) -> Bool {
    if let ahead {
      guard frames.contains(ahead.index) else { return false }
      (last, self.ahead) = (ahead, nil)
      return true
    }
    guard !isAtEnd else { return false }
    guard let frame = try await decoded() else {
      isAtEnd = true
      noteDamaged(upTo: frames.upperBound)
      return true
    }
    try plan.source.name.checkCancellation()
    switch frame.picture {
    case .success(let picture):
      if frames.contains(frame.index) {
        noteDamaged(upTo: frame.index)
        nextIndex = frame.index + 1
        shownCount += 1
        if nextFrame == .max { nextFrame = timeline.outputFrames(showing: frame.index).lowerBound }
      } else {
        noteDamaged(upTo: frames.upperBound)
      }
      ahead = (picture, frame.index)
    case .failure(let failure):
      firstFailure = firstFailure ?? failure
    }
    return true
  }

  private nonisolated(nonsending) func decoded() async throws(OvercrankError) -> ProcessedFrame? {
    guard plan.looksAhead else { return try await pool.next() }
    let frame = hasStarted ? upcoming : try await pool.next()
    hasStarted = true
    guard let frame else { return nil }
    upcoming = try await pool.next()
    try expect(frame, upcoming)
    return frame
  }

  /// Lets the interpolator prepare the frames between these two captured ones, if the clip has any.
  private func expect(_ frame: ProcessedFrame, _ next: ProcessedFrame?) throws(OvercrankError) {
    guard let next, let here = try? frame.picture.get(), let there = try? next.picture.get() else { return }
    let first = timeline.outputFrames(showing: frame.index).lowerBound
    let end = timeline.outputFrames(showing: next.index).lowerBound
    // The last of them is furthest from the captured frame.
    guard first < end, timeline.share(of: end - 1, from: frame.index, to: next.index) > 0 else { return }
    try interpolator.expect(here, there)
  }

  private func noteDamaged(upTo end: Int) {
    damaged += (min(nextIndex, end)..<end).lazy.filter { [timeline] in timeline.isShown($0) }
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
}
