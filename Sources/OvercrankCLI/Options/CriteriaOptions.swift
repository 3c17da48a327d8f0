public import ArgumentParser
import Overcrank

/// The criteria for a mode besides its rate.
struct CriteriaOptions: ParsableArguments {
  @Option(
    name: .customLong("max-width"), parsing: .unconditional,
    help: ArgumentHelp("The largest frame width, in pixels.", valueName: "pixels", visibility: .rare),
    transform: { try Self.width($0) })
  var maxWidth: UInt32?

  @Option(
    help: ArgumentHelp(
      "The picture's size: high, medium, low, a number of rows (720p), a size (640x480), or a list of these.",
      discussion: """
        high is the widest, medium at most 1280 wide, low at most 640. From a list such as 2160p,1080p,high, \
        the first that the camera has at the rate is used.
        """.rare,
      valueName: "list"),
    completion: .list(["high", "medium", "low", "2160p", "1440p", "1080p", "720p", "480p"]),
    transform: { try Quality.list(text: $0) })
  var quality: [Quality]?

  @Option(
    help: ArgumentHelp(
      "Use only this kind of format: mjpeg, raw, h264, hevc, or a four-character code.", visibility: .rare),
    completion: .pixelFormat,
    transform: { try FormatFilter(text: $0) })
  var format: FormatFilter?

  @Option(
    help: ArgumentHelp(
      "What to prefer over width: unbinned, for modes that read every pixel of the sensor.",
      valueName: "what", visibility: .rare))
  var prefer: ModeChoice.Preference?

  /// The criteria for the camera's modes.
  var criteria: ModeChoice.Criteria { .init(maxWidth: maxWidth, format: format, preference: prefer) }

  /// Reads `1280` or `1280px`.
  private static func width(_ text: String) throws -> UInt32 {
    let number = text.lowercased().hasSuffix("px") ? String(text.dropLast(2)) : text
    if let width = UInt32(number), width > 0 { return width }
    if let width = usualWidths[text.lowercased()] {
      throw QuantityError(text, expected: "a width in pixels: such pictures are \(width) wide")
    }
    throw QuantityError(text, expected: "a width in pixels, such as 1280")
  }

  /// The widths of pictures that are commonly named by their height.
  private static let usualWidths = [
    "360p": 640, "480p": 640, "720p": 1280, "1080p": 1920, "1440p": 2560, "2160p": 3840, "hd": 1280,
    "fullhd": 1920, "fhd": 1920, "4k": 3840, "uhd": 3840, "8k": 7680,
  ]
}

extension ModeChoice.Preference: ExpressibleByArgument {}
