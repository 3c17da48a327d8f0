public import CameraModel
public import Timebase

/// A requested rate.
public enum RequestedRate: Hashable, Sendable {
  /// This many frames per second.
  case rate(FrameRate)
  /// The highest rate available.
  case highest

  /// Parses `max`, or a rate such as `240`, `119.88` or `120000/1001`.
  public init(text: String) throws(QuantityError) {
    self = text == "max" ? .highest : .rate(try FrameRate(text: text))
  }
}

extension ModeChoice {
  /// Returns all choices from `table`, in order of preference: at each rate one quality after the other. Some
  /// may have no mode: see ``ModeChoice/possible(_:)``.
  ///
  /// - Parameter quality: the preferred sizes, most wanted first; empty for `criteria` alone.
  public static func choices(
    from table: CameraTable, for rate: RequestedRate?, _ criteria: Criteria, quality: [Quality] = []
  ) -> [ModeChoice] {
    switch rate {
    case .rate(let rate): choices(from: table, at: rate, criteria, quality: quality)
    case .highest: fastest(from: table, criteria, quality: quality)
    case nil: preferences(from: table, criteria, quality: quality)
    }
  }
}
