public import CameraModel
import Capture
import Takes
import Timebase

/// What a mode asks of bus, disk and memory.
public struct ModeLoad: Hashable, Sendable {
  /// The mode.
  public let mode: Mode
  /// Bytes a second, of an uncompressed mode; `nil` where frames are compressed or of unknown size.
  public let bytesPerSecond: Int64?
  /// What it stays below in any case; `nil` where nothing bounds it.
  public let mostBytesPerSecond: Int64?
  /// Bytes in the ring that a recording would make.
  public let ringBytes: Int64

  /// What `mode` asks.
  public init(_ mode: Mode) {
    self.mode = mode
    let (width, height) = (Int(mode.width), Int(mode.height))
    let format = mode.pixelFormat.flatMap(MasterFormat.init)
    let frame = format?.codec.byteCount(width: width, height: height)
    func perSecond(_ bytes: Int) -> Int64? { mode.rate?.framesPerSecond.scaling(Int64(bytes)) }
    bytesPerSecond = frame.flatMap(perSecond)
    // A JPEG that is larger than the 4:2:2 picture it was made of would be no compression.
    let frames = FrameFormat(
      mode.pixelFormat ?? .mjpeg, width: width, height: height, acceptedInterval: mode.interval)
    let uncompressed = frames.pixelCount.multiplied(clamping: 2)
    mostBytesPerSecond = bytesPerSecond ?? (format?.codec == .mjpeg ? perSecond(uncompressed) : nil)
    let largest = frame ?? 0
    let ring = RingSize.usual(for: frames, largestFrame: largest)
    ringBytes = Int64(ring.byteCount(for: frames, largestFrame: largest))
  }
}
