public import CameraModel
public import Cameras
import Media
public import Platform
import SystemPackage
import Takes

/// One frame of a camera as a JPEG.
public struct Still: Hashable, Sendable {
  /// The JPEG.
  public let jpeg: [UInt8]
  /// Whether it is what the camera sent, but for Huffman tables that it had left out.
  public let isUntouched: Bool
  /// The camera's number of the frame.
  public let sequence: UInt32
  /// When it was captured, on the camera's clock.
  public let timestampNanoseconds: Int64
  /// What the camera had agreed to.
  public let configuration: StreamConfiguration

  /// Writes it to `path`, whole or not at all.
  ///
  /// - Throws: ``MediaError`` where the name is taken or the disk gives out.
  public func write(to path: String, replacing: Bool) throws(FileError) {
    var file = try OutputFile(FilePath(path), replacing: replacing)
    try jpeg.withUnsafeBufferPointer { (bytes) throws(FileError) in
      try file.write(UnsafeRawBufferPointer(bytes))
    }
    try file.commit()
  }
}

extension Still {
  /// How long no frame may come, in milliseconds.
  private static let silenceLimit: Int32 = 10_000

  /// Takes the frame after `skipped` sound ones, in which the camera finds its exposure; `nil` where it was stopped.
  ///
  /// The camera is put back as it was found.
  ///
  /// - Parameter changes: what is set on the camera for it.
  /// - Throws: ``CaptureError``.
  public static func take(
    with camera: CaptureDevice, in mode: Mode, skipping skipped: Int, making changes: [ControlChange] = [],
    stop: StopFlag = StopFlag()
  ) throws(CaptureError) -> Still? {
    do throws(CameraError) {
      switch camera {
      case .camera(let camera):
        return try take(from: try camera.start(mode, making: changes), skipping: skipped, stop: stop)
      case .simulated(let camera, _):
        return try take(from: try camera.start(mode), skipping: skipped, stop: stop)
      }
    } catch {
      throw .camera(error)
    }
  }

  private static func take<Stream: CameraStream & ~Copyable>(
    from stream: consuming Stream, skipping skipped: Int, stop: StopFlag
  ) throws(CameraError) -> Still? {
    let configuration = stream.configuration
    guard let codec = MasterFormat(configuration.frameFormat.pixelFormat)?.codec else {
      throw CameraError(
        .noMode,
        "Frames in \(configuration.frameFormat.pixelFormat) cannot be made a JPEG yet; choose another with --format."
      )
    }
    var frame = SoundFrame(isJPEG: configuration.frameFormat.pixelFormat.family == .jpeg)
    try stream.begin()
    var (remaining, silence, wait) = (skipped, Int32(0), Int32(100))
    while !stop.isSet {
      switch try stream.next(within: wait, { frame.copy($0) }) {
      case .frame where frame.isSound:
        if remaining == 0 {
          try stream.stop()
          return try Still(frame, codec, configuration)
        }
        remaining -= 1
        silence = 0
      case .frame, .overwritten: silence = 0
      case .nothing:
        silence += wait
        guard silence < silenceLimit else {
          throw CameraError(.failed, CaptureError.silence(milliseconds: silenceLimit).description)
        }
      case .ended: throw CameraError(.failed, "The camera's stream ended before the still was taken.")
      }
    }
    return nil
  }

  private init(
    _ frame: SoundFrame, _ codec: VideoCodec, _ configuration: StreamConfiguration
  ) throws(CameraError) {
    sequence = frame.sequence
    timestampNanoseconds = frame.timestampNanoseconds
    self.configuration = configuration
    do throws(MediaError) {
      if codec.layout != nil {
        isUntouched = false
        jpeg = try StillEncoder.jpeg(
          of: frame.bytes.span, codec: codec, width: configuration.frameFormat.width,
          height: configuration.frameFormat.height,
          color: ColorDescription(configuration.frameFormat.colorimetry, of: codec))
      } else {
        isUntouched = true
        jpeg = try JPEGHuffmanTables.added(to: frame.bytes)
      }
    } catch {
      throw CameraError(.failed, error.description)
    }
  }
}

/// The frame that came last, if it was sound.
private struct SoundFrame {
  let isJPEG: Bool
  private(set) var isSound = false
  private(set) var bytes: [UInt8] = []
  private(set) var sequence: UInt32 = 0
  private(set) var timestampNanoseconds: Int64 = 0

  init(isJPEG: Bool) { self.isJPEG = isJPEG }

  mutating func copy(_ frame: borrowing Frame) {
    isSound = false
    guard !frame.isCorrupt, frame.byteCount > 0 else { return }
    if isJPEG, let bytes = frame.contiguousBytes, !JPEGEnds.areWhole(bytes) { return }
    (sequence, timestampNanoseconds) = (frame.sequence, frame.timestampNanoseconds)
    let count = frame.byteCount
    bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      if let base = buffer.baseAddress { frame.copyBytes(to: UnsafeMutableRawPointer(base)) }
      filled = count
    }
    isSound = true
  }
}
