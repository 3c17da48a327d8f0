import Media
import Platform

/// Composes the frames of a clip of several cameras: each is made of one picture of every camera.
final class LayoutPool: FramePool {
  private let plan: ClipPlan
  private let cells: [PlacedGroup.Cell]
  private var cameras: [ClipFrames]
  /// The number of damaged frames of each camera that are counted.
  private var damagedCounts: [Int]
  private var composer: PictureComposer
  private let processor: FrameProcessor
  /// The next frame of the clip.
  private var place: Int
  private let start: Int

  /// The captured frames that are decoded before the first one shown, so that one of them is held if it is
  /// damaged.
  private static let leadingFrames = 8

  /// Opens the cameras of `plan`, a plan of a group.
  ///
  /// - Parameter start: the first frame of the clip to compose.
  init(_ plan: ClipPlan, from start: Int) throws(OvercrankError) {
    self.plan = plan
    let cells = plan.group?.cells ?? []
    self.cells = cells
    (place, self.start) = (start, start)
    composer = PictureComposer(
      width: plan.pictures.size.width, height: plan.pictures.size.height, layout: plan.pictures.layout,
      color: plan.pictures.color)
    processor = try plan.processor()
    cameras = try cells.map { cell throws(OvercrankError) in
      let first = start < cell.plan.timeline.outputFrameCount ? cell.plan.timeline[start] : 0
      return try Self.frames(of: cell, from: max(0, first - Self.leadingFrames), at: start)
    }
    damagedCounts = cells.map { _ in 0 }
  }

  private static func frames(
    of cell: PlacedGroup.Cell, from first: Int, at start: Int
  ) throws(OvercrankError) -> ClipFrames {
    try ClipFrames(
      of: cell.plan, showing: first..<cell.plan.timeline.capturedFrameCount, from: start)
  }

  nonisolated(nonsending) func next() async throws(OvercrankError) -> ProcessedFrame? {
    guard place < plan.timeline.outputFrameCount else { return nil }
    defer { place += 1 }
    var pictures: [(picture: Picture, x: Int, y: Int)] = []
    for (index, cell) in cells.enumerated() {
      let frame = try await frame(of: index)
      let damaged = cameras[index].damaged
      plan.group?.tally.count(frame, of: index, damaged: damaged.dropFirst(damagedCounts[index]))
      damagedCounts[index] = damaged.count
      pictures.append((frame.picture, cell.part.x, cell.part.y))
    }
    let content = FrameReader.Content.picture(try composer.compose(pictures))
    return ProcessedFrame(
      index: place, picture: processor.process(FrameReader.Frame(index: place, content: content)))
  }

  /// Returns the picture of camera `index` for the frame of the clip.
  private nonisolated(nonsending) func frame(of index: Int) async throws(OvercrankError) -> ClipFrame {
    if let frame = try await cameras[index].next() { return frame }
    if place == start, start > 0 {
      // All frames from here on are damaged, so that one long before is held.
      cameras[index] = try Self.frames(of: cells[index], from: 0, at: start)
      damagedCounts[index] = 0
      if let frame = try await cameras[index].next() { return frame }
    }
    throw OvercrankError.noDecodableFrame(cells[index].plan.source.path, cameras[index].firstFailure)
  }
}
