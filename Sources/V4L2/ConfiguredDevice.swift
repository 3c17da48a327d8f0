public import CameraModel
public import Timebase

/// A device that is set to a mode, and is put back as it was found when it is done with.
///
/// Made by ``Device/configure(_:width:height:interval:)``. Format, interval and controls are put
/// back by ``restore()``, which reports, else when it is dropped, silently. One thread at a time.
public struct ConfiguredDevice: ~Copyable, Sendable {
  /// The device itself. What is set through it, rather than by ``setControl(_:to:)``, stays set.
  public let device: Device
  /// What the driver made of the format that was asked for.
  public let format: CaptureFormat
  /// The interval that the driver gave back; `nil` where it knows none.
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

  /// Sets the control `id` to `value` until the device is put back.
  ///
  /// The corresponding ioctl is `VIDIOC_S_EXT_CTRLS`.
  /// - Throws: ``V4L2Error``; `unsupported` where the control does not take the value, or cannot be
  ///   set at present.
  public mutating func setControl(_ id: UInt32, to value: Int64) throws(V4L2Error) {
    // A button has nothing to be put back to.
    if let before = device.control(id)?.value { state.noteSetting(id, was: before) }
    try device.setControl(id, to: value)
    state.noteMovedControls(of: device)
  }

  /// Asks the driver for `count` memory-mapped buffers and maps those that it gives.
  ///
  /// The driver may give another number: see ``CaptureQueue/bufferCount``. Each holds one frame, so
  /// their number is how many frames the reader may come late by: 8 are 33 ms at 240 fps.
  ///
  /// The corresponding ioctls are `VIDIOC_REQBUFS` and `VIDIOC_QUERYBUF`.
  /// - Throws: ``V4L2Error``, and the device is put back; `busy` where another program has buffers,
  ///   `outOfMemory` where the kernel has no memory for two or more.
  public consuming func requestBuffers(count: Int) throws(V4L2Error) -> CaptureQueue {
    let buffers = try MappedBuffers(of: device, count: count, planes: format.sizeImage.count)
    return CaptureQueue(self, buffers)
  }

  /// Puts format, interval and controls back as they were found, and closes the device.
  ///
  /// - Throws: the first ``V4L2Error`` of what could not be put back; all else is, even so.
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
  /// Sets the device to a mode and reads back what its driver made of it.
  ///
  /// The corresponding ioctls are, in this order, `VIDIOC_S_FMT`, `VIDIOC_S_PARM`, `VIDIOC_G_FMT`
  /// and `VIDIOC_G_PARM`.
  /// - Parameters:
  ///   - format: the pixel format.
  ///   - width: pixels across.
  ///   - height: pixels down.
  ///   - interval: seconds per frame; `nil` leaves it to the driver.
  /// - Throws: ``V4L2Error``, and the device is put back; `notVideo` where it does not capture,
  ///   `busy` where another program has its buffers.
  public consuming func configure(
    _ format: PixelFormat, width: UInt32, height: UInt32, interval: FrameInterval?
  ) throws(V4L2Error) -> ConfiguredDevice {
    try requireCapture()
    var state = try DeviceState(of: self)
    let (actual, accepted) = try set(format, width: width, height: height, interval: interval, &state)
    return ConfiguredDevice(self, state: state, format: actual, acceptedInterval: accepted)
  }

  /// Sets the device to a mode, reads back what its driver made of it, and puts it back as it was;
  /// no memory is asked for.
  ///
  /// The corresponding ioctls are those of ``configure(_:width:height:interval:)``.
  /// - Throws: ``V4L2Error``; `busy` where another program streams.
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
    // A format that is refused leaves the device as it was: to put it back would disturb who
    // streams from it.
    _ = try setCaptureFormat(format, width: width, height: height)
    let given: (CaptureFormat, FrameInterval?)
    do {
      let accepted = if let interval { try setFrameInterval(interval) } else { try frameInterval() }
      // Setting the interval may change the format on some drivers: what counts is what stands now.
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
