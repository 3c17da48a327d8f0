import Platform
import CameraModel
import SystemPackage
import Timebase
import V4L2

/// A step of setting up a media graph that its driver does not do.
struct PipelineRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The entity's name.
  var entity: String
  /// The pad's place among the entity's; `nil` where a video node is meant.
  var pad: UInt32?
  /// The device node that was asked: the entity's, or the media device for a link.
  var device: FilePath
  /// What was asked for.
  var asked: String
  /// What the driver gave instead; `nil` where it failed.
  var given: String?
  /// How the kernel's call failed; `nil` where it gave something else.
  var cause: V4L2Error?

  /// `imx219 10-0010, pad 0 (/dev/v4l-subdev0): asked for SRGGB10_1X10 640x480, the driver gives
  /// ...`
  var description: String {
    let place = pad.map { "\(entity), pad \($0)" } ?? entity
    guard let cause else {
      let other = given.map { "the driver gives \($0)" } ?? "the driver has none"
      return "\(place) (\(device)): asked for \(asked), \(other). Another mode may pass."
    }
    return "\(place): asked for \(asked). \(cause)"
  }
}

extension OvercrankError {
  /// What a step that was refused means for a camera at `camera`: another mode may do, unless the
  /// graph is in use, out of reach or gone.
  ///
  /// - Parameter nodes: the video nodes of the graph: a program that streams from any of them keeps
  ///   the sensor busy.
  init(_ refusal: PipelineRefusal, on camera: FilePath, nodes: [FilePath] = []) {
    let code = refusal.cause.map { OvercrankError($0).code } ?? .noMode
    var words = "\(camera): its media graph cannot be set up. \(refusal)"
    if code == .busy {
      let holders = nodes.flatMap { node in DeviceHolder.all(of: node).map { "\(node) in \($0)" } }
      if !holders.isEmpty { words += " Open are \(holders.joined(separator: ", "))." }
    }
    self.init(code, words)
  }
}
