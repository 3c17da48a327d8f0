import CameraModel
public import Timebase

extension Profile {
  /// The criteria by which a camera is recognized; all that are given must match.
  public struct Match: Encodable, Hashable, Sendable {
    /// The driver's name.
    @Nullable public var driver: String?
    /// A part of the card's name.
    @Nullable public var card: String?
    /// USB vendor and product, as in `32e4:9230`.
    @Nullable public var usb: String?
    /// A part of the sensor's name in the media graph.
    @Nullable public var sensor: String?

    /// The number of criteria: of two profiles that fit, the one with more knows the camera better.
    var demands: Int { [driver, card, usb, sensor].count { $0 != nil } }

    /// Returns whether the camera that `table` came from matches.
    func fits(_ table: CameraTable) -> Bool {
      func agrees(_ wanted: String?, _ given: String?, _ rule: (String, String) -> Bool) -> Bool {
        guard let wanted else { return true }
        guard let given else { return false }
        return rule(given.lowercased(), wanted.lowercased())
      }
      return demands > 0 && agrees(driver, table.driver, ==) && agrees(usb, table.vendorProduct, ==)
        && agrees(card, table.card) { $0.contains($1) } && agrees(sensor, table.sensor) { $0.contains($1) }
    }
  }
}
