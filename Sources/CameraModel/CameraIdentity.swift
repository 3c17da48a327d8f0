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

  /// The camera that was opened as `name` and described itself in `table`.
  public init(name: String, table: CameraTable) {
    self.name = name
    self.card = table.card
    self.driver = table.driver
    self.bus = table.bus
  }

  /// Writes the camera; what is unknown is `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(name, forKey: .name)
    try keys.encode(card, forKey: .card)
    try keys.encode(driver, forKey: .driver)
    try keys.encode(bus, forKey: .bus)
  }

  private enum CodingKeys: String, CodingKey { case name, card, driver, bus }
}
