import CV4L2
public import SystemPackage
public import Timebase

/// A device that is set to a mode and has memory-mapped buffers to stream into.
///
/// Made by ``ConfiguredDevice/requestBuffers(count:)``. However it ends, the stream is stopped, its
/// memory unmapped, the driver's buffers freed, and the device put back as it was found: in
/// ``stop()``, which reports, else when it is dropped, silently. It cannot end while a
/// ``DequeuedBuffer`` of it is held. One thread at a time.
public struct CaptureQueue: ~Copyable, Sendable {
  /// The clock of the buffers' timestamps, as the driver announces it.
  public let clock: TimestampClock
  let buffers: MappedBuffers
  private var configured: ConfiguredDevice
  private var isStreaming = false
  private var isReleased = false

  init(_ configured: consuming ConfiguredDevice, _ buffers: MappedBuffers) {
    self.configured = configured
    self.buffers = buffers
    self.clock = buffers.clock
  }

  /// The device itself. What is set through it, rather than by ``setControl(_:to:)``, stays set.
  public var device: Device { _read { yield configured.device } }
  /// What the driver made of the format that was asked for.
  public var format: CaptureFormat { configured.format }
  /// The interval that the driver gave back; `nil` where it knows none.
  public var acceptedInterval: FrameInterval? { configured.acceptedInterval }
  /// What the device is.
  public var capabilities: Capabilities { configured.device.capabilities }
  /// How many buffers the driver gave, which may be more or fewer than were asked for.
  public var bufferCount: Int { buffers.count }

  /// The descriptor to wait on, along with others: `POLLIN` says that a buffer is filled, `POLLPRI`
  /// that an event came.
  ///
  /// Lent by the queue, which closes it: never close it, and do not keep it longer than the queue.
  public var fileDescriptor: FileDescriptor { configured.device.fileDescriptor }

  /// Sets the control `id` to `value` until the queue is stopped, which puts it back.
  ///
  /// The corresponding ioctl is `VIDIOC_S_EXT_CTRLS`.
  /// - Throws: ``V4L2Error``; `unsupported` where the control does not take the value, or cannot be
  ///   set at present.
  public mutating func setControl(_ id: UInt32, to value: Int64) throws(V4L2Error) {
    try configured.setControl(id, to: value)
  }

  /// Hands all buffers to the driver and starts the stream.
  ///
  /// The corresponding ioctls are `VIDIOC_QBUF` and `VIDIOC_STREAMON`.
  /// - Throws: ``V4L2Error``; `bandwidth` where a USB bus has no room left for the mode.
  public mutating func start() throws(V4L2Error) {
    for index in 0..<buffers.count { try buffers.requeue(index) }
    var type = CInt(bitPattern: configured.device.captureType)
    try check(
      cv4l2_streamon(configured.device.descriptor.rawValue, &type), "VIDIOC_STREAMON",
      on: configured.device.path)
    isStreaming = true
  }

  /// What came of asking for a buffer.
  public enum Outcome: ~Copyable, ~Escapable {
    /// A filled buffer, which is the caller's until it is requeued or dropped.
    case buffer(DequeuedBuffer)
    /// No buffer is ready, or the driver gave one back without a frame.
    case notReady
    /// The stream has ended: the last buffer was given before.
    case endOfStream
  }

  /// Takes a filled buffer, and waits at most `timeout` for it, in whole milliseconds rounded up;
  /// `nil` waits for ever.
  ///
  /// A signal ends the wait early, with ``Outcome/notReady``. Two system calls a frame, and a third
  /// when the buffer goes back.
  ///
  /// The corresponding calls are `poll(2)` and `VIDIOC_DQBUF`.
  /// - Throws: ``V4L2Error``; `failed` where the driver gave up, `disconnected` where the camera is
  ///   gone.
  @_lifetime(borrow self)
  public borrowing func dequeue(within timeout: Duration?) throws(V4L2Error) -> Outcome {
    var events: Int16 = 0
    let ready = cv4l2_poll(
      configured.device.descriptor.rawValue, Int16(POLLIN), timeout?.pollMilliseconds ?? -1, &events)
    if ready == 0 || ready == -EINTR { return .notReady }
    try check(ready, "poll", on: configured.device.path)
    // With an error pending poll never waits, so that going round again would spin for ever.
    return Outcome(try take(isErrorPending: events & Int16(POLLERR) != 0), of: self)
  }

  /// Takes a filled buffer if there is one, without waiting: for callers that wait on
  /// ``fileDescriptor`` themselves.
  ///
  /// A `POLLERR` there means that the driver gave up: every later wait ends at once, and no buffer
  /// will come.
  ///
  /// The corresponding ioctl is `VIDIOC_DQBUF`.
  /// - Throws: ``V4L2Error``; `failed` where the driver gave up, `disconnected` where the camera is
  ///   gone.
  @_lifetime(borrow self)
  public borrowing func dequeue() throws(V4L2Error) -> Outcome {
    return Outcome(try take(isErrorPending: false), of: self)
  }

  /// An ``Outcome`` that is not tied to the queue yet.
  fileprivate enum Taken {
    case buffer(Int)
    case notReady
    case endOfStream
  }

  private borrowing func take(isErrorPending: Bool) throws(V4L2Error) -> Taken {
    let result = buffers.dequeue()
    if result == -EPIPE { return .endOfStream }
    if result == -EAGAIN {
      guard !isErrorPending else { throw .call("VIDIOC_DQBUF", on: configured.device.path, .ioError) }
      return .notReady
    }
    try check(result, "VIDIOC_DQBUF", on: configured.device.path)
    let index = Int(result)
    guard !buffers.isGivenBack(index) else {
      try buffers.requeue(index)
      return .notReady
    }
    return .buffer(index)
  }

  /// The number and time of the frame in buffer `index`, as the driver has them at present; `nil`
  /// where it does not answer.
  ///
  /// The corresponding ioctl is `VIDIOC_QUERYBUF`. Not for every frame: it is a system call of its
  /// own.
  /// - Precondition: `index` is below ``bufferCount``.
  public borrowing func state(ofBuffer index: Int) -> (sequence: UInt32, timestampNanoseconds: Int64)? {
    buffers.state(of: index)
  }

  /// Stops the stream, frees its memory and puts the device back as it was found.
  ///
  /// The corresponding ioctls are `VIDIOC_STREAMOFF` and `VIDIOC_REQBUFS`, then those that put
  /// back.
  /// - Throws: ``V4L2Error`` where a device that is still there could not be put back; all is
  ///   released even so.
  public consuming func stop() throws(V4L2Error) {
    isReleased = true
    release()
    do { try configured.putBack() } catch {
      guard error.code == .disconnected else { throw error }
    }
  }

  private borrowing func release() {
    if isStreaming {
      var type = CInt(bitPattern: configured.device.captureType)
      _ = cv4l2_streamoff(configured.device.descriptor.rawValue, &type)
    }
    buffers.free()
  }

  deinit {
    // The device is put back after this, as its owner is destroyed.
    if !isReleased { release() }
  }
}

extension CaptureQueue.Outcome {
  @_lifetime(borrow queue)
  fileprivate init(_ taken: CaptureQueue.Taken, of queue: borrowing CaptureQueue) {
    switch taken {
    case .buffer(let index): self = .buffer(DequeuedBuffer(index, of: queue))
    case .notReady: self = .notReady
    case .endOfStream: self = .endOfStream
    }
  }
}
