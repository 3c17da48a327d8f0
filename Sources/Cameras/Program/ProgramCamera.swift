public import CameraModel
import Media
public import Timebase

/// A program whose output is frames, as a camera: `exec:1280x720@240:rpicam-vid ... -o -`.
///
/// Use it for cameras without a usable video node, such as those that libcamera drives. The user states the size,
/// the rate and the format, which a driver would report.
public struct ProgramCamera: Hashable, Sendable {
  /// The name that it was given by, with its prefix.
  public let name: String
  /// The shell's command that starts the program.
  public let command: String
  /// The mode of the frames that it writes, as stated.
  public let mode: Mode

  /// The prefix of every such name.
  package static let prefix = "exec:"
  /// The largest width and height.
  private static let longestSide: UInt32 = 16_384
  /// The largest frame in bytes.
  private static let mostBytes = 1 << 28

  /// Reads `exec:1280x720@240:COMMAND`, or with a format `exec:1280x720@240 YUYV:COMMAND`; without one, it is MJPG.
  ///
  /// - Throws: `QuantityError` if `name` is not of this form.
  public init(name: String) throws(QuantityError) {
    let parts = name.dropFirst(Self.prefix.count).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard name.hasPrefix(Self.prefix), parts.count == 2, !parts[1].allSatisfy(\.isWhitespace),
      !name.utf8.contains(0)
    else { throw QuantityError(name, expected: Self.form) }
    let request = try ModeRequest(text: String(parts[0]))
    guard case .size(let size) = request.quality, max(size.width, size.height) <= Self.longestSide else {
      throw QuantityError(String(parts[0]), expected: "a mode of \(Self.form)")
    }
    let format = try Self.format(request.format)
    guard let interval = FrameInterval(request.rate) else {
      throw QuantityError(String(parts[0]), expected: "a rate of \(Self.form)")
    }
    self.name = name
    command = String(parts[1])
    mode = Mode(
      fourcc: format.description, width: size.width, height: size.height, interval: interval)
    guard largestFrame <= Self.mostBytes else {
      throw QuantityError(String(parts[0]), expected: "frames of at most \(Self.mostBytes >> 20) MiB")
    }
  }

  private static let form =
    "a size, a rate and a command, as in exec:1280x720@240:'rpicam-vid ... -o -', or exec:'640x480@60 YUYV:...'"

  private static func format(_ filter: FormatFilter?) throws(QuantityError) -> PixelFormat {
    guard let filter, filter != .mjpeg else { return .mjpeg }
    guard case .only(let format) = filter, format.codec != nil, format.family != .compressed else {
      throw QuantityError(
        filter.text, expected: "MJPG, or the four characters of a raw format, such as YUYV or NV12")
    }
    return format
  }

  /// The format of its frames.
  var format: PixelFormat { mode.pixelFormat ?? .mjpeg }

  /// The size in bytes of a raw frame; `nil` for JPEGs.
  var rawFrame: Int? {
    format.family == .jpeg ? nil : format.codec?.byteCount(width: Int(mode.width), height: Int(mode.height))
  }

  /// The maximum size of a frame, in bytes: JPEGs are smaller than two bytes a pixel, but for tiny ones.
  var largestFrame: Int { rawFrame ?? 2 * Int(mode.width) * Int(mode.height) + 1 << 16 }
}

extension ProgramCamera {
  /// The table of its single mode.
  public var table: CameraTable {
    CameraTable(
      card: String(command.prefix { !$0.isWhitespace }), driver: "exec", bus: "exec", isMultiplanar: false,
      rows: [
        ModeRow(
          fourcc: mode.fourcc, size: .discrete(width: mode.width, height: mode.height),
          intervals: [mode.interval])
      ])
  }

  /// The mode that it sends, whichever is requested.
  package var acceptance: AcceptedMode {
    AcceptedMode(fourcc: mode.fourcc, width: mode.width, height: mode.height, interval: mode.interval)
  }

  /// Returns a stream that starts the program when it begins.
  package func start() -> ProgramStream { ProgramStream(self) }
}
