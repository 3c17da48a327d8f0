import Platform
import SystemPackage
import V4L2

/// A step of setting up a media graph that the driver refused.
struct PipelineRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The entity's name.
  var entity: String
  /// The pad's index within its entity; `nil` for a video node.
  var pad: UInt32?
  /// The device node that was used: the entity's, or the media device for a link.
  var device: FilePath
  /// The requested setting.
  var asked: String
  /// The setting that the driver made instead; `nil` if the call failed.
  var given: String?
  /// The failure of the kernel's call; `nil` if the driver set something else.
  var cause: V4L2Error?

  /// `imx219 10-0010, pad 0 (/dev/v4l-subdev0): asked for SRGGB10_1X10 640x480, the driver gives
  /// ...`
  var description: String {
    let place = pad.map { "\(entity), pad \($0)" } ?? entity
    guard let cause else {
      let other = given.map { "the driver gives \($0)" } ?? "the driver has none"
      return "\(place) (\(device)): asked for \(asked), \(other). Another mode may work."
    }
    return "\(place): asked for \(asked). \(cause)"
  }
}

extension OvercrankError {
  /// Creates the error for a refused step of the camera at `camera`: another mode may be possible, unless the
  /// graph is in use, inaccessible or gone.
  ///
  /// - Parameter nodes: the video nodes of the graph: a program that streams from any of them keeps the
  ///   sensor busy.
  init(_ refusal: PipelineRefusal, on camera: FilePath, nodes: [FilePath] = []) {
    let code = refusal.cause.map { OvercrankError($0).code } ?? .noMode
    var words = "\(camera): its media graph cannot be set up. \(refusal)"
    if code == .busy {
      let holders = nodes.flatMap { node in DeviceHolder.all(of: node).map { "\(node) in \($0)" } }
      if !holders.isEmpty { words += " Open nodes: \(holders.joined(separator: ", "))." }
    }
    self.init(code, words)
  }
}
