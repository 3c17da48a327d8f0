import Cameras
public import Timebase

/// A simulated camera's address on the command line: `sim:NAME,KEY=VALUE,...`.
///
/// `sim:` is the default camera; the caller looks up NAME in its tables.
public struct SimulatedCameraAddress: Hashable, Sendable {
  /// The prefix of every address.
  public static let prefix = CameraName.simulatedPrefix

  /// The name between the prefix and the first comma; may be empty.
  public var name: String
  /// The camera's faults.
  public var faults: SimulatedFaults

  /// Reads an address, such as `sim:`, `sim:,drop=2%` or `sim:imx477,rate=200,buffers=4`.
  public init(text: String) throws(QuantityError) {
    guard text.hasPrefix(Self.prefix) else {
      throw QuantityError(text, expected: "a simulated camera, such as sim: or sim:NAME,drop=2%")
    }
    let parts = text.dropFirst(Self.prefix.count).split(
      separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    self.name = String(parts[0])
    self.faults = parts.count == 2 ? try SimulatedFaults(text: String(parts[1])) : SimulatedFaults()
  }
}
