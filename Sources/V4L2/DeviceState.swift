import CV4L2
import Timebase

/// A device's settings before they were changed, for restoring them.
struct DeviceState: Sendable {
  private let format: v4l2_format
  private let interval: FrameInterval?
  private let controls: [UInt32: Int64]
  /// Controls that changed with the mode, or with another control; changes by other programs are not undone.
  private var moved: Set<UInt32> = []
  /// Controls that were set explicitly, in that order, with their previous values.
  private var set: [(id: UInt32, value: Int64)] = []

  /// Reads the present settings of `device`.
  init(of device: borrowing Device) throws(V4L2Error) {
    self.format = try device.rawFormat()
    self.interval = try device.frameInterval()
    self.controls = Self.settableControls(of: device)
  }

  /// Records the controls that the driver changed since they were read.
  mutating func noteMovedControls(of device: borrowing Device) {
    let now = Self.settableControls(of: device)
    for (id, value) in controls where now[id] != nil && now[id] != value { moved.insert(id) }
  }

  /// Records the value of control `id` before it is set; the first value counts.
  mutating func noteSetting(_ id: UInt32, was value: Int64) {
    if !set.contains(where: { $0.id == id }) { set.append((id, controls[id] ?? value)) }
  }

  /// Restores as much as possible of format, interval and controls, and throws the first failure.
  func restore(to device: borrowing Device) throws(V4L2Error) {
    var failure: V4L2Error?
    do { try device.setRawFormat(format) } catch { failure = error }
    do {
      if let interval { _ = try device.setFrameInterval(interval) }
    } catch { failure = failure ?? error }
    // In reverse order: a control that is active only because another was set must be restored first.
    for (id, value) in set.reversed() {
      do { try device.setControl(id, to: value) } catch { failure = failure ?? error }
    }
    for id in moved where !set.contains(where: { $0.id == id }) {
      // A control that only followed another one is back by now, or inactive again.
      guard let value = controls[id], let now = device.control(id), now.value != value,
        now.flags.isDisjoint(with: Self.outOfReach)
      else { continue }
      do { try device.setControl(id, to: value) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  private static let outOfReach: ControlFlags = [.readOnly, .writeOnly, .inactive, .volatile]

  private static func settableControls(of device: borrowing Device) -> [UInt32: Int64] {
    // A control that cannot be read cannot be restored.
    var failure: V4L2Error?
    let controls = device.controls().collect(upToFailure: &failure)
    let settable = controls.filter { $0.flags.isDisjoint(with: outOfReach) }
    return Dictionary(settable.compactMap { control in control.value.map { (control.id, $0) } }) { first, _ in
      first
    }
  }
}
