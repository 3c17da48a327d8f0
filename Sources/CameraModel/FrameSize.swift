/// Frame sizes of a format, in pixels; V4L2's `struct v4l2_frmsizeenum`.
public enum FrameSize: Hashable, Sendable {
  /// One size.
  case discrete(width: UInt32, height: UInt32)
  /// Every size from `min` to `max` by `step`.
  case stepwise(min: Dimensions, max: Dimensions, step: Dimensions)
  /// Every size from `min` to `max`.
  case continuous(min: Dimensions, max: Dimensions)
}

extension FrameSize {
  /// The size itself, or the largest of a range.
  package var largest: Dimensions {
    switch self {
    case .discrete(let width, let height): Dimensions(width: width, height: height)
    case .stepwise(_, let max, _), .continuous(_, let max): max
    }
  }

  /// Whether it is a range of sizes.
  package var isRange: Bool {
    if case .discrete = self { false } else { true }
  }
}
