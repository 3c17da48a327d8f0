package import CameraModel
package import Timebase

/// A line that another program sends through the socket of a recording.
package enum SocketRequest: Hashable, Sendable, CustomStringConvertible {
  /// `trigger`: begins a take, extends one, or ends one.
  case trigger
  /// `still`: takes a still.
  case still
  /// `still largest`: takes a still in the camera's largest mode.
  case largestStill
  /// `mode 640x480@240`: changes the mode.
  case mode(ModeWish)

  private static let modePrefix = "mode "

  /// Reads a line; `nil` where it is none of these.
  ///
  /// - Throws: `QuantityError` where a mode is asked for that is written wrong.
  package init?(line: String) throws(QuantityError) {
    if line == "trigger" {
      self = .trigger
    } else if line == "still" {
      self = .still
    } else if line == "still largest" {
      self = .largestStill
    } else if line.hasPrefix(Self.modePrefix) {
      self = .mode(try ModeWish(text: String(line.dropFirst(Self.modePrefix.count))))
    } else {
      return nil
    }
  }

  /// The line.
  package var description: String {
    switch self {
    case .trigger: "trigger"
    case .still: "still"
    case .largestStill: "still largest"
    case .mode(let wish): Self.modePrefix + wish.description
    }
  }
}
