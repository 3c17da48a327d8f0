import CameraModel

/// A range of frame sizes that a driver reports instead of a list.
struct SizeRange {
  /// The smaller end in each direction; some drivers reverse them.
  let least: Dimensions
  /// The larger end in each direction.
  let most: Dimensions
  private let step: Dimensions

  init(from one: Dimensions, to other: Dimensions, step: Dimensions = Dimensions(width: 1, height: 1)) {
    least = Dimensions(width: min(one.width, other.width), height: min(one.height, other.height))
    most = Dimensions(width: max(one.width, other.width), height: max(one.height, other.height))
    self.step = step
  }

  /// Creates the range of `size`; `nil` for a single size.
  init?(_ size: FrameSize) {
    switch size {
    case .discrete: return nil
    case .stepwise(let min, let max, let step): self.init(from: min, to: max, step: step)
    case .continuous(let min, let max): self.init(from: min, to: max)
    }
  }

  /// Common sizes of cameras, screens and video, widest first.
  private static let commonSizes: [Dimensions] = [
    (4096, 2160), (3840, 2160), (2560, 1440), (1920, 1200), (1920, 1080), (1600, 1200), (1280, 1024),
    (1280, 960), (1280, 800), (1280, 720), (1024, 768), (800, 600), (640, 480), (640, 400), (640, 360),
    (320, 240),
  ].map { Dimensions(width: $0.0, height: $0.1) }

  /// The range's ends, and between them the common sizes that it contains, largest first.
  var samples: [Dimensions] {
    let between = Self.commonSizes.filter { holds($0) && $0 != least && $0 != most }
    let ends = least == most ? [most] : [most] + between + [least]
    return ends.filter { $0.width > 0 && $0.height > 0 }
  }

  private func holds(_ size: Dimensions) -> Bool {
    Self.holds(size.width, least.width, most.width, step.width)
      && Self.holds(size.height, least.height, most.height, step.height)
  }

  private static func holds(_ value: UInt32, _ least: UInt32, _ most: UInt32, _ step: UInt32) -> Bool {
    guard least <= value, value <= most else { return false }
    // With a step of zero, only the two ends are valid.
    return step == 0 ? value == least || value == most : (value - least).isMultiple(of: step)
  }
}
