/// A part of a frame's memory: `rows` rows of `rowBytes` bytes, `stride` bytes apart.
///
/// A compressed frame is one row. A raw frame whose rows are not padded is one row too.
public struct FramePlane {
  /// The first byte of the first row.
  public let base: UnsafeRawPointer
  /// The number of rows.
  public let rows: Int
  /// Bytes of picture data in each row.
  public let rowBytes: Int
  /// Bytes from one row's start to the next's.
  public let stride: Int

  /// Creates a plane at `base`; rows without padding become one long row.
  public init(base: UnsafeRawPointer, rows: Int, rowBytes: Int, stride: Int) {
    let contiguous = stride == rowBytes
    self.base = base
    self.rows = contiguous ? 1 : rows
    self.rowBytes = contiguous ? rows * rowBytes : rowBytes
    self.stride = stride
  }
}

/// One frame, lent by a ``CameraStream`` for the duration of a call.
///
/// The memory belongs to the driver, which gets it back when the call returns.
public struct Frame: ~Copyable {
  /// The camera's own number of the frame; wraps at 32 bits. A gap is a dropped frame.
  public let sequence: UInt32
  /// The capture time in nanoseconds, on the clock that the stream's configuration names.
  public let timestampNanoseconds: Int64
  /// The time in nanoseconds at which it was dequeued from the driver, on `CLOCK_MONOTONIC`.
  public let receivedNanoseconds: Int64
  /// Whether the driver flagged the data as damaged, or delivered less than the format needs.
  public let isCorrupt: Bool
  /// Bytes of all planes without row padding.
  public let byteCount: Int
  private let planes: UnsafeBufferPointer<FramePlane>

  /// Creates a frame over `planes`, which must stay valid as long as the frame is lent.
  ///
  /// - Parameters:
  ///   - sequence: the driver's number of the frame.
  ///   - timestampNanoseconds: the capture time, on the camera's clock.
  ///   - receivedNanoseconds: `nil` for a frame that is received the moment it is captured.
  ///   - isCorrupt: whether the driver marks it as damaged.
  ///   - planes: the planes of the pixels, in the format's order.
  public init(
    sequence: UInt32, timestampNanoseconds: Int64, receivedNanoseconds: Int64? = nil, isCorrupt: Bool,
    planes: UnsafeBufferPointer<FramePlane>
  ) {
    self.sequence = sequence
    self.timestampNanoseconds = timestampNanoseconds
    self.receivedNanoseconds = receivedNanoseconds ?? timestampNanoseconds
    self.isCorrupt = isCorrupt
    self.planes = planes
    var sum = 0
    for index in planes.indices { sum += planes[index].rows * planes[index].rowBytes }
    self.byteCount = sum
  }

  /// The bytes of a frame that is contiguous, as every compressed one is; `nil` for others.
  public var contiguousBytes: UnsafeRawBufferPointer? {
    guard planes.count == 1, planes[0].rows == 1 else { return nil }
    return UnsafeRawBufferPointer(start: planes[0].base, count: planes[0].rowBytes)
  }

  /// Copies all planes, one after another and without row padding, to `destination`.
  ///
  /// - Precondition: `destination` has room for ``byteCount`` bytes.
  public borrowing func copyBytes(to destination: UnsafeMutableRawPointer) {
    var target = destination
    for index in planes.indices {
      let plane = planes[index]
      var source = plane.base
      for _ in 0..<plane.rows {
        target.copyMemory(from: source, byteCount: plane.rowBytes)
        target += plane.rowBytes
        source += plane.stride
      }
    }
  }
}
