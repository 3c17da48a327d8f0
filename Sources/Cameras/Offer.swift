import Timebase
import V4L2

/// All that a table offers of one format at one size: its rows of that kind taken together.
struct Offer {
  let fourcc: String
  let width: UInt32
  let height: UInt32
  let isBinned: Bool
  let isLimited: Bool
  let order: Int
  private var row: ModeRow

  /// The listed intervals, and the fastest of each range.
  var intervals: [FrameInterval] { row.intervals + [row.stepwise, row.continuous].compactMap { $0?.min } }

  /// The slowest and the fastest of a range; `nil` where there is none.
  var rateRange: ClosedRange<FrameRate>? {
    guard let range = row.continuous ?? row.stepwise, let fastest = range.min.rate,
      let slowest = range.max.rate, slowest <= fastest
    else { return nil }
    return slowest...fastest
  }

  /// MJPEG is the lightest to sustain; interframe codecs are not made for slow motion.
  var family: PixelFormat.Family { PixelFormat(fourcc: fourcc)?.family ?? .raw }

  /// The table's rows, each format and size once, in the driver's order; empty sizes and codes are left out.
  static func merging(_ rows: [ModeRow]) -> [Offer] {
    struct Key: Hashable {
      var fourcc: String
      var width: UInt32
      var height: UInt32
      var isBinned: Bool
      var isLimited: Bool
    }
    var places: [Key: Int] = [:]
    var offers: [Offer] = []
    for row in rows {
      // A range of sizes counts with its largest.
      let (width, height) =
        switch row.size {
        case .discrete(let width, let height): (width, height)
        case .stepwise(_, let max, _), .continuous(_, let max): (max.width, max.height)
        }
      guard width > 0, height > 0, row.fourcc.contains(where: { $0 != " " && $0 != "\0" }) else { continue }
      let key = Key(
        fourcc: row.fourcc, width: width, height: height, isBinned: row.readout.isBinned ?? false,
        isLimited: row.range == "limited")
      if let place = places[key] {
        offers[place].row.intervals += row.intervals
        offers[place].row.measured += row.measured
        offers[place].row.stepwise = row.stepwise ?? offers[place].row.stepwise
        offers[place].row.continuous = row.continuous ?? offers[place].row.continuous
      } else {
        places[key] = offers.count
        offers.append(
          Offer(
            fourcc: key.fourcc, width: width, height: height, isBinned: key.isBinned,
            isLimited: key.isLimited, order: offers.count, row: row))
      }
    }
    return offers
  }

  /// The interval with the rate nearest that of `request` of those not below `floor`; `nil` where there is none.
  func candidate(for request: ModeChoice.Request, atLeast floor: Fraction) -> Candidate? {
    let rate = request.rate
    var choices = row.intervals
    for range in [row.stepwise, row.continuous] {
      guard let range, let fastest = range.min.rate, let slowest = range.max.rate else { continue }
      if fastest >= rate, slowest <= rate, let exact = FrameInterval(rate) { choices.append(exact) }
      choices += [range.min, range.max]
    }
    var best: (interval: FrameInterval, rate: FrameRate)?
    for interval in choices {
      guard let claimed = interval.rate else { continue }
      // What was measured counts for more than the driver's claim.
      let given = row.measured(of: claimed) ?? claimed
      guard given.framesPerSecond >= floor else { continue }
      if let best, distance(best.rate, rate) <= distance(given, rate) { continue }
      best = (interval, given)
    }
    guard let best else { return nil }
    return Candidate(
      mode: mode(at: best.interval), rate: best.rate, distance: distance(best.rate, rate),
      preference: request.preference == .unbinned ? row.readout.binnedness : 0,
      isBinned: isBinned, isLimited: isLimited, family: family, order: order)
  }

  /// The mode with `interval`, and all that is known of it.
  func mode(at interval: FrameInterval) -> Mode {
    var mode = Mode(
      fourcc: fourcc, width: width, height: height, interval: interval, readout: row.readout, range: row.range
    )
    mode.measuredFramesPerSecond = interval.rate.flatMap { row.measured(of: $0) }?.framesPerSecond.doubleValue
    return mode
  }

  private func distance(_ left: FrameRate, _ right: FrameRate) -> Fraction {
    (left.framesPerSecond - right.framesPerSecond).magnitude
  }
}

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

extension Readout {
  /// Known to be unbinned, not known, known to be binned.
  fileprivate var binnedness: Int {
    switch isBinned {
    case false: 0
    case nil: 1
    case true: 2
    }
  }
}

extension PixelFormat.Family {
  var weight: Int {
    switch self {
    case .jpeg: 0
    case .raw: 1
    case .interframe: 2
    }
  }
}
