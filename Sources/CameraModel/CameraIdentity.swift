public import Timebase

/// The identity of a camera, as recorded with what came from it.
public struct CameraIdentity: Codable, Hashable, Sendable {
  /// The name by which it was opened: `/dev/video0` or `sim:`.
  public var name: String
  /// The card's name.
  @Nullable public var card: String?
  /// The driver's name.
  @Nullable public var driver: String?
  /// The bus that it is attached to.
  @Nullable public var bus: String?
  /// The sensor's name in the media graph; `nil` if there is none, or it was not recorded.
  @Nullable public var sensor: String?

  /// Creates the identity of the camera that was opened as `name` and described itself in `table`.
  public init(name: String, table: CameraTable) {
    self.name = name
    self.card = table.card
    self.driver = table.driver
    self.bus = table.bus
    self.sensor = table.sensor
  }
}

extension String {
  /// The camera's name at the start of a message: `/dev/video0:`, or `sim:`, which already ends in a colon.
  package var asSubject: String { hasSuffix(":") ? self : self + ":" }
}
