public import CameraModel
public import Timebase

/// The rate that a recording is asked for.
public enum AskedRate: Hashable, Sendable {
  /// This many frames per second.
  case rate(FrameRate)
  /// Whatever is the most.
  case highest

  /// Reads `max`, or a rate such as `240`, `119.88` or `120000/1001`.
  public init(text: String) throws(QuantityError) {
    self = text == "max" ? .highest : .rate(try FrameRate(text: text))
  }
}

extension ModeChoice {
  /// All that may be taken of `table`, in the order in which it is wished for: at each rate one quality after the other.
  /// Some may have no mode: see ``ModeChoice/possible(_:)``.
  ///
  /// - Parameter quality: the sizes that are wished for, the most wanted first; empty for `criteria` alone.
  public static func choices(
    from table: CameraTable, for rate: AskedRate?, _ criteria: Criteria, quality: [Quality] = []
  ) -> [ModeChoice] {
    switch rate {
    case .rate(let rate): choices(from: table, at: rate, criteria, quality: quality)
    case .highest: fastest(from: table, criteria, quality: quality)
    case nil: preferences(from: table, criteria, quality: quality)
    }
  }
}
