public import Timebase
public import V4L2

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
    /// The widest frame wanted, in pixels.
    public var maxWidth: UInt32?
    /// The format wanted.
    public var format: FormatFilter?
    /// What goes before width.
    public var preference: Preference?

    /// A request for `rate`.
    public init(
      rate: FrameRate, maxWidth: UInt32? = nil, format: FormatFilter? = nil, preference: Preference? = nil
    ) {
      self.rate = rate
      self.maxWidth = maxWidth
      self.format = format
      self.preference = preference
    }

    /// The lowest rate that will do: ``ModeChoice/tolerance`` of the one asked for.
    var floor: Fraction { rate.framesPerSecond * ModeChoice.tolerance }
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
  public let reason: String
  /// The other modes that qualify, best first.
  public let runnersUp: [RunnerUp]
  /// Where none qualifies, the fastest modes below, best first.
  public let nearest: [Mode]

  /// All modes that qualify, best first.
  var ranking: [Mode] { [mode].compactMap(\.self) + runnersUp.map(\.mode) }

  /// Rates from this part of the asked one upwards will do: 119.88 is 120.
  package static let tolerance = Fraction(99, 100)

  /// Chooses from `table`.
  public init(from table: CameraTable, for request: Request) {
    self.init(from: table, for: request, floor: request.floor)
  }

  private init(from table: CameraTable, for request: Request, floor: Fraction) {
    let offers = Offer.merging(table.rows).filter { request.admits($0) }
    self.request = request
    let ranked = offers.compactMap { $0.candidate(for: request, atLeast: floor) }.sorted(by: <)
    mode = ranked.first?.mode
    if let winner = ranked.first {
      runnersUp = ranked.dropFirst().map { RunnerUp(mode: $0.mode, reason: $0.whatItLostBy(to: winner)) }
      nearest = []
      reason =
        if let second = ranked.dropFirst().first {
          "of \(ranked.count) modes with at least \(floor.decimal(places: 2)) fps, it wins over the next, \(second.mode), which is \(second.whatItLostBy(to: winner))"
        } else {
          "it is the only mode with at least \(floor.decimal(places: 2)) fps"
        }
    } else {
      runnersUp = []
      let slower = offers.compactMap { $0.candidate(for: request, atLeast: Fraction(0)) }
      // The fastest of each size, so that the list says what can be had in each direction.
      nearest = slower.sorted { ($1.rate, $0) < ($0.rate, $1) }.map(\.mode)
      reason = "no mode has at least \(floor.decimal(places: 2)) fps"
    }
  }
}

extension ModeChoice {
  /// The rate that was asked for.
  public var askedRate: FrameRate { request.rate }

  /// Chooses the widest of the fastest modes.
  public init(
    fastestFrom table: CameraTable, maxWidth: UInt32? = nil, format: FormatFilter? = nil,
    preference: Preference? = nil
  ) {
    // No camera has this rate, so all that it has are the nearest below, fastest first.
    let all = ModeChoice(
      from: table, for: Request(rate: .beyondAll, maxWidth: maxWidth, format: format))
    guard let rate = all.nearest.first?.rate else {
      self = all
      return
    }
    self.init(
      from: table, for: Request(rate: rate, maxWidth: maxWidth, format: format, preference: preference))
  }

  /// Chooses the largest picture, at any rate: the one nearest to 30 fps, which leaves an exposure time enough.
  public init(largestFrom table: CameraTable, maxWidth: UInt32? = nil, format: FormatFilter? = nil) {
    self.init(
      from: table, for: Request(rate: FrameRate(whole: 30), maxWidth: maxWidth, format: format),
      floor: Fraction(0))
  }

  /// Chooses as a recording does when no rate is named: 240 fps, else 120, else the highest there is.
  public init(
    preferredFrom table: CameraTable, maxWidth: UInt32? = nil, format: FormatFilter? = nil,
    preference: Preference? = nil
  ) {
    let choices = Self.preferences(
      from: table, maxWidth: maxWidth, format: format, preference: preference)
    self =
      choices.first
      ?? ModeChoice(fastestFrom: table, maxWidth: maxWidth, format: format, preference: preference)
  }

  /// The choices of a recording for which no rate is named, each with a winner: at 240 fps, at 120, at the highest there is.
  public static func preferences(
    from table: CameraTable, maxWidth: UInt32? = nil, format: FormatFilter? = nil,
    preference: Preference? = nil
  ) -> [ModeChoice] {
    let named = [FrameRate.slowMotion, .halfSlowMotion].map { rate in
      ModeChoice(
        from: table, for: Request(rate: rate, maxWidth: maxWidth, format: format, preference: preference))
    }
    let fastest = ModeChoice(fastestFrom: table, maxWidth: maxWidth, format: format, preference: preference)
    return (named + [fastest]).filter { $0.mode != nil }
  }
}

extension FrameRate {
  /// 240 fps, the usual rate of slow motion.
  fileprivate static let slowMotion = FrameRate(whole: 240)
  /// A rate that no camera has: what `UInt32` terms can say at most.
  fileprivate static let beyondAll = FrameRate(whole: Int64(UInt32.max) + 1)
  /// 120 fps, the next below it.
  fileprivate static let halfSlowMotion = FrameRate(whole: 120)
}

/// Which pixel formats are wanted.
public enum FormatFilter: Hashable, Sendable {
  /// MJPEG alone.
  case mjpeg
  /// Uncompressed ones alone.
  case raw
  /// This one alone.
  case only(PixelFormat)

  /// What reads as this filter.
  var text: String {
    switch self {
    case .mjpeg: "mjpeg"
    case .raw: "raw"
    case .only(let format): format.description
    }
  }

  /// Reads `mjpeg`, `raw` or a four-character code.
  public init(text: String) throws(QuantityError) {
    switch text.lowercased() {
    case "mjpeg": self = .mjpeg
    case "raw": self = .raw
    default:
      guard let format = PixelFormat(fourcc: text) ?? PixelFormat(fourcc: text.uppercased()) else {
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
    case .only(let wanted): format == wanted
    }
  }
}

extension ModeChoice.Request {
  fileprivate func admits(_ offer: Offer) -> Bool {
    if let maxWidth, offer.width > maxWidth { return false }
    return format?.admits(fourcc: offer.fourcc) ?? true
  }
}
