import Cameras
import Media
import SystemPackage

/// The master: frames as they were captured, each with its time.
struct MasterWriter: ~Copyable {
  private var muxer: Muxer
  private let intervalMicroseconds: Int64
  private var firstTimestamp: Int64?
  private var lastTick: Int64 = -1
  private(set) var bytesWritten: Int64 = 0

  /// Microseconds: what V4L2 gives, and ten times finer than half a frame at 50,000 fps.
  private static let ticksPerSecond: Int32 = 1_000_000

  init(
    to path: String, as format: MasterFormat, configuration: StreamConfiguration, replacing: Bool
  ) throws(CaptureError) {
    do throws(MediaError) {
      muxer = try Muxer(
        to: try OutputFile(FilePath(path), replacing: replacing), container: format.container,
        video: VideoTrack(
          codec: format.codec, width: configuration.width, height: configuration.height,
          color: ColorDescription(configuration.colorimetry, of: format.codec)),
        timescale: Self.ticksPerSecond, metadata: ["comment": "Overcrank, master"])
    } catch {
      throw .master(error)
    }
    intervalMicroseconds = max(1, (configuration.nominalIntervalNanoseconds ?? 33_333_333) / 1000)
  }

  /// Writes a frame as it is.
  mutating func write(
    _ frame: UnsafeRawBufferPointer, timestampNanoseconds: Int64
  ) throws(MediaError) {
    let start = firstTimestamp ?? timestampNanoseconds
    firstTimestamp = start
    // A container wants time that moves on; the take has the driver's time as it was.
    let tick = max((timestampNanoseconds &- start) / 1000, lastTick + 1)
    try muxer.write(frame, timestamp: tick, duration: intervalMicroseconds, isKeyframe: true)
    lastTick = tick
    bytesWritten += Int64(frame.count)
  }

  /// Writes the index and gives the file its name.
  consuming func finish() throws(MediaError) {
    try muxer.finish()
  }
}
