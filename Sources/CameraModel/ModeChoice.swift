public import Timebase

/// The choice of one of a camera's modes to record in: the widest that is fast enough.
///
/// Of the modes with a rate of at least 0.99 of the requested one: the widest; then the tallest; then the one
/// with a rate nearest to it; then unbinned before binned; then full range before limited; then MJPEG before
/// raw before other compressed; then the driver's order. All rates are compared as fractions.
///
/// If unbinned modes are preferred, those known to be unbinned come first, then the unknown ones, whatever
/// their width; the rest of the rule stays the same.
public struct ModeChoice: Hashable, Sendable {
  /// A request for a mode.
  public struct Request: Hashable, Sendable {
    /// The rate to record at.
    public var rate: FrameRate
    /// The criteria other than the rate.
    public var criteria: Criteria

    /// Creates a request for `rate`.
    public init(rate: FrameRate, _ criteria: Criteria = Criteria()) {
      self.rate = rate
      self.criteria = criteria
    }

    /// The lowest rate that qualifies: ``ModeChoice/tolerance`` of the requested one.
    package var floor: Fraction { rate.framesPerSecond * ModeChoice.tolerance }
  }

  /// The criteria for a mode other than its rate.
  public struct Criteria: Hashable, Sendable {
    /// The maximum width of a frame, in pixels; `nil` for any.
    public var maxWidth: UInt32?
    /// The formats to choose from; `nil` for all.
    public var format: FormatFilter?
    /// The property that takes precedence over width; `nil` for none.
    public var preference: Preference?
    /// The size of the picture: one entry of a list of qualities.
    public var quality: Quality?

    /// Creates criteria; by default, any mode qualifies.
    public init(
      maxWidth: UInt32? = nil, format: FormatFilter? = nil, preference: Preference? = nil,
      quality: Quality? = nil
    ) {
      self.maxWidth = maxWidth
      self.format = format
      self.preference = preference
      self.quality = quality
    }

    /// Returns whether a mode of this format and size qualifies.
    public func admits(fourcc: String, width: UInt32, height: UInt32) -> Bool {
      admits(width: width, height: height) && format?.admits(fourcc: fourcc) ?? true
    }

    /// Returns whether a mode of this size qualifies.
    package func admits(width: UInt32, height: UInt32) -> Bool {
      width <= maxWidth ?? .max && quality?.admits(width: width, height: height) ?? true
    }
  }

  /// A property that takes precedence over width among the modes that are fast enough.
  public enum Preference: String, Hashable, Sendable, CaseIterable {
    /// Modes that read every pixel of the sensor.
    case unbinned
  }

  /// A mode that qualifies, and the reason why it lost.
  public struct RunnerUp: Hashable, Sendable, Encodable {
    /// The mode.
    public var mode: Mode
    /// The advantage of the winner, in words.
    public var reason: String
  }

  /// The request that was made.
  public let request: Request
  /// The winner; `nil` if no mode qualifies.
  public let mode: Mode?
  /// The deciding difference, or the reason why no mode qualifies.
  public private(set) var reason: String
  /// The other modes that qualify, best first.
  public let runnersUp: [RunnerUp]
  /// The modes nearest to the request, fastest first; empty if a mode qualifies.
  public let nearest: [Mode]

  /// Whether the criteria other than the rate exclude all of the camera's modes.
  public let isExcluded: Bool

  /// All modes that qualify, best first.
  package var ranking: [Mode] { [mode].compactMap(\.self) + runnersUp.map(\.mode) }

  /// The part of the requested rate from which a rate qualifies, so that 119.88 counts as 120.
  package static let tolerance = Fraction(99, 100)

  /// Chooses a mode from `table`.
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
    // A still has no requested rate.
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
      // The fastest of each size, so that the list shows what is possible in each direction.
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
  /// The requested rate.
  public var requestedRate: FrameRate { request.rate }

  /// Chooses the widest of the fastest modes.
  public init(fastestFrom table: CameraTable, _ criteria: Criteria = Criteria()) {
    // No camera has this rate, so all its modes are slower, and `nearest` has the fastest first.
    let all = ModeChoice(from: table, for: Request(rate: .beyondAll, criteria))
    guard let rate = all.nearest.first?.rate else {
      // No mode has a rate, or the criteria exclude all: the usual rate finds what would qualify without
      // them.
      self.init(from: table, for: Request(rate: .slowMotion, criteria))
      return
    }
    self.init(from: table, for: Request(rate: rate, criteria))
  }

  /// Chooses the largest picture, at any rate: the rate nearest to 30 fps, which leaves time for the
  /// exposure.
  public init(largestFrom table: CameraTable, _ criteria: Criteria = Criteria()) {
    self.init(from: table, for: Request(rate: FrameRate(whole: 30), criteria), floor: Fraction(0))
  }

  /// Returns the choices for a recording without a requested rate, best first: at 240 fps, at 120, at the
  /// highest rate; at each for every quality in turn. Some may have no mode: see ``possible(_:)``.
  ///
  /// - Parameters:
  ///   - table: the camera's modes.
  ///   - criteria: the criteria for all of them.
  ///   - quality: the requested sizes, the most wanted first; empty for `criteria` alone.
  public static func preferences(
    from table: CameraTable, _ criteria: Criteria = Criteria(), quality: [Quality] = []
  ) -> [ModeChoice] {
    [FrameRate.slowMotion, .halfSlowMotion].flatMap {
      choices(from: table, at: $0, criteria, quality: quality)
    } + fastest(from: table, criteria, quality: quality)
  }

  /// Returns the choices at `rate`, for each quality in turn.
  public static func choices(
    from table: CameraTable, at rate: FrameRate, _ criteria: Criteria, quality: [Quality]
  ) -> [ModeChoice] {
    criteria.wishing(quality).map { ModeChoice(from: table, for: Request(rate: rate, $0)) }
  }

  /// Returns the choices at the highest rate of any of `quality`, for each quality in turn; then those at the
  /// highest rate of each.
  public static func fastest(
    from table: CameraTable, _ criteria: Criteria, quality: [Quality]
  ) -> [ModeChoice] {
    let each = criteria.wishing(quality).map { ModeChoice(fastestFrom: table, $0) }
    guard each.count > 1, let rate = each.filter({ $0.mode != nil }).map(\.requestedRate).max() else {
      return each
    }
    let all = choices(from: table, at: rate, criteria, quality: quality)
    return all + each.filter { $0.requestedRate != rate }
  }

  /// Returns the choices of the largest picture at any rate, for each quality in turn.
  public static func largest(
    from table: CameraTable, _ criteria: Criteria, quality: [Quality]
  ) -> [ModeChoice] {
    criteria.wishing(quality).map { ModeChoice(largestFrom: table, $0) }
  }

  /// Returns the choices that have a mode, in the same order; if none has, one choice with all the reasons.
  public static func possible(_ choices: [ModeChoice]) -> [ModeChoice] {
    let possible = choices.filter { $0.mode != nil }
    guard possible.isEmpty, var last = choices.last else { return possible }
    // The last is the least demanding request; the reasons of the others are added.
    var reasons: [String] = []
    for choice in choices where choice.requestedRate == last.requestedRate {
      let reason = (choice.request.criteria.quality.map { "\($0): " } ?? "") + choice.reason
      if !reasons.contains(reason) { reasons.append(reason) }
    }
    if reasons.count > 1 { last.reason = reasons.joined(separator: "; ") }
    return [last]
  }
}

extension ModeChoice.Criteria {
  /// Returns these criteria with each of `quality` in turn; unchanged if that is empty.
  fileprivate func wishing(_ quality: [Quality]) -> [ModeChoice.Criteria] {
    guard !quality.isEmpty else { return [self] }
    return quality.map { wish in
      var criteria = self
      criteria.quality = wish
      return criteria
    }
  }

  /// Returns whether `offer` qualifies.
  fileprivate func admits(_ offer: ModeRanking.Offer) -> Bool {
    admits(fourcc: offer.fourcc, width: offer.width, height: offer.height)
  }
}

extension FrameRate {
  /// 240 fps, the usual rate of slow motion.
  fileprivate static let slowMotion = FrameRate(whole: 240)
  /// 120 fps, the next usual one below it.
  fileprivate static let halfSlowMotion = FrameRate(whole: 120)
  /// A rate above all cameras' rates: more than `UInt32` terms can represent.
  fileprivate static let beyondAll = FrameRate(whole: Int64(UInt32.max) + 1)
}

extension ModeChoice.Criteria {
  /// Explains why all of `offers` are excluded, whatever their rate; `nil` if some are not, or there are
  /// none.
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
        "none of its \(modes) at most \(width) pixels wide has \(quality?.description ?? "such a size")"
    }
    return "none of its \(modes) is at most \(width) pixels wide; the narrowest has \(narrowest)"
  }
}

/// A filter of pixel formats.
public enum FormatFilter: Hashable, Sendable {
  /// Only MJPEG.
  case mjpeg
  /// Only uncompressed formats.
  case raw
  /// Only this format; a code in lowercase also means the uppercase one.
  case only(PixelFormat)

  /// The text from which this filter can be read.
  public var text: String {
    switch self {
    case .mjpeg: "mjpeg"
    case .raw: "raw"
    case .only(let format): format.description
    }
  }

  /// Reads `mjpeg` (also called `jpg` and `jpeg`), `raw` or a four-character code, such as `JPEG` or `h264`.
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
  /// Returns whether the format with these four characters passes the filter.
  public func admits(fourcc: String) -> Bool {
    let format = PixelFormat(fourcc: fourcc)
    return switch self {
    case .mjpeg: format?.family == .jpeg
    case .raw: format.map { $0.family == .raw } ?? true
    case .only(let wanted): format == wanted || format?.lowercased == wanted
    }
  }
}
