public import CameraModel
public import Timebase

/// A device that is set to a mode, and whose previous settings are restored at the end.
///
/// Created by ``Device/configure(_:width:height:interval:)``. Format, interval and controls are restored by
/// ``restore()``, which reports errors, or silently when dropped. One thread at a time.
public struct ConfiguredDevice: ~Copyable, Sendable {
  /// The device itself. Settings made through it, rather than by ``setControl(_:to:)``, are not restored.
  public let device: Device
  /// The format that the driver set.
  public let format: CaptureFormat
  /// The interval that the driver accepted; `nil` if it reports none.
  public let acceptedInterval: FrameInterval?
  private var state: DeviceState
  private var isRestored = false

  init(
    _ device: consuming Device, state: DeviceState, format: CaptureFormat, acceptedInterval: FrameInterval?
  ) {
    self.device = device
    self.state = state
    self.format = format
    self.acceptedInterval = acceptedInterval
  }

  /// Sets the control `id` to `value` until the device is restored.
  ///
  /// The corresponding ioctl is `VIDIOC_S_EXT_CTRLS`.
  /// - Throws: ``V4L2Error``; `unsupported` if the control does not take the value, or cannot be set at
  ///   present.
  public mutating func setControl(_ id: UInt32, to value: Int64) throws(V4L2Error) {
    // A button has no value to restore.
    if let before = device.control(id)?.value { state.noteSetting(id, was: before) }
    try device.setControl(id, to: value)
    state.noteMovedControls(of: device)
  }

  /// Requests `count` memory-mapped buffers from the driver and maps those that it allocates.
  ///
  /// The driver may allocate another number: see ``CaptureQueue/bufferCount``. Each holds one frame, so their
  /// number is the number of frames by which the reader may be late: 8 are 33 ms at 240 fps.
  ///
  /// The corresponding ioctls are `VIDIOC_REQBUFS` and `VIDIOC_QUERYBUF`.
  /// - Throws: ``V4L2Error``, and the device is restored; `busy` if another program has buffers,
  ///   `outOfMemory` if the kernel has no memory for two or more.
  public consuming func requestBuffers(count: Int) throws(V4L2Error) -> CaptureQueue {
    let buffers = try MappedBuffers(of: device, count: count, planes: format.sizeImage.count)
    return CaptureQueue(self, buffers)
  }

  /// Restores format, interval and controls, and closes the device.
  ///
  /// - Throws: the first ``V4L2Error`` of a setting that could not be restored; all others are restored even
  ///   so.
  public consuming func restore() throws(V4L2Error) { try putBack() }

  mutating func putBack() throws(V4L2Error) {
    guard !isRestored else { return }
    isRestored = true
    try state.restore(to: device)
  }

  deinit {
    if !isRestored { try? state.restore(to: device) }
  }
}

extension Device {
  /// Sets the device to a mode and reads back the values that its driver set.
  ///
  /// The corresponding ioctls are, in this order, `VIDIOC_S_FMT`, `VIDIOC_S_PARM`, `VIDIOC_G_FMT` and
  /// `VIDIOC_G_PARM`.
  /// - Parameters:
  ///   - format: the pixel format.
  ///   - width: pixels across.
  ///   - height: pixels down.
  ///   - interval: seconds per frame; `nil` leaves it to the driver.
  /// - Throws: ``V4L2Error``, and the device is restored; `notVideo` if it does not capture, `busy` if
  ///   another program has its buffers.
  public consuming func configure(
    _ format: PixelFormat, width: UInt32, height: UInt32, interval: FrameInterval?
  ) throws(V4L2Error) -> ConfiguredDevice {
    try requireCapture()
    var state = try DeviceState(of: self)
    let (actual, accepted) = try set(format, width: width, height: height, interval: interval, &state)
    return ConfiguredDevice(self, state: state, format: actual, acceptedInterval: accepted)
  }

  /// Sets the device to a mode, reads back the values that its driver set, and restores the device; no
  /// buffers are requested.
  ///
  /// The corresponding ioctls are those of ``configure(_:width:height:interval:)``.
  /// - Throws: ``V4L2Error``; `busy` if another program streams.
  public borrowing func acceptance(
    of format: PixelFormat, width: UInt32, height: UInt32, interval: FrameInterval?
  ) throws(V4L2Error) -> (format: CaptureFormat, interval: FrameInterval?) {
    try requireCapture()
    var state = try DeviceState(of: self)
    let given = try set(format, width: width, height: height, interval: interval, &state)
    try state.restore(to: self)
    return given
  }

  private borrowing func set(
    _ format: PixelFormat, width: UInt32, height: UInt32, interval: FrameInterval?, _ state: inout DeviceState
  ) throws(V4L2Error) -> (format: CaptureFormat, interval: FrameInterval?) {
    // A refused format leaves the device unchanged: restoring it would disturb a program that streams from
    // it.
    _ = try setCaptureFormat(format, width: width, height: height)
    let given: (CaptureFormat, FrameInterval?)
    do {
      let accepted = if let interval { try setFrameInterval(interval) } else { try frameInterval() }
      // Setting the interval changes the format on some drivers, so the format is read again.
      given = (try captureFormat(), accepted)
      try given.0.check(on: path)
    } catch {
      try? state.restore(to: self)
      throw error
    }
    state.noteMovedControls(of: self)
    return given
  }
}
