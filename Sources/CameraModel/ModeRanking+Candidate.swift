import Timebase

extension ModeRanking {
  /// A mode in the running; less is better.
  struct Candidate: Comparable {
    let mode: Mode
    let rate: FrameRate
    let distance: Fraction
    /// The place that what is preferred gives; the same for all where nothing is.
    let preference: Int
    let isBinned: Bool
    let isLimited: Bool
    let family: PixelFormat.Family
    let order: Int

    static func < (left: Candidate, right: Candidate) -> Bool {
      left.firstDifference(from: right)?.isBetter ?? false
    }

    /// What this candidate has less of than `winner`, in words that follow "is".
    func whatItLostBy(to winner: Candidate) -> String {
      firstDifference(from: winner)?.words ?? "the same"
    }

    private func firstDifference(from other: Candidate) -> (isBetter: Bool, words: String)? {
      if preference != other.preference {
        return (preference < other.preference, isBinned ? "binned" : "not known to be unbinned")
      }
      if mode.width != other.mode.width {
        return (mode.width > other.mode.width, "narrower: \(mode.width) pixels")
      }
      if mode.height != other.mode.height {
        return (mode.height > other.mode.height, "less tall: \(mode.height) pixels")
      }
      if distance != other.distance {
        return (distance < other.distance, "farther from the rate asked for: \(rate) fps")
      }
      if isBinned != other.isBinned { return (!isBinned, "binned") }
      if isLimited != other.isLimited { return (!isLimited, "of limited range") }
      if family != other.family {
        return (family.weight < other.family.weight, "heavier to sustain as \(mode.fourcc)")
      }
      return order == other.order ? nil : (order < other.order, "later in the driver's list")
    }
  }
}

extension PixelFormat.Family {
  /// How heavy it is to sustain, the lightest first; interframe codecs are not made for slow motion.
  package var weight: Int {
    switch self {
    case .jpeg: 0
    case .raw: 1
    case .interframe: 2
    }
  }
}
