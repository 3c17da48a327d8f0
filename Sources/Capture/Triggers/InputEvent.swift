import Timebase

/// An event of an input device, as the kernel reports it.
struct InputEvent: Hashable, Sendable {
  /// The time of the event, on the clock that was chosen for the device.
  let time: Instant
  /// The kind of event: `EV_KEY` and others.
  let type: UInt16
  /// The number of the key.
  let code: UInt16
  /// For keys: 1 when pressed, 2 when repeated, 0 when released.
  let value: Int32

  /// The size of the kernel's `struct input_event` on machines of 64 bits.
  static let byteCount = 24
  /// The resolution of its time.
  static let resolution = Duration.microseconds(1)
  private static let keyType: UInt16 = 1

  /// Reads an event; `nil` if `bytes` do not hold a whole one.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count >= Self.byteCount else { return nil }
    let bytes = Array(bytes)
    (time, type, code, value) = bytes.withUnsafeBytes { bytes in
      let seconds = bytes.loadUnaligned(as: Int64.self)
      let microseconds = bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self)
      return (
        Instant(nanoseconds: 0) + .seconds(seconds) + .microseconds(microseconds),
        bytes.loadUnaligned(fromByteOffset: 16, as: UInt16.self),
        bytes.loadUnaligned(fromByteOffset: 18, as: UInt16.self),
        bytes.loadUnaligned(fromByteOffset: 20, as: Int32.self)
      )
    }
  }

  /// Returns whether `key` was pressed; `nil` for any key.
  func isPress(of key: InputKey?) -> Bool {
    type == Self.keyType && value == 1 && (key.map { $0.code == code } ?? true)
  }
}
