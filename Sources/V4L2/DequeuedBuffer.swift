import CV4L2

/// A filled buffer that was dequeued from the driver; V4L2's `struct v4l2_buffer`.
///
/// Created by ``CaptureQueue/dequeue(within:)``. It belongs to the caller until it goes back to the driver:
/// by ``requeue()``, which reports errors, or silently when dropped. It cannot outlive its queue, and its
/// bytes cannot outlive it: neither compiles. Several buffers may be held at a time; the driver fills only
/// those that it has.
public struct DequeuedBuffer: ~Copyable, ~Escapable {
  /// Its index among the queue's buffers: from 0 to below ``CaptureQueue/bufferCount``.
  public let index: Int
  private let buffers: MappedBuffers

  @_lifetime(borrow queue)
  init(_ index: Int, of queue: borrowing CaptureQueue) {
    self.index = index
    self.buffers = queue.buffers
  }

  /// The driver's number of the frame; wraps at 32 bits. A gap is a dropped frame.
  public var sequence: UInt32 { buffers.header(of: index).sequence }
  /// The driver's flags.
  public var flags: BufferFlags { BufferFlags(rawValue: buffers.header(of: index).flags) }
  /// The capture time of the frame, in nanoseconds on the queue's clock; the kernel reports microseconds.
  public var timestampNanoseconds: Int64 { buffers.header(of: index).timestampNanoseconds }
  /// The number of memory planes: 1, except for formats with separate planes.
  public var planeCount: Int { buffers.planes }

  /// Returns the filled bytes of memory plane `index`, without data that the driver put before the picture.
  ///
  /// Empty if the driver filled nothing. Swift 6.3 refuses ``requeue()`` in a function that gave these bytes
  /// a name; there, use ``withBytes(ofPlane:_:)``, or let the buffer be dropped.
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

  /// Returns the buffer to the driver, which fills it again.
  ///
  /// The corresponding ioctl is `VIDIOC_QBUF`.
  /// - Throws: ``V4L2Error`` if the driver refuses the buffer twice; `disconnected` if the camera is gone. In
  ///   either case the buffer no longer belongs to the caller.
  public consuming func requeue() throws(V4L2Error) {
    let (buffers, index) = (buffers, index)
    discard self
    try buffers.requeue(index)
  }

  deinit { _ = buffers.queue(index) }
}
