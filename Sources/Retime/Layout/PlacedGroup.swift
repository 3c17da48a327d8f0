import Media
import Platform
import Synchronization
import Timebase

/// The cameras of a group, each with its place in the pictures of a clip that shows all of them.
struct PlacedGroup: Sendable {
  /// One camera.
  struct Cell: Sendable {
    /// The plan of its own pictures, which have the size of `part`.
    let plan: ClipPlan
    /// Its place in the clip's pictures.
    let part: PictureCrop
  }

  /// The cameras in their order.
  let cells: [Cell]
  /// The settings of the clip.
  let spec: RenderSpec
  /// The part of the common time that it shows.
  let part: ClipSpan
  /// The seconds of capture time in which all of them have frames.
  let duration: Fraction
  /// The speed by time from the start of that.
  let curve: SpeedCurve
  /// The natural size of the pictures if they are scaled to the usual one; otherwise `nil`.
  let largerSize: ClipReport.Size?
  /// The frames made so far.
  let tally = LayoutTally()

  /// The first camera that has audio; `nil` if none has.
  var audible: Cell? { cells.first { $0.plan.audioTreatment != nil } }

  /// The treatment of its audio; `nil` if no camera has any.
  var audioTreatment: ClipAudio? {
    // Each camera's own frames run forwards.
    let isForward = spec.stages[PlaybackOrder.self] == nil
    return audible.flatMap { isForward || spec.audio != nil ? $0.plan.audioTreatment : .drop }
  }

  /// Analyses each camera's frames, as its stages need.
  func analyse(progress: (@Sendable (ClipProgress) -> Void)?) async throws(OvercrankError) {
    for cell in cells {
      for change in cell.plan.changes { try await change.analyse(cell.plan, progress: progress) }
    }
  }

  /// Completes the report of a clip: all counts are sums over the cameras.
  func complete(_ report: inout ClipReport, of plan: ClipPlan) {
    report.layout = ClipReport.Layout(
      cameras: cells.count, commonTime: duration, largerSize: largerSize)
    report.size = ClipReport.Size(width: plan.pictures.size.width, height: plan.pictures.size.height)
    (report.captured, report.shown, report.skipped, report.damaged, report.held) = (0, 0, 0, 0, 0)
    report.damagedFrames = []
    report.interpolation = ClipReport.Interpolation()
    for (index, cell) in cells.enumerated() {
      let counts = tally.counts(of: index)
      let timeline = cell.plan.timeline
      let wanted = timeline.shownFrameCount
      report.captured += timeline.capturedFrameCount
      report.shown += wanted - counts.damaged.count
      report.skipped += max(0, timeline.spanFrameCount - wanted)
      report.damaged += counts.damaged.count
      report.held += max(0, timeline.outputFrameCount - counts.interpolated.count - counts.alone.count)
      report.interpolation = report.interpolation + counts.interpolation
      report.development = report.development ?? cell.plan.pictures.development
      report.developmentSource = report.developmentSource ?? cell.plan.pictures.developmentSource
      report.sizeCount = max(report.sizeCount, cell.plan.pictures.sizes.count)
      report.cutOff = report.cutOff ?? cell.plan.timing.cutOff
      report.isDeinterlaced = report.isDeinterlaced || cell.plan.deinterlacing != nil
      report.isInterlaced =
        report.isInterlaced || cell.plan.deinterlacing == nil && cell.plan.pictures.video.fieldOrder != nil
      for change in cell.plan.changes { change.report(to: &report) }
    }
    report.speed = cells.first?.plan.timeline.speed ?? report.speed
    report.capturedFramesPerSecond =
      curve.constant == nil ? nil : cells.compactMap(\.plan.timeline.capturedRate).max()
  }
}

/// Counts the frames of each camera in a clip of several. Segments of it are made at once, and may make a frame
/// twice.
final class LayoutTally: Sendable {
  /// The frames of one camera.
  struct Counts: Sendable {
    /// The captured frames that appear without interpolation.
    var alone: Set<Int> = []
    /// The places of the clip with interpolated frames.
    var interpolated: Set<Int> = []
    /// The captured frames that could not be shown.
    var damaged: Set<Int> = []
    /// The interpolated frames.
    var interpolation = ClipReport.Interpolation()
  }

  private let counts = Mutex<[Int: Counts]>([:])

  /// Returns the frames of camera `index`.
  func counts(of index: Int) -> Counts { counts.withLock { $0[index] ?? Counts() } }

  /// Counts a frame of camera `index`.
  ///
  /// - Parameter damaged: the captured frames before it that could not be shown.
  func count(_ frame: ClipFrame, of index: Int, damaged: some Sequence<Int>) {
    counts.withLock { counts in
      var own = counts.removeValue(forKey: index) ?? Counts()
      own.damaged.formUnion(damaged)
      switch frame.origin {
      case .captured(let captured): own.alone.insert(captured)
      case .held: break
      case .interpolated(let heldPart, let isInGap):
        if own.interpolated.insert(frame.place).inserted {
          own.interpolation.count(heldPart: heldPart, isInGap: isInGap)
        }
      }
      counts[index] = own
    }
  }
}
