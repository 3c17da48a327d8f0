package import CameraModel
import Timebase
import V4L2

/// How the pads on the way from a sensor to a video node are set for one mode.
package struct PipelineConfiguration: Hashable, Sendable {
  /// How one pad is set.
  struct PadSetting: Hashable, Sendable {
    /// The pad.
    var pad: PadPlace
    /// Whether data comes in there.
    var isSink: Bool
    /// What flows through it.
    var format: BusFormat
    /// The part that is taken; `nil` where there is no choice.
    var crop: Rectangle?
    /// Where in the picture that part is put; `nil` where there is no choice.
    var compose: Rectangle?
  }

  /// What sets how long a sensor takes for a frame.
  enum Timing: Hashable, Sendable {
    /// `VIDIOC_SUBDEV_S_FRAME_INTERVAL`.
    case interval
    /// `V4L2_CID_VBLANK`.
    case blanking
  }

  /// A video node that is fed by a branch.
  struct NodeSetting: Hashable, Sendable {
    /// The entity's number.
    var entity: UInt32
    /// What it captures.
    var format: PixelFormat
    /// The size that it captures.
    var size: Dimensions
  }

  /// The pads of the way, from the sensor's to the last before the node.
  var pads: [PadSetting]
  /// Pads beside the way that get the same pictures, over links that cannot be disabled.
  ///
  /// The kernel starts no stream where they disagree.
  var branches: [PadSetting] = []
  /// Video nodes beside the way.
  var branchNodes: [NodeSetting] = []
  /// The part of the sensor that its driver says it reads; `nil` where it does not say.
  var sensorCrop: Rectangle?
  /// How the sensor's interval is set; `nil` where it cannot be.
  var timing: Timing?
  /// The intervals that the sensor lists in this mode.
  var intervals: [FrameInterval] = []
  /// What the node captures.
  var format: PixelFormat
  /// The size that comes in at the node.
  package var size: Dimensions { pads.last?.format.size ?? Dimensions(width: 0, height: 0) }
}

extension PipelineConfiguration {
  /// How the sensor is read: what the driver's rectangles prove once `graph` is so set.
  func readout(in graph: MediaGraph) -> Readout {
    guard let readout = graph.set(to: self).activeReadout, readout.isKnown else { return Readout() }
    return Readout(
      isBinned: readout.isBinned, crop: readout.crop?.terms, isScaled: readout.isScaled,
      evidence: Evidence.driver)
  }
}

extension MediaGraph {
  /// The graph as it is once the pads of `configuration` are set and its way is linked.
  func set(to configuration: PipelineConfiguration) -> MediaGraph {
    var graph = self
    for setting in configuration.pads {
      graph.change(setting.pad) { pad in
        pad.code = setting.format.code.description
        pad.size = [setting.format.size.width, setting.format.size.height]
        if let crop = setting.crop { pad.selections["crop"] = crop.terms }
        if let compose = setting.compose { pad.selections["compose"] = compose.terms }
      }
    }
    if let sensor = configuration.pads.first?.pad {
      graph.change(sensor) { pad in
        if pad.selections["crop"] != nil || configuration.sensorCrop != nil {
          pad.selections["crop"] = configuration.sensorCrop?.terms
        }
      }
    }
    for step in steps where !step.isEnabled {
      graph.change(step.sourcePlace) { pad in
        for index in pad.links.indices where pad.links[index].leads(to: step.sinkPlace) {
          pad.links[index].flags.append("enabled")
        }
      }
    }
    return graph
  }

  private mutating func change(_ place: PadPlace, _ body: (inout Pad) -> Void) {
    guard let entity = entities.firstIndex(where: { $0.id == place.entity }),
      let pad = entities[entity].pads.firstIndex(where: { $0.index == place.pad })
    else { return }
    body(&entities[entity].pads[pad])
  }
}
