import Cameras
public import Timebase

/// What stands for a simulated camera on a command line: `sim:NAME,KEY=VALUE,...`.
///
/// `sim:` alone is the default camera; what NAME means is up to whoever has the tables.
public struct SimulatedCameraAddress: Hashable, Sendable {
  /// What every address begins with.
  public static let prefix = CameraName.simulatedPrefix

  /// The name between the prefix and the first comma; may be empty.
  public var name: String
  /// What is to go wrong.
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
