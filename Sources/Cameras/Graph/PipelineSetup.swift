import CameraModel
import Timebase

/// A media graph that is set up for capture, and restored by ``restore()``, which reports errors, or silently
/// when dropped.
struct PipelineSetup: ~Copyable {
  /// The interval that the sensor accepted; `nil` if none was set.
  let acceptedInterval: FrameInterval?
  /// The settings to restore; `nil` if nothing was set.
  private let work: Work?
  private var isRestored = false

  private struct Work {
    var driver: any PipelineDriver
    var graph: MediaGraph
    var before: PipelineState

    func undo() throws(PipelineRefusal) { try before.restore(on: driver, of: graph) }
  }

  /// Creates a setup that changes nothing: there is no graph, or its driver sets it up.
  init() {
    acceptedInterval = nil
    work = nil
  }

  /// Carries out `plan`.
  ///
  /// - Throws: ``PipelineRefusal`` for the first step that was refused; the steps before it are undone.
  init(_ plan: PipelinePlan, on driver: some PipelineDriver, of graph: MediaGraph) throws(PipelineRefusal) {
    let work = Work(
      driver: driver, graph: graph, before: try PipelineState(of: graph, for: plan, on: driver))
    var accepted: FrameInterval?
    do throws(PipelineRefusal) {
      for step in plan.steps {
        if let interval = try driver.carryOut(step, of: graph) { accepted = interval }
      }
      // A later step may have changed what an earlier one set.
      for step in plan.steps { try driver.check(step, of: graph) }
    } catch {
      try? work.undo()
      throw error
    }
    self.acceptedInterval = accepted
    self.work = work
  }

  /// Restores links, formats, rectangles and intervals.
  ///
  /// - Throws: ``PipelineRefusal`` for the first that could not be restored; the others are restored even so.
  consuming func restore() throws(PipelineRefusal) {
    isRestored = true
    try work?.undo()
  }

  deinit {
    if !isRestored { try? work?.undo() }
  }
}
