import CameraModel
import SystemPackage
import Timebase
import V4L2

extension PipelineDriver {
  /// Carries out one step, unless the setting is already in force: other programs that stream from the same
  /// sensor are then not disturbed.
  ///
  /// - Returns: the interval that the driver set, if the step sets one; another than requested is not a
  ///   refusal.
  func carryOut(_ step: PipelineStep, of graph: MediaGraph) throws(PipelineRefusal) -> FrameInterval? {
    do throws(V4L2Error) {
      if let now = try current(step), now.isSame(as: step) { return now.interval }
      try set(step)
      if step.interval != nil { return try current(step)?.interval }
    } catch {
      throw PipelineRefusal(step, of: graph, cause: error)
    }
    try check(step, of: graph)
    return nil
  }

  /// Requests what `step` sets, without a check of the result.
  func set(_ step: PipelineStep) throws(V4L2Error) {
    switch step {
    case .link(let source, let sink, let isEnabled):
      try setLink(from: source, to: sink, isEnabled: isEnabled)
    case .format(let pad, let format): _ = try setFormat(format, of: pad, .active)
    case .selection(let pad, let target, let rectangle):
      _ = try setSelection(target, to: rectangle, of: pad, .active)
    case .interval(let pad, let interval): _ = try setInterval(interval, of: pad)
    case .blanking(let pad, let interval):
      guard let lines = try blanking(of: pad)?.lines(for: interval) else { return }
      try setControl(SensorBlanking.verticalID, to: lines, of: pad.entity)
    case .control(let entity, let id, let value): try setControl(id, to: value, of: entity)
    case .node(let entity, let format): _ = try setNodeFormat(format, of: entity)
    }
  }

  /// Checks that the setting is as `step` requests; an interval may differ.
  ///
  /// - Throws: `PipelineRefusal` if it is not.
  func check(_ step: PipelineStep, of graph: MediaGraph) throws(PipelineRefusal) {
    if step.interval != nil { return }
    let now: PipelineStep?
    do throws(V4L2Error) {
      now = try current(step)
    } catch {
      throw PipelineRefusal(step, of: graph, cause: error)
    }
    guard let now, now.isSame(as: step) else {
      throw PipelineRefusal(step, of: graph, given: now?.value)
    }
  }

  /// Returns the step that would set the present value; `nil` if there is no such setting.
  func current(_ step: PipelineStep) throws(V4L2Error) -> PipelineStep? {
    switch step {
    case .link(let source, let sink, _):
      try isLinkEnabled(from: source, to: sink).map { .link(from: source, to: sink, isEnabled: $0) }
    case .format(let pad, _): try format(of: pad, .active).map { .format(pad, $0) }
    case .selection(let pad, let target, _):
      try selection(target, of: pad, .active).map { .selection(pad, target, $0) }
    case .interval(let pad, _): try interval(of: pad).map { .interval(pad, $0) }
    case .blanking(let pad, _): try blanking(of: pad)?.interval.map { .blanking(pad, $0) }
    case .control(let entity, let id, _):
      try controls(of: entity).first { $0.id == id }?.value.map { .control(entity, id: id, value: $0) }
    case .node(let entity, _): .node(entity, try nodeFormat(of: entity))
    }
  }

  /// Returns the sensor's blanking with its present settings.
  private func blanking(of pad: PadPlace) throws(V4L2Error) -> SensorBlanking? {
    guard let format = try format(of: pad, .active) else { return nil }
    return SensorBlanking(try controls(of: pad.entity), size: format.size)
  }
}

extension PipelineStep {
  /// The interval that it sets; `nil` if it sets something else.
  fileprivate var interval: FrameInterval? {
    switch self {
    case .interval(_, let interval), .blanking(_, let interval): interval
    default: nil
    }
  }
}

extension PipelineRefusal {
  init(_ step: PipelineStep, of graph: MediaGraph, given: String? = nil, cause: V4L2Error? = nil) {
    let entity = graph.entity(step.place.entity)
    let isLink = if case .link = step { true } else { false }
    self.init(
      entity: entity?.name ?? "entity \(step.place.entity)", pad: step.place.pad,
      device: FilePath((isLink ? nil : entity?.node) ?? graph.media), asked: step.words(in: graph),
      given: given,
      cause: cause)
  }
}

extension PipelineStep {
  /// Describes the request in words.
  fileprivate func words(in graph: MediaGraph) -> String {
    guard case .link(_, let sink, let isEnabled) = self else { return value }
    let name = graph.entity(sink.entity)?.name ?? "entity \(sink.entity)"
    return "\(isEnabled ? "an enabled" : "a disabled") link to \(name), pad \(sink.pad)"
  }
}
