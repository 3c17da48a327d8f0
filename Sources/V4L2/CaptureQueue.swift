public import CameraModel
import CV4L2
public import Timebase

/// A device that is set to a mode and has memory-mapped buffers to stream into.
///
/// Made by ``Device/prepare(_:width:height:interval:)``. However it ends, the stream is stopped, its memory unmapped, the
/// driver's buffers freed, and the device put back as it was found: in ``stop()``, which reports, else when
/// it is dropped, silently. One thread at a time.
public struct CaptureQueue: ~Copyable, Sendable {
  /// What the driver made of the format that was asked for.
  public let format: CaptureFormat
  /// The interval that the driver gave back; `nil` where it knows none.
  public let acceptedInterval: FrameInterval?
  /// The clock of the buffers' timestamps, as the driver announces it.
  public let clock: TimestampClock
  /// What the device is.
  public var capabilities: Capabilities { device.capabilities }
  /// How many buffers the driver gave: eight are asked for, and it may give another number.
  public var bufferCount: Int { buffers.count }

  /// At 240 fps the capture thread may come 30 ms late.
  private static let wantedBuffers = 8

  private let device: Device
  private var state: DeviceState
  private let buffers: MappedBuffers
  private var isStreaming = false
  private var isReleased = false

  init(
    device: consuming Device, state: DeviceState, format: CaptureFormat, acceptedInterval: FrameInterval?
  ) throws(V4L2Error) {
    let buffers: MappedBuffers
    do {
      buffers = try MappedBuffers(of: device, count: Self.wantedBuffers, planes: format.sizeImage.count)
    } catch {
      try? state.restore(to: device)
      throw error
    }
    self.clock = buffers.clock
    self.device = device
    self.state = state
    self.format = format
    self.acceptedInterval = acceptedInterval
    self.buffers = buffers
  }

  /// All controls as they stand.
  public borrowing func controls() throws(V4L2Error) -> [Control] { try device.controls() }

  /// The control `id` as it stands; `nil` where the device has none.
  public borrowing func control(_ id: UInt32) -> Control? { device.control(id) }

  /// The items of a menu control; empty for others.
  public borrowing func menu(of control: Control) -> [ControlMenuItem] { device.menu(of: control) }

  /// Sets the control `id` to `value` until the queue is stopped, which puts it back.
  public mutating func setControl(_ id: UInt32, to value: Int64) throws(V4L2Error) {
    // A button has nothing to be put back to.
    if let before = device.control(id)?.value { state.noteSetting(id, was: before) }
    try device.setControl(id, to: value)
    state.noteMovedControls(of: device)
  }

  /// Hands all buffers to the driver and starts the stream.
  ///
  /// The corresponding ioctls are `VIDIOC_QBUF` and `VIDIOC_STREAMON`.
  public mutating func start() throws(V4L2Error) {
    for index in 0..<buffers.count { try requeue(index) }
    var type = CInt(bitPattern: device.captureType)
    try check(cv4l2_streamon(device.descriptor.rawValue, &type), "VIDIOC_STREAMON", on: device.path)
    isStreaming = true
  }

  /// What came of asking for a buffer.
  public enum Outcome: Sendable {
    /// One was lent.
    case buffer
    /// None is ready, or the one that was is given back without a frame.
    case notReady
    /// The stream has ended: the last buffer was given before.
    case endOfStream
  }

  /// Waits at most `milliseconds` for a filled buffer, lends it to `body` and gives it back to the driver.
  ///
  /// Three system calls a frame: `poll(2)`, `VIDIOC_DQBUF`, `VIDIOC_QBUF`.
  /// - Throws: ``V4L2Error`` where the driver gave up or the camera is gone.
  public mutating func lendNext(
    within milliseconds: Int32, _ body: (borrowing FilledBuffer) -> Void
  ) throws(V4L2Error) -> Outcome {
    let fd = device.descriptor.rawValue
    var events: Int16 = 0
    let ready = cv4l2_poll(fd, Int16(POLLIN), milliseconds, &events)
    // A signal ends the wait early; whoever waits asks again.
    if ready == 0 || ready == -EINTR { return .notReady }
    try check(ready, "poll", on: device.path)

    let result = buffers.dequeue(from: fd)
    if result == -EPIPE { return .endOfStream }
    if result == -EAGAIN {
      // With an error pending poll never waits, so going round again would spin for ever.
      guard events & Int16(POLLERR) == 0 else {
        throw .call("VIDIOC_DQBUF", on: device.path, .ioError)
      }
      return .notReady
    }
    try check(result, "VIDIOC_DQBUF", on: device.path)

    let index = buffers.dequeuedIndex
    guard !buffers.isGivenBack else {
      try requeue(index)
      return .notReady
    }
    body(FilledBuffer(buffers))
    try requeue(index)
    return .buffer
  }

  /// What the driver says of buffer `index` at present; `nil` where it does not answer.
  ///
  /// The corresponding ioctl is `VIDIOC_QUERYBUF`. Not for every frame: it is a system call of its own.
  public borrowing func state(ofBuffer index: Int) -> (sequence: UInt32, timestampNanoseconds: Int64)? {
    buffers.state(of: index, on: device.descriptor.rawValue)
  }

  private borrowing func requeue(_ index: Int) throws(V4L2Error) {
    let fd = device.descriptor.rawValue
    // A driver may refuse a buffer for once, short of memory perhaps; that alone is no reason to lose a recording.
    if buffers.queue(index, to: fd) >= 0 { return }
    try check(buffers.queue(index, to: fd), "VIDIOC_QBUF", on: device.path)
  }

  /// Stops the stream, frees its memory and puts the device back as it was found.
  ///
  /// - Throws: ``V4L2Error`` where a device that is still there could not be put back; all is released even so.
  public consuming func stop() throws(V4L2Error) {
    isReleased = true
    do { try release() } catch {
      guard error.code == .disconnected else { throw error }
    }
  }

  private borrowing func release() throws(V4L2Error) {
    if isStreaming {
      var type = CInt(bitPattern: device.captureType)
      _ = cv4l2_streamoff(device.descriptor.rawValue, &type)
    }
    buffers.free(on: device.descriptor.rawValue)
    try state.restore(to: device)
  }

  deinit {
    if !isReleased { try? release() }
  }
}

extension Device {
  /// Sets a mode, reads back what the driver made of it, and maps its buffers.
  ///
  /// The corresponding ioctls are, in this order, `VIDIOC_S_FMT`, `VIDIOC_S_PARM`, `VIDIOC_G_FMT`,
  /// `VIDIOC_G_PARM`, `VIDIOC_REQBUFS` and `VIDIOC_QUERYBUF`.
  /// - Throws: ``V4L2Error``; the device is put back as it was.
  public consuming func prepare(
    _ format: PixelFormat, width: UInt32, height: UInt32, interval: FrameInterval?
  ) throws(V4L2Error) -> CaptureQueue {
    try requireCapture()
    var state = try DeviceState(of: self)
    let (actual, accepted) = try set(format, width: width, height: height, interval: interval, &state)
    return try CaptureQueue(device: self, state: state, format: actual, acceptedInterval: accepted)
  }

  /// Sets the device to a mode, reads back what its driver made of it, and puts it back as it was; no memory is asked for.
  ///
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
    // A format that is refused leaves the device as it was: to put it back would disturb who streams from it.
    _ = try setCaptureFormat(format, width: width, height: height)
    let given: (CaptureFormat, FrameInterval?)
    do {
      let accepted = if let interval { try setFrameInterval(interval) } else { try frameInterval() }
      // Setting the interval may change the format on some drivers: what counts is what stands now.
      given = (try captureFormat(), accepted)
    } catch {
      try? state.restore(to: self)
      throw error
    }
    state.noteMovedControls(of: self)
    return given
  }
}
