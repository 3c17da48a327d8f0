import CameraModel
public import Platform
import SystemPackage
import Timebase
import V4L2

/// A video node that is set to a mode.
public struct V4L2Stream: ~Copyable, CameraStream, @unchecked Sendable {
  // Unchecked: it is the only owner of the memory that it points to, and taking a frame needs exclusive
  // access.

  /// The configuration that the driver agreed to.
  public let configuration: StreamConfiguration
  private let path: FilePath
  private var node: ConfiguredNode
  private let planes: PlaneMemory
  private let overwriteWatch: OverwriteDetector?

  init(_ node: consuming ConfiguredNode, of path: FilePath, controls: [String: ControlInForce]) {
    let format = node.queue.format
    let geometry = FrameGeometry(of: format)
    let clock: FrameClock =
      switch node.queue.clock {
      case .monotonic: .monotonic
      case .copied: .copied
      case .unknown: .unknown
      }
    self.configuration = StreamConfiguration(
      FrameFormat(
        format.pixelFormat, width: Int(format.width), height: Int(format.height),
        acceptedInterval: node.acceptedInterval, clock: clock,
        colorimetry: Colorimetry(
          colorspace: format.colorspace, transfer: format.transfer, encoding: format.encoding,
          quantization: format.quantization)),
      largestFrame: geometry.largestFrame(of: format),
      bufferCount: node.queue.bufferCount, controls: controls)
    self.planes = PlaneMemory(geometry)
    self.overwriteWatch = OverwriteDetector(over: node.queue)
    self.path = path
    self.node = node
  }

  /// Queues the driver's buffers and starts the stream.
  public mutating func begin() throws(OvercrankError) {
    do { try node.queue.start() } catch { throw OvercrankError(error) }
  }

  /// Waits for the driver's next buffer and lends it; see ``CameraStream``.
  public mutating func next(
    within timeout: Duration, _ body: (borrowing Frame) -> Void
  ) throws(OvercrankError) -> Arrival {
    do {
      switch try node.queue.dequeue(within: timeout) {
      case .buffer(let buffer):
        let (index, sequence, timestamp) = (buffer.index, buffer.sequence, buffer.timestampNanoseconds)
        let reading = lend(buffer, body)
        // Requeued before the check for an overwrite: until then the camera is short of a buffer.
        try buffer.requeue()
        let isOverwritten = overwriteWatch?.wasOverwritten(
          buffer: index, sequence: sequence, timestampNanoseconds: timestamp, reading, in: node.queue)
        return isOverwritten == true ? .overwritten : .frame
      case .notReady: return .nothing
      case .endOfStream: return .ended
      }
    } catch {
      throw OvercrankError(error)
    }
  }

  /// Lends the frame in `buffer` to `body`, and returns whether its content changed meanwhile.
  private borrowing func lend(
    _ buffer: borrowing DequeuedBuffer, _ body: (borrowing Frame) -> Void
  ) -> OverwriteDetector.Reading {
    let frame = planes.table.frame(from: buffer)
    guard let overwriteWatch else {
      body(frame)
      return .unknown
    }
    return overwriteWatch.reading(buffer) { body(frame) }
  }

  /// Stops the stream and restores the device and its media graph.
  public consuming func stop() throws(OvercrankError) { try node.stop(on: path) }
}

/// The only owner of a plane table's memory.
struct PlaneMemory: ~Copyable {
  let table: PlaneTable
  init(_ geometry: FrameGeometry) { table = PlaneTable(geometry) }
  deinit { table.deallocate() }
}

/// A frame's geometry and the planes of the frame being lent, in memory of their own, so that no frame needs
/// an allocation.
struct PlaneTable {
  private let geometry: UnsafeMutableBufferPointer<FrameGeometry.Plane>
  private let planes: UnsafeMutablePointer<FramePlane>
  /// `VIDEO_MAX_PLANES` of videodev2.h.
  private static let mostMemoryPlanes = 8

  init(_ source: FrameGeometry) {
    geometry = .allocate(capacity: source.planes.count)
    _ = geometry.initialize(from: source.planes)
    planes = .allocate(capacity: max(source.planes.count, Self.mostMemoryPlanes))
  }

  func deallocate() {
    geometry.deallocate()
    planes.deallocate()
  }

  /// Returns the frame in `buffer`, which must be held as long as the frame is lent; it is corrupt if the
  /// driver says so or filled too few bytes.
  func frame(from buffer: borrowing DequeuedBuffer) -> Frame {
    var isShort = false
    let count = geometry.isEmpty ? buffer.planeCount : geometry.count
    for index in 0..<count {
      // A frame is a table of pointers, which leave the span here and are read only while the buffer is held.
      let bytes = buffer.bytes(ofPlane: geometry.isEmpty ? index : geometry[index].memoryPlane)
        .withUnsafeBytes { $0 }
      // An empty plane has no address; any will do for zero bytes.
      let base = bytes.baseAddress ?? UnsafeRawPointer(planes)
      if geometry.isEmpty {
        isShort = isShort || bytes.isEmpty
        planes[index] = FramePlane(base: base, rows: 1, rowBytes: bytes.count, stride: bytes.count)
      } else if geometry[index].end <= bytes.count {
        let plane = geometry[index]
        planes[index] = FramePlane(
          base: base + plane.offset, rows: plane.rows, rowBytes: plane.rowBytes, stride: plane.stride)
      } else {
        isShort = true
        planes[index] = FramePlane(base: base, rows: 0, rowBytes: 0, stride: 0)
      }
    }
    return Frame(
      sequence: buffer.sequence, timestampNanoseconds: buffer.timestampNanoseconds,
      // No system call: the C library reads this clock from memory that the kernel shares.
      receivedNanoseconds: MonotonicClock.now.nanoseconds,
      isCorrupt: isShort || buffer.flags.contains(.error),
      planes: UnsafeBufferPointer(start: planes, count: count))
  }
}
