/// The clock that frames are stamped with.
public enum FrameClock: String, Codable, Hashable, Sendable {
  /// `CLOCK_MONOTONIC`, by the driver.
  case monotonic
  /// Copied by the driver from elsewhere, as v4l2loopback does from its writer.
  case copied
  /// The driver does not say.
  case unknown
  /// `CLOCK_MONOTONIC` when a frame was taken from the driver, as its own timestamps cannot be true.
  case dequeue
}
