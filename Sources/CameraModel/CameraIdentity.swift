/// Which camera something came from.
public struct CameraIdentity: Codable, Hashable, Sendable {
  /// How it was opened: `/dev/video0` or `sim:`.
  public var name: String
  /// The card's name.
  public var card: String?
  /// The driver's name.
  public var driver: String?
  /// Where it is attached.
  public var bus: String?
  /// The sensor's name in the media graph; `nil` where there is none, or it was not written down.
  public var sensor: String?

  /// The camera that was opened as `name` and described itself in `table`.
  public init(name: String, table: CameraTable) {
    self.name = name
    self.card = table.card
    self.driver = table.driver
    self.bus = table.bus
    self.sensor = table.sensor
  }

  /// Writes the camera; what is unknown is `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(name, forKey: .name)
    try keys.encode(card, forKey: .card)
    try keys.encode(driver, forKey: .driver)
    try keys.encode(bus, forKey: .bus)
    try keys.encode(sensor, forKey: .sensor)
  }

  private enum CodingKeys: String, CodingKey { case name, card, driver, bus, sensor }
}
