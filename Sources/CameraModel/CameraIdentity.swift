public import Timebase

/// Which camera something came from.
public struct CameraIdentity: Codable, Hashable, Sendable {
  /// How it was opened: `/dev/video0` or `sim:`.
  public var name: String
  /// The card's name.
  @Nullable public var card: String?
  /// The driver's name.
  @Nullable public var driver: String?
  /// Where it is attached.
  @Nullable public var bus: String?
  /// The sensor's name in the media graph; `nil` where there is none, or it was not written down.
  @Nullable public var sensor: String?

  /// The camera that was opened as `name` and described itself in `table`.
  public init(name: String, table: CameraTable) {
    self.name = name
    self.card = table.card
    self.driver = table.driver
    self.bus = table.bus
    self.sensor = table.sensor
  }
}

extension String {
  /// This name of a camera as a message begins with it: `/dev/video0:`, and `sim:`, which ends with the colon already.
  package var asSubject: String { hasSuffix(":") ? self : self + ":" }
}
