public import Timebase

/// A mode that is wished for: how large, how fast, and perhaps in which format.
public struct ModeWish: Hashable, Sendable, CustomStringConvertible {
  /// How large.
  public var quality: Quality
  /// How fast.
  public var rate: FrameRate
  /// In which format; `nil` for the one that the rule of ``ModeChoice`` takes.
  public var format: FormatFilter?

  /// The mode of this size and rate that the rule takes.
  public init(_ quality: Quality, at rate: FrameRate, format: FormatFilter? = nil) {
    self.quality = quality
    self.rate = rate
    self.format = format
  }

  /// Reads `640x480@240`, `720p@120` or `high@240`, and with a format behind it `640x480@240 YUYV`.
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

  /// What reads as this wish.
  public var description: String {
    "\(quality)@\(rate.exactDescription)" + (format.map { " \($0.text)" } ?? "")
  }

  /// What the rule takes for it of `table`.
  ///
  /// - Parameters:
  ///   - table: what the camera offers.
  ///   - criteria: what else is asked of the mode; the wish's own size and format win.
  public func choice(from table: CameraTable, _ criteria: ModeChoice.Criteria) -> ModeChoice {
    var criteria = criteria
    criteria.maxWidth = nil
    criteria.quality = quality
    if let format { criteria.format = format }
    return ModeChoice(from: table, for: ModeChoice.Request(rate: rate, criteria))
  }
}
