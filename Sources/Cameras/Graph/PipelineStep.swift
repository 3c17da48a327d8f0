import CameraModel
import Timebase
package import V4L2

/// A pad by its entity's number and its index there.
package typealias PadPlace = MediaDevice.PadPlace

/// One setting on the path from a sensor to a video node.
enum PipelineStep: Hashable, Sendable {
  /// Enables or disables the link between two pads.
  case link(from: PadPlace, to: PadPlace, isEnabled: Bool)
  /// Sets the format of a pad.
  case format(PadPlace, BusFormat)
  /// Sets a rectangle of a pad.
  case selection(PadPlace, SelectionTarget, Rectangle)
  /// Sets the interval of a pad.
  case interval(PadPlace, FrameInterval)
  /// Sets the blanking of a sensor for this frame interval, as its driver has no intervals.
  case blanking(PadPlace, FrameInterval)
  /// Sets a control of an entity.
  case control(UInt32, id: UInt32, value: Int64)
  /// Sets the format of another video node, whose entity is fed by the same pad and cannot be unlinked.
  case node(UInt32, CaptureFormat)
}

/// The steps that set up a graph for one mode.
///
/// A plain value: it is computed from a graph and a configuration, and `PipelineSetup` applies it.
struct PipelinePlan: Hashable, Sendable {
  /// The steps, in this order.
  var steps: [PipelineStep]
}

extension PipelinePlan {
  /// Plans the setup of `graph` for `configuration`, with `interval` at the sensor if it can be set there.
  ///
  /// Links come first, obstacles before missing ones; then each pad from the sensor on, as a format of a sink
  /// changes all that follows it in its entity; the interval comes last, as formats change it.
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
  /// The steps for this pad: a sink takes its format before its rectangles, which lie in it; a source takes
  /// its crop before its format, which lies in the crop.
  fileprivate var steps: [PipelineStep] {
    let rectangles: [PipelineStep] =
      [(SelectionTarget.crop, crop), (.compose, compose)].compactMap { target, rectangle in
        rectangle.map { .selection(pad, target, $0) }
      }
    return isSink ? [.format(pad, format)] + rectangles : rectangles + [.format(pad, format)]
  }
}

extension PipelineStep {
  /// Returns whether this setting meets the request `other`: colours and strides, which the driver chooses,
  /// may differ.
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

  /// The new setting in words, such as `SRGGB10_1X10 640x480`.
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

  /// The entity that is set, and its pad; `nil` for a setting of the whole entity.
  var place: (entity: UInt32, pad: UInt32?) {
    switch self {
    case .link(let pad, _, _), .format(let pad, _), .selection(let pad, _, _), .interval(let pad, _),
      .blanking(let pad, _):
      (pad.entity, pad.pad)
    case .node(let entity, _), .control(let entity, _, _): (entity, nil)
    }
  }
}
