import CV4L2
import Timebase

/// How a device was set before it was touched, so that it can be put back.
struct DeviceState: Sendable {
  private let format: v4l2_format
  private let interval: FrameInterval?
  private let controls: [UInt32: Int64]
  /// Controls that were moved by a change of mode, or of another control; no one else's changes are
  /// undone.
  private var moved: Set<UInt32> = []
  /// Controls that were set on purpose, in that order, and what they were before.
  private var set: [(id: UInt32, value: Int64)] = []

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

  /// Notes what control `id` was before it is set; the first value counts.
  mutating func noteSetting(_ id: UInt32, was value: Int64) {
    if !set.contains(where: { $0.id == id }) { set.append((id, controls[id] ?? value)) }
  }

  /// Puts back format, interval and controls, all that can be, and throws the first failure.
  func restore(to device: borrowing Device) throws(V4L2Error) {
    var failure: V4L2Error?
    do { try device.setRawFormat(format) } catch { failure = error }
    do {
      if let interval { _ = try device.setFrameInterval(interval) }
    } catch { failure = failure ?? error }
    // Backwards: what is active only since another was set is put back while it still is.
    for (id, value) in set.reversed() {
      do { try device.setControl(id, to: value) } catch { failure = failure ?? error }
    }
    for id in moved where !set.contains(where: { $0.id == id }) {
      // What was moved as long as another stood is back by now, or out of reach again.
      guard let value = controls[id], let now = device.control(id), now.value != value,
        now.flags.isDisjoint(with: Self.outOfReach)
      else { continue }
      do { try device.setControl(id, to: value) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  private static let outOfReach: ControlFlags = [.readOnly, .writeOnly, .inactive, .volatile]

  private static func settableControls(of device: borrowing Device) -> [UInt32: Int64] {
    // What cannot be read cannot be put back.
    var failure: V4L2Error?
    let controls = device.controls().collect(upToFailure: &failure)
    let settable = controls.filter { $0.flags.isDisjoint(with: outOfReach) }
    return Dictionary(settable.compactMap { control in control.value.map { (control.id, $0) } }) { first, _ in
      first
    }
  }
}
