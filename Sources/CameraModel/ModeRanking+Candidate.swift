import Timebase

extension ModeRanking {
  /// A mode in the ranking; less is better.
  struct Candidate: Comparable {
    let mode: Mode
    let rate: FrameRate
    let distance: Fraction
    /// The rank by the preference; the same for all without a preference.
    let preference: Int
    let isBinned: Bool
    let isLimited: Bool
    let family: PixelFormat.Family
    let order: Int

    static func < (left: Candidate, right: Candidate) -> Bool {
      left.firstDifference(from: right)?.isBetter ?? false
    }

    /// Returns the disadvantage against `winner`, in words that follow "is".
    func whatItLost(to winner: Candidate, at asked: FrameRate) -> String {
      switch firstDifference(from: winner)?.kind {
      case .preference: isBinned ? "binned" : "not known to be unbinned"
      case .width: "narrower"
      case .height: "less tall"
      case .rate: "further from \(asked) fps"
      case .binning: "binned"
      case .range: "of limited range"
      case .family: "heavier to sustain as \(mode.fourcc)"
      case .order: "later in the driver's list"
      case nil: "the same"
      }
    }

    /// Returns the advantage over `second`, in words that "than" follows.
    func whatItHas(over second: Candidate, at asked: FrameRate) -> String {
      switch firstDifference(from: second)?.kind {
      case .preference: "known to be less binned"
      case .width: "wider"
      case .height: "taller"
      case .rate: "closer to \(asked) fps"
      case .binning: "less binned"
      case .range: "of a fuller range"
      case .family: "lighter to sustain"
      case .order: "earlier in the driver's list"
      case nil: "no other"
      }
    }

    private enum Difference { case preference, width, height, rate, binning, range, family, order }

    private func firstDifference(from other: Candidate) -> (isBetter: Bool, kind: Difference)? {
      if preference != other.preference { return (preference < other.preference, .preference) }
      if mode.width != other.mode.width { return (mode.width > other.mode.width, .width) }
      if mode.height != other.mode.height { return (mode.height > other.mode.height, .height) }
      if distance != other.distance { return (distance < other.distance, .rate) }
      if isBinned != other.isBinned { return (!isBinned, .binning) }
      if isLimited != other.isLimited { return (!isLimited, .range) }
      if family != other.family { return (family.weight < other.family.weight, .family) }
      return order == other.order ? nil : (order < other.order, .order)
    }
  }
}

extension PixelFormat.Family {
  /// The load of sustaining it, the lightest first; interframe codecs are not made for slow motion.
  package var weight: Int {
    switch self {
    case .jpeg: 0
    case .raw: 1
    case .compressed: 2
    case .interframe: 3
    }
  }
}
