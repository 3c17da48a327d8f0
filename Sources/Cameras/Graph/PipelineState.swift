import CameraModel
import Timebase
import V4L2

/// The settings of a media graph before it was changed, to the last colour and rectangle.
struct PipelineState: Equatable, Sendable {
  /// The steps that restore it, in this order.
  private let steps: [PipelineStep]

  /// Reads all that `plan` may change: the links that it names, and all pads of each entity that it sets.
  init(
    of graph: MediaGraph, for plan: PipelinePlan, on driver: some PipelineDriver
  ) throws(PipelineRefusal) {
    var wanted: [PipelineStep] = []
    // In reverse order: links that were enabled must be disabled before those that they replaced come back.
    for step in plan.steps.reversed() where step.isLink { wanted.append(step) }
    var entities: [UInt32] = []
    for step in plan.steps {
      let id = step.place.entity
      if step.isLink || step.isNode || entities.contains(id) { continue }
      entities.append(id)
    }
    wanted += entities.compactMap(graph.entity).flatMap(\.restoringSteps)
    wanted += plan.steps.filter(\.isNode)
    // A format changes a sensor's blanking, which in turn changes its longest exposure.
    for id in entities where graph.entity(id)?.isSensor == true {
      wanted += try Self.controls(of: id, graph, on: driver)
    }

    var steps: [PipelineStep] = []
    for step in wanted {
      do throws(V4L2Error) {
        if let now = try driver.current(step) { steps.append(now) }
      } catch {
        throw PipelineRefusal(step, of: graph, cause: error)
      }
    }
    self.steps = steps
  }

  /// Returns steps for an entity's controls that can be set, the vertical blanking first, as it bounds the
  /// exposure.
  private static func controls(
    of entity: UInt32, _ graph: MediaGraph, on driver: some PipelineDriver
  ) throws(PipelineRefusal) -> [PipelineStep] {
    let outOfReach: ControlFlags = [.readOnly, .writeOnly, .inactive, .volatile]
    do throws(V4L2Error) {
      return try driver.controls(of: entity).filter {
        $0.flags.isDisjoint(with: outOfReach) && $0.value != nil
      }
      .map { PipelineStep.control(entity, id: $0.id, value: 0) }
      .sorted { one, other in one.isBlanking && !other.isBlanking }
    } catch {
      throw PipelineRefusal(.control(entity, id: 0, value: 0), of: graph, cause: error)
    }
  }

  /// The number of passes in which settings that later steps have changed are restored again.
  private static let mostPasses = 3

  /// Restores all settings.
  ///
  /// - Throws: ``PipelineRefusal`` for the first setting that could not be restored; all others are restored
  ///   if possible.
  func restore(on driver: some PipelineDriver, of graph: MediaGraph) throws(PipelineRefusal) {
    var failure: PipelineRefusal?
    for _ in 0..<Self.mostPasses {
      failure = nil
      var isMoved = false
      for step in steps {
        var now: PipelineStep?
        do throws(V4L2Error) {
          now = try driver.current(step)
          if now == step { continue }
          isMoved = true
          try driver.set(step)
          now = try driver.current(step)
          if now == step { continue }
          failure = failure ?? PipelineRefusal(step, of: graph, given: now?.value)
        } catch {
          // A camera that was unplugged has nothing to restore.
          if error.code == .disconnected || error.code == .noDevice { return }
          isMoved = true
          failure = failure ?? PipelineRefusal(step, of: graph, cause: error)
        }
      }
      if !isMoved { return }
    }
    if let failure { throw failure }
  }
}

extension MediaGraph.Entity {
  /// The steps for everything that can be set of it, with values still to be read: sinks before sources,
  /// which follow them, and intervals last.
  fileprivate var restoringSteps: [PipelineStep] {
    let format = BusFormat(code: MediaBusCode(rawValue: 0), size: Dimensions(width: 0, height: 0))
    let rectangle = Rectangle(left: 0, top: 0, width: 0, height: 0)
    let places = (pads.filter(\.isSink) + pads.filter(\.isSource)).map { pad in
      (place: PadPlace(entity: id, pad: pad.index), isSink: pad.isSink)
    }
    return places.flatMap { place, isSink -> [PipelineStep] in
      let rectangles: [PipelineStep] = [
        .selection(place, .crop, rectangle), .selection(place, .compose, rectangle),
      ]
      return isSink ? [.format(place, format)] + rectangles : rectangles + [.format(place, format)]
    } + places.map { .interval($0.place, FrameInterval(0, 0)) }
  }
}

extension PipelineStep {
  fileprivate var isLink: Bool { if case .link = self { true } else { false } }
  fileprivate var isBlanking: Bool {
    if case .control(_, SensorBlanking.verticalID, _) = self { true } else { false }
  }
  fileprivate var isNode: Bool { if case .node = self { true } else { false } }
}
