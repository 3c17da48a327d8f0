import CV4L2

/// A filled buffer that was taken out of the driver's queue; V4L2's `struct v4l2_buffer`.
///
/// Made by ``CaptureQueue/dequeue(within:)``. It belongs to the caller until it goes back to the
/// driver: by ``requeue()``, which reports, else when it is dropped, silently. It cannot outlive
/// its queue, and its bytes cannot outlive it: neither compiles. Several buffers may be held at a
/// time; the driver fills only those it has.
public struct DequeuedBuffer: ~Copyable, ~Escapable {
  /// Which of the queue's buffers it is: from 0 to below ``CaptureQueue/bufferCount``.
  public let index: Int
  private let buffers: MappedBuffers

  @_lifetime(borrow queue)
  init(_ index: Int, of queue: borrowing CaptureQueue) {
    self.index = index
    self.buffers = queue.buffers
  }

  /// The driver's number of the frame; wraps at 32 bits. A gap is a frame that the driver lost.
  public var sequence: UInt32 { buffers.header(of: index).sequence }
  /// The driver's flags.
  public var flags: BufferFlags { BufferFlags(rawValue: buffers.header(of: index).flags) }
  /// When the frame was captured, in nanoseconds on the queue's clock; the kernel gives
  /// microseconds.
  public var timestampNanoseconds: Int64 { buffers.header(of: index).timestampNanoseconds }
  /// Number of memory planes: 1, except for formats whose planes lie apart.
  public var planeCount: Int { buffers.planes }

  /// The filled bytes of memory plane `index`, without what the driver put before the picture.
  ///
  /// Empty where the driver filled nothing. Swift 6.3 refuses ``requeue()`` in a function that gave
  /// these bytes a name; there use ``withBytes(ofPlane:_:)``, or let the buffer be dropped.
  /// - Precondition: `index` is below ``planeCount``.
  @_lifetime(borrow self)
  public borrowing func bytes(ofPlane index: Int) -> Span<UInt8> {
    let bytes = buffers.filledBytes(of: self.index, plane: index)
    // The mapping lasts as long as the queue, which this buffer cannot outlive.
    return _overrideLifetime(Span(_unsafeElements: bytes), borrowing: self)
  }

  /// Calls `body` with the filled bytes of memory plane `index`; see ``bytes(ofPlane:)``.
  ///
  /// - Precondition: `index` is below ``planeCount``.
  public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
    ofPlane index: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(bytes(ofPlane: index))
  }

  /// Gives the buffer back to the driver, which fills it again.
  ///
  /// The corresponding ioctl is `VIDIOC_QBUF`.
  /// - Throws: ``V4L2Error`` where the driver refuses the buffer twice; `disconnected` where the
  ///   camera is gone. Either way the buffer is no longer the caller's.
  public consuming func requeue() throws(V4L2Error) {
    let (buffers, index) = (buffers, index)
    discard self
    try buffers.requeue(index)
  }

  deinit { _ = buffers.queue(index) }
}
