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
}
