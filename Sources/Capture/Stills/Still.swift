public import CameraModel
public import Cameras
import Media
public import Platform
import Synchronization
public import SystemPackage
import Takes
public import Timebase

/// One frame of a camera as a JPEG.
public struct Still: Hashable, Sendable {
  /// The JPEG.
  public let jpeg: [UInt8]
  /// Whether it is what the camera sent, but for Huffman tables that it had left out.
  public let isUntouched: Bool
  /// The camera's number of the frame.
  public let sequence: UInt32
  /// When it was captured, on the camera's clock.
  public let timestamp: Instant
  /// What the camera had agreed to.
  public let configuration: StreamConfiguration
  /// How it is turned; the sides are those of the frame then, or the other way round.
  public let turn: PictureTurn

  /// Pixels across and down.
  public var size: (width: Int, height: Int) {
    let frame = configuration.frameFormat
    return Orientation(turn).turned(width: frame.width, height: frame.height)
  }

  /// Writes it to `path`, whole or not at all.
  ///
  /// - Throws: `MediaError` where the name is taken or the disk gives out.
  public func write(to path: FilePath, replacing: Bool) throws(FileError) {
    var file = try OutputFile(path, replacing: replacing)
    try file.write(jpeg)
    try file.commit()
  }
}

extension Still {
  /// How many frames may pass before a still: the slowest camera has found its exposure by then.
  public static let skippableFrames = 0...10_000

  /// Takes the frame after `skipped` whole ones, in which the camera finds its exposure; `nil` where
  /// it was stopped before.
  ///
  /// Blocks the calling thread. The camera is put back as it was found.
  ///
  /// - Parameters:
  ///   - camera: the camera.
  ///   - mode: the mode that the still is taken in.
  ///   - skipped: how many whole frames pass first; one of ``skippableFrames``, else the nearest.
  ///   - changes: what is set on the camera for it.
  ///   - turn: how it is turned.
  ///   - stop: a stop sent here ends the wait.
  /// - Throws: ``CaptureError``.
  public static func take(
    with camera: CaptureDevice, in mode: Mode, skipping skipped: Int, making changes: [ControlChange] = [],
    turned turn: PictureTurn = .none, stop: SessionCommands = SessionCommands()
  ) throws(CaptureError) -> Still? {
    let skipped = min(max(skipped, skippableFrames.lowerBound), skippableFrames.upperBound)
    guard let format = mode.pixelFormat, let codec = MasterFormat(format)?.codec else {
      throw .camera(
        CameraError(.noMode, "Frames in \(mode.fourcc) cannot be made a JPEG yet; choose another format."))
    }
    let newest = Mutex<CapturedFrame?>(nil)
    let end = try CaptureSession(
      SessionSetup(
        CaptureSource(camera), SessionConfiguration(mode: mode, controlChanges: changes),
        SessionPlan(limit: RecordingLimit(frames: skipped + 1)),
        makeOutput: { take in
          LastFrame(at: skipped, take.configuration) { frame in newest.withLock { $0 = frame } }
        }),
      commands: stop
    ).run()
    guard let frame = newest.withLock({ $0 }) else {
      if let failure = end.failure, failure != .empty { throw failure }
      return nil
    }
    return try Still(frame, codec, turn)
  }

  /// The still that `frame` is.
  ///
  /// - Throws: ``CaptureError`` where it cannot be made a JPEG.
  init(_ frame: CapturedFrame, _ codec: VideoCodec, _ turn: PictureTurn) throws(CaptureError) {
    self.turn = turn
    sequence = frame.sequence
    timestamp = frame.timestamp
    configuration = frame.configuration
    do throws(MediaError) {
      if codec.layout != nil {
        isUntouched = false
        let upright = try StillEncoder.jpeg(
          of: frame.bytes.span, codec: codec, width: configuration.frameFormat.width,
          height: configuration.frameFormat.height,
          color: ColorDescription(configuration.frameFormat.colorimetry, of: codec))
        jpeg = try JPEGTurner.turn(upright, by: Orientation(turn))
      } else {
        isUntouched = turn == .none
        jpeg = try JPEGTurner.turn(try JPEGHuffmanTables.added(to: frame.bytes), by: Orientation(turn))
      }
    } catch {
      throw .camera(CameraError(.failed, error.description))
    }
  }
}

/// The output of a still: the frame after so many others.
private final class LastFrame: TakeOutput {
  private(set) var bytesWritten: Int64 = 0
  private var remaining: Int
  private let configuration: StreamConfiguration
  private let keep: (CapturedFrame) -> Void

  init(at skipped: Int, _ configuration: StreamConfiguration, keep: @escaping (CapturedFrame) -> Void) {
    remaining = skipped
    self.configuration = configuration
    self.keep = keep
  }

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) {
    bytesWritten += Int64(frame.count)
    remaining -= 1
    guard remaining == -1 else { return }
    keep(
      CapturedFrame(
        bytes: Array(frame), sequence: sequence, timestamp: Instant(nanoseconds: timestampNanoseconds),
        configuration: configuration))
  }
}
