import CV4L2

/// A buffer that the driver filled, lent for the length of a call; V4L2's `struct v4l2_buffer`.
public struct FilledBuffer: ~Copyable {
  private let buffers: MappedBuffers

  init(_ buffers: MappedBuffers) { self.buffers = buffers }

  /// The driver's number of the frame; wraps at 32 bits.
  public var sequence: UInt32 { buffers.header.sequence }
  /// The driver's flags.
  public var flags: BufferFlags { BufferFlags(rawValue: buffers.header.flags) }
  /// Which of the queue's buffers it is.
  public var index: Int { buffers.dequeuedIndex }
  /// When the frame was captured, in nanoseconds on the queue's clock; the kernel gives microseconds.
  public var timestampNanoseconds: Int64 { buffers.header.timestampNanoseconds }
  /// How many memory planes there are: 1 but for formats whose planes lie apart.
  public var planeCount: Int { buffers.planes }

  /// The filled bytes of memory plane `index`, without what the driver put before the picture.
  ///
  /// - Precondition: `index` is below ``planeCount``.
  public func bytes(ofPlane index: Int) -> UnsafeRawBufferPointer { buffers.filledBytes(ofPlane: index) }
}
