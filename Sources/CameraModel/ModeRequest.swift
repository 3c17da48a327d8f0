public import Timebase

/// A requested mode: a size, a rate, and perhaps a format.
public struct ModeRequest: Hashable, Sendable, CustomStringConvertible {
  /// The requested size.
  public var quality: Quality
  /// The requested rate.
  public var rate: FrameRate
  /// The requested format; `nil` for the one that ``ModeChoice`` takes.
  public var format: FormatFilter?

  /// Creates a request for the mode of this size and rate that ``ModeChoice`` takes.
  public init(_ quality: Quality, at rate: FrameRate, format: FormatFilter? = nil) {
    self.quality = quality
    self.rate = rate
    self.format = format
  }

  /// Reads `640x480@240`, `720p@120` or `high@240`, or with a format `640x480@240 YUYV`.
  ///
  /// Each part reads as it does elsewhere: see ``Quality/init(text:)``, `FrameRate` and
  /// ``FormatFilter/init(text:)``.
  public init(text: String) throws(QuantityError) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw QuantityError(
        text, expected: "a mode: its size, @ and its rate, such as 640x480@240, 720p@120 or 640x480@240 YUYV")
    }
    let words = parts[1].split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    quality = try Quality(text: String(parts[0]))
    rate = try FrameRate(text: words.first.map(String.init) ?? "")
    format = words.count == 2 ? try FormatFilter(text: String(words[1])) : nil
  }

  /// The text from which this request can be read.
  public var description: String {
    "\(quality)@\(rate.exactDescription)" + (format.map { " \($0.text)" } ?? "")
  }

  /// Returns the choice from `table` for this request.
  ///
  /// - Parameters:
  ///   - table: the camera's modes.
  ///   - criteria: further criteria; the request's own size and format override them.
  public func choice(from table: CameraTable, _ criteria: ModeChoice.Criteria) -> ModeChoice {
    var criteria = criteria
    criteria.maxWidth = nil
    criteria.quality = quality
    if let format { criteria.format = format }
    return ModeChoice(from: table, for: ModeChoice.Request(rate: rate, criteria))
  }
}
