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
  /// The modes of `table` to take: the best choice first, those after it should the driver not give it.
  public static func choices(
    from table: CameraTable, for rate: AskedRate?, _ criteria: Criteria
  ) -> [ModeChoice] {
    switch rate {
    case .rate(let rate): [ModeChoice(from: table, for: Request(rate: rate, criteria))]
    case .highest: [ModeChoice(fastestFrom: table, criteria)]
    case nil: preferences(from: table, criteria)
    }
  }
}
