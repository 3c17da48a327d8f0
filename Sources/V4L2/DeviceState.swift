import CV4L2
import Timebase

/// How a device was set before it was touched, so that it can be put back.
struct DeviceState: Sendable {
  private let format: v4l2_format
  private let interval: FrameInterval?
  private let controls: [UInt32: Int64]
  /// Controls that a change of mode moved by itself; no one else's changes are undone.
  private var moved: Set<UInt32> = []

  /// Reads how `device` is set.
  init(of device: borrowing Device) throws(V4L2Error) {
    self.format = try device.rawFormat()
    self.interval = try device.frameInterval()
    self.controls = Self.settableControls(of: device)
  }

  /// Notes which controls the driver moved since they were read.
  mutating func noteMovedControls(of device: borrowing Device) {
    let now = Self.settableControls(of: device)
    for (id, value) in controls where now[id] != nil && now[id] != value { moved.insert(id) }
  }

  /// Puts back format, interval and moved controls, all that can be, and throws the first failure.
  func restore(to device: borrowing Device) throws(V4L2Error) {
    var failure: V4L2Error?
    do { try device.setRawFormat(format) } catch { failure = error }
    do {
      if let interval { _ = try device.setFrameInterval(interval) }
    } catch { failure = failure ?? error }
    for id in moved {
      guard let value = controls[id] else { continue }
      do { try device.setControl(id, to: value) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  private static func settableControls(of device: borrowing Device) -> [UInt32: Int64] {
    // A device without controls answers with an error, and then there is nothing to put back.
    let controls = (try? device.controls()) ?? []
    let settable = controls.filter { $0.flags.isDisjoint(with: [.readOnly, .inactive, .volatile]) }
    return Dictionary(settable.map { ($0.id, $0.value) }) { first, _ in first }
  }
}
