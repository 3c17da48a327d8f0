package import CameraModel
import Timebase
import V4L2

/// The settings of the pads on the path from a sensor to a video node, for one mode.
package struct PipelineConfiguration: Hashable, Sendable {
  /// The settings of one pad.
  struct PadSetting: Hashable, Sendable {
    /// The pad.
    var pad: PadPlace
    /// Whether the pad is an input.
    var isSink: Bool
    /// The format at the pad.
    var format: BusFormat
    /// The crop rectangle; `nil` if it cannot be set.
    var crop: Rectangle?
    /// The place of that part in the picture; `nil` if it cannot be set.
    var compose: Rectangle?
  }

  /// A way to set a sensor's frame interval.
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
    /// The pixel format that it captures.
    var format: PixelFormat
    /// The size that it captures.
    var size: Dimensions
  }

  /// The pads of the path, from the sensor's to the last before the node.
  var pads: [PadSetting]
  /// Pads beside the path that get the same pictures, over links that cannot be disabled.
  ///
  /// The kernel starts no stream if they disagree.
  var branches: [PadSetting] = []
  /// Video nodes beside the path.
  var branchNodes: [NodeSetting] = []
  /// The part of the sensor that its driver reports to read; `nil` if it reports none.
  var sensorCrop: Rectangle?
  /// The way to set the sensor's interval; `nil` if it cannot be set.
  var timing: Timing?
  /// The intervals that the sensor lists in this mode.
  var intervals: [FrameInterval] = []
  /// The pixel format that the node captures.
  var format: PixelFormat
  /// The size that arrives at the node.
  package var size: Dimensions { pads.last?.format.size ?? Dimensions(width: 0, height: 0) }
}

extension PipelineConfiguration {
  /// Returns how the sensor is read, as proved by the driver's rectangles with these settings in `graph`.
  func readout(in graph: MediaGraph) -> Readout {
    guard let readout = graph.set(to: self).activeReadout, readout.isKnown else { return Readout() }
    return Readout(
      isBinned: readout.isBinned, crop: readout.crop?.terms, isScaled: readout.isScaled,
      evidence: Evidence.driver)
  }
}

extension MediaGraph {
  /// Returns the graph as it will be once the pads of `configuration` are set and its path is linked.
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
