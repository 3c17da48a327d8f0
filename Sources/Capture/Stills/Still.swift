public import CameraModel
public import Cameras
public import Media
public import Platform
public import SystemPackage
import Takes
public import Timebase

/// One frame of a camera as a picture file.
public struct Still: Hashable, Sendable {
  /// The file's bytes.
  public let bytes: [UInt8]
  /// What kind of file they are.
  public let format: StillFormat
  /// Whether the picture is what the camera sent, but for Huffman tables that it had left out and tags that were added.
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
  public var size: (width: Int, height: Int) { Self.size(of: configuration.frameFormat, turned: turn) }

  /// Writes it to `path`, whole or not at all.
  ///
  /// - Throws: `OvercrankError` where the name is taken or the disk gives out.
  public func write(to path: FilePath, replacing: Bool) throws(OvercrankError) {
    var file = try OutputFile(path, replacing: replacing)
    try file.write(bytes)
    try file.commit()
  }
}

extension Still {
  /// How many frames may pass before a still: the slowest camera has found its exposure by then.
  public static let skippableFrames = 0...10_000
  /// How many pass where nobody says otherwise.
  public static let usualSkip = 5

  /// The still that `frame` is.
  ///
  /// - Parameters:
  ///   - frame: a frame of a session, such as ``SessionEvent/Kind/photo(_:_:inProgress:)`` brings.
  ///   - format: what kind of file it becomes.
  ///   - quality: of a JPEG, from 1 to 100; `nil` leaves a camera's JPEG as it is, and encodes others well.
  ///   - turn: how it is turned.
  ///   - tags: what the file says of how it was taken; `nil` for nothing.
  /// - Throws: `OvercrankError` with `badData` where the frame is damaged, and with `unsupported` where it cannot become
  ///   such a picture.
  public init(
    _ frame: CapturedFrame, as format: StillFormat = .jpeg, quality: Int? = nil,
    turned turn: PictureTurn = .none,
    tags: PhotoTags? = nil
  ) throws(OvercrankError) {
    let frameFormat = frame.configuration.frameFormat
    guard let codec = MasterFormat(frameFormat.pixelFormat)?.codec else {
      throw OvercrankError(.unsupported, "frames in \(frameFormat.pixelFormat) cannot be made a picture yet.")
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

  /// Refuses a mode whose frames cannot become pictures.
  ///
  /// - Throws: ``CaptureError``.
  package static func checkFormat(of mode: Mode) throws(CaptureError) {
    guard mode.pixelFormat.flatMap(MasterFormat.init)?.codec != nil else {
      throw .camera(
        OvercrankError(
          .noMode, "Frames in \(mode.fourcc) cannot be made a picture yet; choose another format."))
    }
  }
}
