import CameraModel
import Timebase

/// A media graph that is set up to film, and put back as it was found: in ``restore()``, which
/// reports, else when it is dropped, silently.
struct PipelineSetup: ~Copyable {
  /// The interval that the sensor gave back; `nil` where none was set.
  let acceptedInterval: FrameInterval?
  /// What is to be put back; `nil` where nothing was set.
  private let work: Work?
  private var isRestored = false

  private struct Work {
    var driver: any PipelineDriver
    var graph: MediaGraph
    var before: PipelineState

    func undo() throws(PipelineRefusal) { try before.restore(on: driver, of: graph) }
  }

  /// Sets nothing: there is no graph, or its driver sets it up.
  init() {
    acceptedInterval = nil
    work = nil
  }

  /// Carries out `plan`.
  ///
  /// - Throws: ``PipelineRefusal`` for the first step that is not done as planned; what was done is
  ///   undone.
  init(_ plan: PipelinePlan, on driver: some PipelineDriver, of graph: MediaGraph) throws(PipelineRefusal) {
    let work = Work(
      driver: driver, graph: graph, before: try PipelineState(of: graph, for: plan, on: driver))
    var accepted: FrameInterval?
    do throws(PipelineRefusal) {
      for step in plan.steps {
        if let interval = try driver.carryOut(step, of: graph) { accepted = interval }
      }
      // A later step may have moved what an earlier one set.
      for step in plan.steps { try driver.check(step, of: graph) }
    } catch {
      try? work.undo()
      throw error
    }
    self.acceptedInterval = accepted
    self.work = work
  }

  /// Puts back links, formats, rectangles and intervals as they were found.
  ///
  /// - Throws: ``PipelineRefusal`` for the first that could not be put back; the others are, even
  ///   so.
  consuming func restore() throws(PipelineRefusal) {
    isRestored = true
    try work?.undo()
  }

  deinit {
    if !isRestored { try? work?.undo() }
  }
}
