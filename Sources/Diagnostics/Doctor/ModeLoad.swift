public import CameraModel
import Capture
import Takes
import Timebase

/// A mode's load on the bus, the disk and the memory.
public struct ModeLoad: Hashable, Sendable {
  /// The mode.
  public let mode: Mode
  /// The data rate of an uncompressed mode in bytes per second; `nil` if frames are compressed or of unknown
  /// size.
  public let bytesPerSecond: Int64?
  /// The highest possible data rate in bytes per second; `nil` if unbounded.
  public let mostBytesPerSecond: Int64?
  /// The size of a recording's ring in bytes.
  public let ringBytes: Int64

  /// Creates the load of `mode`.
  public init(_ mode: Mode) {
    self.mode = mode
    let (width, height) = (Int(mode.width), Int(mode.height))
    let format = mode.pixelFormat.flatMap(MasterFormat.init)
    let frame = format?.codec.byteCount(width: width, height: height)
    func perSecond(_ bytes: Int) -> Int64? { mode.rate?.framesPerSecond.scaling(Int64(bytes)) }
    bytesPerSecond = frame.flatMap(perSecond)
    // A JPEG larger than its 4:2:2 picture would defeat compression.
    let frames = FrameFormat(
      mode.pixelFormat ?? .mjpeg, width: width, height: height, acceptedInterval: mode.interval)
    let uncompressed = frames.pixelCount.multiplied(clamping: 2)
    mostBytesPerSecond = bytesPerSecond ?? (format?.codec == .mjpeg ? perSecond(uncompressed) : nil)
    let largest = frame ?? 0
    let ring = RingSize.usual(for: frames, largestFrame: largest)
    ringBytes = Int64(ring.byteCount(for: frames, largestFrame: largest))
  }
}
