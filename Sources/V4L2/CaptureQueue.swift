import CV4L2
public import SystemPackage
public import Timebase

/// A device that is set to a mode and has memory-mapped buffers to stream into.
///
/// Created by ``ConfiguredDevice/requestBuffers(count:)``. However it ends, the stream is stopped, its memory
/// unmapped, the driver's buffers freed, and the device's settings restored: by ``stop()``, which reports
/// errors, or silently when dropped. It cannot end while one of its ``DequeuedBuffer``s is held. One thread
/// at a time.
public struct CaptureQueue: ~Copyable, Sendable {
  /// The clock of the buffers' timestamps, as announced by the driver.
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

  /// The device itself. Settings made through it, rather than by ``setControl(_:to:)``, are not restored.
  public var device: Device { _read { yield configured.device } }
  /// The format that the driver set.
  public var format: CaptureFormat { configured.format }
  /// The interval that the driver accepted; `nil` if it reports none.
  public var acceptedInterval: FrameInterval? { configured.acceptedInterval }
  /// The device's identity and abilities.
  public var capabilities: Capabilities { configured.device.capabilities }
  /// The number of buffers from the driver, which may be more or fewer than requested.
  public var bufferCount: Int { buffers.count }

  /// The descriptor to wait on, along with others: `POLLIN` means that a buffer is filled, `POLLPRI` that an
  /// event arrived.
  ///
  /// The queue owns it: do not close it, and do not keep it longer than the queue.
  public var fileDescriptor: FileDescriptor { configured.device.fileDescriptor }

  /// Sets the control `id` to `value` until the queue is stopped, which restores it.
  ///
  /// The corresponding ioctl is `VIDIOC_S_EXT_CTRLS`.
  /// - Throws: ``V4L2Error``; `unsupported` if the control does not take the value, or cannot be set at
  ///   present.
  public mutating func setControl(_ id: UInt32, to value: Int64) throws(V4L2Error) {
    try configured.setControl(id, to: value)
  }

  /// Queues all buffers and starts the stream.
  ///
  /// The corresponding ioctls are `VIDIOC_QBUF` and `VIDIOC_STREAMON`.
  /// - Throws: ``V4L2Error``; `bandwidth` if a USB bus has no room left for the mode.
  public mutating func start() throws(V4L2Error) {
    for index in 0..<buffers.count { try buffers.requeue(index) }
    var type = CInt(bitPattern: configured.device.captureType)
    try check(
      cv4l2_streamon(configured.device.descriptor.rawValue, &type), "VIDIOC_STREAMON",
      on: configured.device.path)
    isStreaming = true
  }

  /// The outcome of a request for a buffer.
  public enum Outcome: ~Copyable, ~Escapable {
    /// A filled buffer, which belongs to the caller until it is requeued or dropped.
    case buffer(DequeuedBuffer)
    /// No buffer is ready, or the driver returned one without a frame.
    case notReady
    /// The stream has ended: the last buffer was returned before.
    case endOfStream
  }

  /// Dequeues a filled buffer after waiting at most `timeout` for it, in whole milliseconds rounded up; `nil`
  /// waits for ever.
  ///
  /// A signal ends the wait early, with ``Outcome/notReady``. This takes two system calls per frame, and
  /// requeuing a third.
  ///
  /// The corresponding calls are `poll(2)` and `VIDIOC_DQBUF`.
  /// - Throws: ``V4L2Error``; `failed` if the driver gave up, `disconnected` if the camera is gone.
  @_lifetime(borrow self)
  public borrowing func dequeue(within timeout: Duration?) throws(V4L2Error) -> Outcome {
    return Outcome(try take(within: timeout), of: self)
  }

  /// Dequeues a filled buffer if there is one, without waiting: for callers that wait on ``fileDescriptor``
  /// themselves.
  ///
  /// A `POLLERR` on the descriptor means that the driver gave up: every later wait ends at once, and no
  /// buffer will come.
  ///
  /// The corresponding ioctl is `VIDIOC_DQBUF`.
  /// - Throws: ``V4L2Error``; `failed` if the driver gave up, `disconnected` if the camera is gone.
  @_lifetime(borrow self)
  public borrowing func dequeue() throws(V4L2Error) -> Outcome {
    return Outcome(try take(isErrorPending: false), of: self)
  }

  /// An ``Outcome`` that is not yet tied to the queue's lifetime.
  fileprivate enum Taken {
    case buffer(Int)
    case notReady
    case endOfStream
  }

  private borrowing func take(within timeout: Duration?) throws(V4L2Error) -> Taken {
    var events: Int16 = 0
    let ready = cv4l2_poll(
      configured.device.descriptor.rawValue, Int16(POLLIN), timeout?.pollMilliseconds ?? -1, &events)
    if ready == 0 || ready == -EINTR { return .notReady }
    try check(ready, "poll", on: configured.device.path)
    // With an error pending, poll never waits, and a loop would spin for ever.
    return try take(isErrorPending: events & Int16(POLLERR) != 0)
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

  /// Returns the present number and time of the frame in buffer `index`; `nil` if the driver does not answer.
  ///
  /// The corresponding ioctl is `VIDIOC_QUERYBUF`. Do not use it for every frame, as it is a separate system
  /// call.
  /// - Precondition: `index` is below ``bufferCount``.
  public borrowing func state(ofBuffer index: Int) -> (sequence: UInt32, timestampNanoseconds: Int64)? {
    buffers.state(of: index)
  }

  /// Stops the stream, frees its memory and restores the device's settings.
  ///
  /// The corresponding ioctls are `VIDIOC_STREAMOFF` and `VIDIOC_REQBUFS`, then those that restore the
  /// settings.
  /// - Throws: ``V4L2Error`` if a device that is still present could not be restored; all is released even
  ///   so.
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
    // The device is restored after this, when its owner is destroyed.
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
