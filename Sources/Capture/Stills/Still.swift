public import CameraModel
public import Cameras
public import Media
public import Platform
public import SystemPackage
public import Timebase

/// A frame of a camera as a picture file.
public struct Still: Hashable, Sendable {
  /// The file's bytes.
  public let bytes: [UInt8]
  /// The file's format.
  public let format: StillFormat
  /// Whether the picture is as the camera sent it, apart from added Huffman tables and tags.
  public let isUntouched: Bool
  /// The camera's sequence number of the frame.
  public let sequence: UInt32
  /// The capture time, on the camera's clock.
  public let timestamp: Instant
  /// The configuration that the camera accepted.
  public let configuration: StreamConfiguration
  /// The rotation of the picture, which may swap the frame's sides.
  public let turn: PictureTurn

  /// The picture's width and height in pixels, after the turn.
  public var size: (width: Int, height: Int) { Self.size(of: configuration.frameFormat, turned: turn) }

  /// Writes the file to `path`, completely or not at all.
  ///
  /// - Throws: `OvercrankError` if the name is taken or the disk fails.
  public func write(to path: FilePath, replacing: Bool) throws(OvercrankError) {
    var file = try OutputFile(path, replacing: replacing)
    try file.write(bytes)
    try file.commit()
  }
}

extension Still {
  /// The permitted number of skipped frames before a still; the slowest camera has adjusted its exposure by
  /// then.
  public static let skippableFrames = 0...10_000
  /// The default number of skipped frames.
  public static let usualSkip = 5

  /// Creates a still from `frame`.
  ///
  /// - Parameters:
  ///   - frame: A frame of a session, such as that of ``SessionEvent/Kind/photo(_:_:inProgress:)``.
  ///   - format: The file's format.
  ///   - quality: The quality from 1 to 100; `nil` keeps a camera's JPEG unchanged, and uses a high quality
  ///     otherwise.
  ///   - turn: The rotation of the picture.
  ///   - tags: The tags about the capture; `nil` for none.
  /// - Throws: `OvercrankError` with `badData` if the frame is damaged, and with `unsupported` if it cannot
  ///   be converted to such a picture.
  public init(
    _ frame: CapturedFrame, as format: StillFormat = .jpeg, quality: Int? = nil,
    turned turn: PictureTurn = .none,
    tags: PhotoTags? = nil
  ) throws(OvercrankError) {
    let frameFormat = frame.configuration.frameFormat
    guard let codec = frameFormat.pixelFormat.codec else {
      throw OvercrankError(
        .unsupported, "frames in \(frameFormat.pixelFormat) cannot be converted to a picture yet.")
    }
    let orientation = Orientation(turn)
    let size = Self.size(of: frameFormat, turned: turn)
    let thumbnail: [UInt8]?
    var file: [UInt8]
    if format == .jpeg, codec == .mjpeg, quality == nil {
      isUntouched = turn == .none
      file = try JPEGTurner.turn(try JPEGHuffmanTables.added(to: frame.bytes), by: orientation)
      thumbnail = try tags.map { _ throws(OvercrankError) in try StillEncoder.thumbnail(ofJPEG: file) }
    } else if format == .jpeg, codec != .mjpeg {
      isUntouched = false
      let upright = try StillEncoder.jpeg(
        of: frame.bytes.span, codec: codec, width: frameFormat.width, height: frameFormat.height,
        color: ColorDescription(frameFormat.colorimetry, of: codec),
        quality: quality ?? StillEncoder.usualQuality)
      file = try JPEGTurner.turn(upright, by: orientation)
      thumbnail = try tags.map { _ throws(OvercrankError) in try StillEncoder.thumbnail(ofJPEG: file) }
    } else {
      isUntouched = false
      var turner = PictureTurner(orientation)
      let picture = try turner.turn(
        try StillEncoder.picture(
          of: frame.bytes.span, codec: codec, width: frameFormat.width, height: frameFormat.height,
          color: ColorDescription(frameFormat.colorimetry, of: codec), for: format))
      file = try picture.encoded(as: format, quality: quality ?? StillEncoder.usualQuality)
      thumbnail = try tags.map { _ throws(OvercrankError) in try StillEncoder.thumbnail(of: picture) }
    }
    if let tags {
      file = format.adding(tags, to: file, width: size.width, height: size.height, thumbnail: thumbnail)
    }
    bytes = file
    self.format = format
    self.turn = turn
    sequence = frame.sequence
    timestamp = frame.timestamp
    configuration = frame.configuration
  }

  private static func size(of frame: FrameFormat, turned turn: PictureTurn) -> (width: Int, height: Int) {
    Orientation(turn).turned(width: frame.width, height: frame.height)
  }

  /// Rejects a mode whose frames cannot be converted to pictures.
  ///
  /// - Throws: ``CaptureError``.
  package static func checkFormat(of mode: Mode) throws(CaptureError) {
    guard mode.pixelFormat?.codec != nil else {
      throw .camera(
        OvercrankError(
          .noMode, "Frames in \(mode.fourcc) cannot be converted to a picture yet; choose another format."))
    }
  }
}
