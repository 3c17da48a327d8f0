public import Timebase

/// Which of a camera's modes to film in: the widest that is fast enough.
///
/// Of the modes with a rate of at least 0.99 of the one asked for: the widest; then the tallest; then the
/// one with a rate nearest to it; then unbinned before binned; then full range before limited; then MJPEG
/// before raw before other compressed; then the driver's order. All rates are compared as fractions.
///
/// Where unbinned modes are preferred, those that are known to be unbinned go before all others, those of which it is
/// not known next, whatever their width; the rest of the rule stays.
public struct ModeChoice: Hashable, Sendable {
  /// What is asked for.
  public struct Request: Hashable, Sendable {
    /// The rate to film at.
    public var rate: FrameRate
    /// What else is asked of the mode.
    public var criteria: Criteria

    /// A request for `rate`.
    public init(rate: FrameRate, _ criteria: Criteria = Criteria()) {
      self.rate = rate
      self.criteria = criteria
    }

    /// The lowest rate that will do: ``ModeChoice/tolerance`` of the one asked for.
    package var floor: Fraction { rate.framesPerSecond * ModeChoice.tolerance }
  }

  /// What is asked of a mode besides its rate.
  public struct Criteria: Hashable, Sendable {
    /// The widest frame wanted, in pixels.
    public var maxWidth: UInt32?
    /// The format wanted.
    public var format: FormatFilter?
    /// What goes before width.
    public var preference: Preference?
    /// The size of the picture; of a list of qualities, one.
    public var quality: Quality?

    /// Any mode, but for what is given.
    public init(
      maxWidth: UInt32? = nil, format: FormatFilter? = nil, preference: Preference? = nil,
      quality: Quality? = nil
    ) {
      self.maxWidth = maxWidth
      self.format = format
      self.preference = preference
      self.quality = quality
    }

    /// Whether a mode of this format and size may be taken.
    public func admits(fourcc: String, width: UInt32, height: UInt32) -> Bool {
      admits(width: width, height: height) && format?.admits(fourcc: fourcc) ?? true
    }

    /// Whether a mode of this size may be taken.
    package func admits(width: UInt32, height: UInt32) -> Bool {
      width <= maxWidth ?? .max && quality?.admits(width: width, height: height) ?? true
    }
  }

  /// What may go before width among the modes that are fast enough.
  public enum Preference: String, Hashable, Sendable, CaseIterable {
    /// Modes that read every pixel of the sensor.
    case unbinned
  }

  /// A mode that would do, and what it lost by.
  public struct RunnerUp: Hashable, Sendable, Encodable {
    /// The mode.
    public var mode: Mode
    /// What the winner has over it.
    public var reason: String
  }

  /// What was asked for.
  public let request: Request
  /// The winner; `nil` where no mode qualifies.
  public let mode: Mode?
  /// What decided it, or why there is none.
  public private(set) var reason: String
  /// The other modes that qualify, best first.
  public let runnersUp: [RunnerUp]
  /// Where none qualifies, the fastest modes below, best first.
  public let nearest: [Mode]

  /// Whether the criteria besides the rate leave none of the camera's modes.
  public let isExcluded: Bool

  /// All modes that qualify, best first.
  package var ranking: [Mode] { [mode].compactMap(\.self) + runnersUp.map(\.mode) }

  /// Rates from this part of the asked one upwards will do: 119.88 is 120.
  package static let tolerance = Fraction(99, 100)

  /// Chooses from `table`.
  public init(from table: CameraTable, for request: Request) {
    self.init(from: table, for: request, floor: request.floor)
  }

  private init(from table: CameraTable, for request: Request, floor: Fraction) {
    let all = ModeRanking.Offer.merging(table.rows)
    let offers = all.filter { request.criteria.admits($0) }
    self.request = request
    isExcluded = offers.isEmpty && !all.isEmpty
    let ranked = offers.compactMap { $0.candidate(for: request, atLeast: floor) }.sorted(by: <)
    mode = ranked.first?.mode
    // A still is asked for no rate.
    let sufficient = floor > Fraction(0) ? " with at least 99 % of \(request.rate) fps" : ""
    if let winner = ranked.first {
      runnersUp = ranked.dropFirst().map {
        RunnerUp(mode: $0.mode, reason: $0.whatItLost(to: winner, at: request.rate))
      }
      nearest = []
      reason =
        if let second = ranked.dropFirst().first {
          "the best of \(ranked.count) modes\(sufficient): \(winner.whatItHas(over: second, at: request.rate)) than the next"
        } else {
          "the only mode\(sufficient)"
        }
    } else {
      runnersUp = []
      let slower = offers.compactMap { $0.candidate(for: request, atLeast: Fraction(0)) }
      // The fastest of each size, so that the list says what can be had in each direction.
      nearest = slower.sorted { ($1.rate, $0) < ($0.rate, $1) }.map(\.mode)
      reason =
        request.criteria.exclusion(of: all)
        ?? (slower.isEmpty
          ? "none of its modes states a rate"
          : "no mode\(request.criteria.quality.map { " of quality \($0)" } ?? "") has at least 99 % of \(request.rate) fps")
    }
  }
}

extension ModeChoice {
  /// The rate that was asked for.
  public var askedRate: FrameRate { request.rate }

  /// Chooses the widest of the fastest modes.
  public init(fastestFrom table: CameraTable, _ criteria: Criteria = Criteria()) {
    // No camera has this rate, so all that it has are the nearest below, fastest first.
    let all = ModeChoice(from: table, for: Request(rate: .beyondAll, criteria))
    guard let rate = all.nearest.first?.rate else {
      // None has a rate, or none is admitted: what would do without the criteria is looked for at the usual one.
      self.init(from: table, for: Request(rate: .slowMotion, criteria))
      return
    }
    self.init(from: table, for: Request(rate: rate, criteria))
  }

  /// Chooses the largest picture, at any rate: the one nearest to 30 fps, which leaves an exposure time enough.
  public init(largestFrom table: CameraTable, _ criteria: Criteria = Criteria()) {
    self.init(from: table, for: Request(rate: FrameRate(whole: 30), criteria), floor: Fraction(0))
  }

  /// The choices of a recording for which no rate is named, best first: at 240 fps, at 120, at the highest rate there is;
  /// at each for one quality after the other. Some may have no mode: see ``possible(_:)``.
  ///
  /// - Parameters:
  ///   - table: the camera's modes.
  ///   - criteria: which of them may be taken.
  ///   - quality: the sizes that are wished for, the most wanted first; empty for `criteria` alone.
  public static func preferences(
    from table: CameraTable, _ criteria: Criteria = Criteria(), quality: [Quality] = []
  ) -> [ModeChoice] {
    [FrameRate.slowMotion, .halfSlowMotion].flatMap {
      choices(from: table, at: $0, criteria, quality: quality)
    } + fastest(from: table, criteria, quality: quality)
  }

  /// The choices at `rate`, for one quality after the other.
  public static func choices(
    from table: CameraTable, at rate: FrameRate, _ criteria: Criteria, quality: [Quality]
  ) -> [ModeChoice] {
    criteria.wishing(quality).map { ModeChoice(from: table, for: Request(rate: rate, $0)) }
  }

  /// The choices at the highest rate that any of `quality` can be had at, for one quality after the other; then those at
  /// the highest rate of each.
  public static func fastest(
    from table: CameraTable, _ criteria: Criteria, quality: [Quality]
  ) -> [ModeChoice] {
    let each = criteria.wishing(quality).map { ModeChoice(fastestFrom: table, $0) }
    guard each.count > 1, let rate = each.filter({ $0.mode != nil }).map(\.askedRate).max() else {
      return each
    }
    let all = choices(from: table, at: rate, criteria, quality: quality)
    return all + each.filter { $0.askedRate != rate }
  }

  /// The largest picture at any rate, for one quality after the other.
  public static func largest(
    from table: CameraTable, _ criteria: Criteria, quality: [Quality]
  ) -> [ModeChoice] {
    criteria.wishing(quality).map { ModeChoice(largestFrom: table, $0) }
  }

  /// The choices that have a mode, in the same order; where none has, one that says why.
  public static func possible(_ choices: [ModeChoice]) -> [ModeChoice] {
    let possible = choices.filter { $0.mode != nil }
    guard possible.isEmpty, var last = choices.last else { return possible }
    // The last is the least that was wished for; the others are told of too.
    var reasons: [String] = []
    for choice in choices where choice.askedRate == last.askedRate {
      let reason = (choice.request.criteria.quality.map { "\($0): " } ?? "") + choice.reason
      if !reasons.contains(reason) { reasons.append(reason) }
    }
    if reasons.count > 1 { last.reason = reasons.joined(separator: "; ") }
    return [last]
  }
}

extension ModeChoice.Criteria {
  /// These criteria with each of `quality` in turn; as they are where that is empty.
  fileprivate func wishing(_ quality: [Quality]) -> [ModeChoice.Criteria] {
    guard !quality.isEmpty else { return [self] }
    return quality.map { wish in
      var criteria = self
      criteria.quality = wish
      return criteria
    }
  }

  /// Whether `offer` may be taken.
  fileprivate func admits(_ offer: ModeRanking.Offer) -> Bool {
    admits(fourcc: offer.fourcc, width: offer.width, height: offer.height)
  }
}

extension FrameRate {
  /// 240 fps, the usual rate of slow motion.
  fileprivate static let slowMotion = FrameRate(whole: 240)
  /// 120 fps, the next usual one below it.
  fileprivate static let halfSlowMotion = FrameRate(whole: 120)
  /// A rate that no camera has: what `UInt32` terms can say at most.
  fileprivate static let beyondAll = FrameRate(whole: Int64(UInt32.max) + 1)
}

extension ModeChoice.Criteria {
  /// Why none of `offers` may be taken, whatever its rate; `nil` where some may, or there are none.
  fileprivate func exclusion(of offers: [ModeRanking.Offer]) -> String? {
    guard !offers.isEmpty, !offers.contains(where: admits) else {
      return nil
    }
    let ofFormat = offers.filter { format?.admits(fourcc: $0.fourcc) ?? true }
    guard let narrowest = ofFormat.map(\.width).min() else {
      var formats: [String] = []
      for offer in offers where !formats.contains(offer.fourcc) { formats.append(offer.fourcc) }
      let names = formats.map { $0.printable.withoutTrailingSpaces }.joined(separator: ", ")
      return "none of its modes has the format \((format?.text ?? "").withoutTrailingSpaces); it has \(names)"
    }
    let isAll = ofFormat.count == offers.count
    let modes = isAll ? "modes" : "\((format?.text ?? "").uppercased().withoutTrailingSpaces) modes"
    if case .rows(let rows) = quality, !ofFormat.contains(where: { $0.height == rows }) {
      let all = Set(ofFormat.map(\.height)).sorted(by: >).map(String.init).joined(separator: ", ")
      return "none of its \(modes) has \(rows) rows; they have \(all)"
    }
    if case .size(let size) = quality {
      var sizes: [String] = []
      for offer in ofFormat {
        let text = Dimensions(width: offer.width, height: offer.height).description
        if !sizes.contains(text) { sizes.append(text) }
      }
      if !sizes.contains(size.description) {
        return "none of its modes has \(size) pixels; they have \(sizes.joined(separator: ", "))"
      }
    }
    let width = min(maxWidth ?? .max, quality?.maxWidth ?? .max)
    guard width < narrowest else {
      return
        "none of its \(modes) of at most \(width) pixels across has \(quality?.description ?? "such a size")"
    }
    return "none of its \(modes) is at most \(width) pixels wide; the narrowest has \(narrowest)"
  }
}

/// Which pixel formats are wanted.
public enum FormatFilter: Hashable, Sendable {
  /// MJPEG alone.
  case mjpeg
  /// Uncompressed ones alone.
  case raw
  /// This one alone; a code in small letters means the one in capitals too.
  case only(PixelFormat)

  /// What reads as this filter.
  public var text: String {
    switch self {
    case .mjpeg: "mjpeg"
    case .raw: "raw"
    case .only(let format): format.description
    }
  }

  /// Reads `mjpeg` (also called `jpg` and `jpeg`), `raw` or a four-character code, such as `JPEG`.
  public init(text: String) throws(QuantityError) {
    switch text.lowercased() {
    case "mjpeg", "jpg",
      "jpeg" where text != "JPEG":
      self = .mjpeg
    case "raw": self = .raw
    default:
      guard let format = PixelFormat(fourcc: text) else {
        throw QuantityError(
          text, expected: "a pixel format: mjpeg, raw, or a four-character code such as YUYV")
      }
      self = .only(format)
    }
  }
}

extension FormatFilter {
  /// Whether the format with these four characters is wanted.
  public func admits(fourcc: String) -> Bool {
    let format = PixelFormat(fourcc: fourcc)
    return switch self {
    case .mjpeg: format?.family == .jpeg
    case .raw: format.map { $0.family == .raw } ?? true
    case .only(let wanted): format == wanted || format?.lowercased == wanted
    }
  }
}
