package import CameraModel
package import SystemPackage

/// A camera's name on the command line.
package enum CameraName: Hashable, Sendable {
  /// A video node by its path, or by a link to it.
  case path(FilePath)
  /// A unique part of a card's name.
  case card(String)
  /// The first camera that faces this way.
  case looking(CameraOrientation)
  /// A simulated camera, by its full `SimulatedCameraAddress`.
  case simulated(String)

  /// A program whose output is frames, by its full name: see ``ProgramCamera``.
  case program(String)

  /// The prefix of a simulated camera's name.
  package static let simulatedPrefix = "sim:"

  /// Reads `/dev/video0`, `0`, `sim:NAME`, `exec:MODE:COMMAND`, `front`, `back`, `external`, or a part of a card's name.
  package init(_ text: String) {
    if text.hasPrefix(Self.simulatedPrefix) {
      self = .simulated(text)
    } else if text.hasPrefix(ProgramCamera.prefix) {
      self = .program(text)
    } else if text.contains("/") {
      self = .path(FilePath(given: text))
    } else if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      self = .path(FilePath("/dev").appending("video\(text)"))
    } else if let orientation = CameraOrientation(rawValue: text.lowercased()) {
      self = .looking(orientation)
    } else {
      self = .card(text)
    }
  }
}
