import CameraModel
import Timebase
package import V4L2

/// A pad by its entity's number and its place there.
package typealias PadPlace = MediaDevice.PadPlace

/// One thing that is set on the way from a sensor to a video node.
enum PipelineStep: Hashable, Sendable {
  /// Enables or disables the link between two pads.
  case link(from: PadPlace, to: PadPlace, isEnabled: Bool)
  /// Sets what flows through a pad.
  case format(PadPlace, BusFormat)
  /// Sets a rectangle of a pad.
  case selection(PadPlace, SelectionTarget, Rectangle)
  /// Sets the interval of a pad.
  case interval(PadPlace, FrameInterval)
  /// Sets the blanking of a sensor so that its frames take so long, as its driver has no intervals.
  case blanking(PadPlace, FrameInterval)
  /// Sets a control of an entity.
  case control(UInt32, id: UInt32, value: Int64)
  /// Sets what another video node captures, as its entity is fed by the same pad and cannot be
  /// unlinked.
  case node(UInt32, CaptureFormat)
}

/// What is set to film in one mode, first step first.
///
/// A value: it is computed from a graph and a configuration, and someone else applies it.
struct PipelinePlan: Hashable, Sendable {
  /// What to do, in this order.
  var steps: [PipelineStep]
}

extension PipelinePlan {
  /// Sets up `graph` as `configuration` says, with `interval` at the sensor where it can be set
  /// there.
  ///
  /// Links come first, what is in the way before what is needed; then each pad from the sensor on,
  /// as a format of a sink moves all that follows it in its entity; the interval is last, as
  /// formats move it.
  init(_ configuration: PipelineConfiguration, in graph: MediaGraph, interval: FrameInterval?) {
    let links = PipelineLinks(of: graph)
    steps = links.obstacles.map { .link(from: $0.source, to: $0.sink, isEnabled: false) }
    steps += links.missing.map { .link(from: $0.source, to: $0.sink, isEnabled: true) }
    for setting in configuration.pads + configuration.branches { steps += setting.steps }
    for node in configuration.branchNodes {
      steps.append(.node(node.entity, CaptureFormat(node.format, size: node.size)))
    }
    guard let interval, interval.rate != nil, let sensor = configuration.pads.first else { return }
    switch configuration.timing {
    case .interval: steps.append(.interval(sensor.pad, interval))
    case .blanking: steps.append(.blanking(sensor.pad, interval))
    case nil: break
    }
  }
}

extension PipelineConfiguration.PadSetting {
  /// Sinks take their format before their rectangles, which lie in it; what a source gives lies in
  /// its crop.
  fileprivate var steps: [PipelineStep] {
    let rectangles: [PipelineStep] =
      [(SelectionTarget.crop, crop), (.compose, compose)].compactMap { target, rectangle in
        rectangle.map { .selection(pad, target, $0) }
      }
    return isSink ? [.format(pad, format)] + rectangles : rectangles + [.format(pad, format)]
  }
}

extension PipelineStep {
  /// Whether things that are as this step leaves them are as `other` wants them: colors and
  /// strides, which are the driver's own business, may differ.
  func isSame(as other: PipelineStep) -> Bool {
    switch (self, other) {
    case (.format(let pad, let format), .format(let otherPad, let wanted)):
      pad == otherPad && format.matches(wanted)
    case (.node(let entity, let format), .node(let otherEntity, let wanted)):
      entity == otherEntity && format.pixelFormat == wanted.pixelFormat && format.width == wanted.width
        && format.height == wanted.height
    default: self == other
    }
  }

  /// What is set, in words, such as `SRGGB10_1X10 640x480`.
  var value: String {
    switch self {
    case .link(_, _, let isEnabled):
      isEnabled ? "an enabled link" : "a disabled link"
    case .format(_, let format): "\(format)"
    case .selection(_, let target, let rectangle): "\(target) \(rectangle)"
    case .control(_, let id, let value): "control 0x\(String(id, radix: 16)) at \(value)"
    case .interval(_, let interval), .blanking(_, let interval):
      "\(interval.numerator)/\(interval.denominator) s a frame"
    case .node(_, let format): "\(format.width)x\(format.height) \(format.pixelFormat)"
    }
  }

  /// The entity that is set, and its pad.
  var place: (entity: UInt32, pad: UInt32?) {
    switch self {
    case .link(let pad, _, _), .format(let pad, _), .selection(let pad, _, _), .interval(let pad, _),
      .blanking(let pad, _):
      (pad.entity, pad.pad)
    case .node(let entity, _), .control(let entity, _, _): (entity, nil)
    }
  }
}
