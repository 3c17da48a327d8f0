public import Timebase

/// A requested size of picture.
public enum Quality: Hashable, Sendable, CustomStringConvertible {
  /// The widest that is fast enough.
  case high
  /// At most 1280 pixels wide.
  case medium
  /// At most 640 pixels wide.
  case low
  /// Exactly this number of rows.
  case rows(UInt32)
  /// Exactly this size.
  case size(Dimensions)

  /// Reads `high`, `medium`, `low`, rows such as `720p`, or a size such as `640x480`.
  public init(text: String) throws(QuantityError) {
    switch text.lowercased() {
    case "high": self = .high
    case "medium": self = .medium
    case "low": self = .low
    case let word:
      if let size = Dimensions(text: word) {
        self = .size(size)
        return
      }
      guard word.hasSuffix("p"), let rows = UInt32(word.dropLast()), rows > 0, word.first != "+" else {
        throw QuantityError(
          text,
          expected:
            "a quality: high (the widest), medium (at most 1280 wide), low (at most 640 wide), a number of "
            + "rows, such as 720p or 1080p, or a size, such as 640x480")
      }
      self = .rows(rows)
    }
  }

  /// Reads a list such as `2160p,1080p,high`, the most wanted first.
  public static func list(text: String) throws(QuantityError) -> [Quality] {
    var list: [Quality] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      list.append(try Quality(text: String(word.trimmingPrefix { $0 == " " })))
    }
    return list
  }

  /// The maximum width; `nil` for any width.
  var maxWidth: UInt32? {
    switch self {
    case .medium: 1280
    case .low: 640
    case .high, .rows, .size: nil
    }
  }

  /// Returns whether a picture of this size qualifies.
  public func admits(width: UInt32, height: UInt32) -> Bool {
    switch self {
    case .rows(let rows): height == rows
    case .size(let size): size == Dimensions(width: width, height: height)
    case .high, .medium, .low: width <= maxWidth ?? .max
    }
  }

  /// The text from which this quality can be read.
  public var description: String {
    switch self {
    case .high: "high"
    case .medium: "medium"
    case .low: "low"
    case .rows(let rows): "\(rows)p"
    case .size(let size): size.description
    }
  }
}

extension [Quality] {
  /// The text from which this list can be read.
  public var text: String { map(\.description).joined(separator: ",") }
}

/// The quality that was taken from a list, and the reasons why none before it was.
public struct QualityChoice: Codable, Hashable, Sendable {
  /// The list, the most wanted first.
  public var asked: [String]
  /// The quality that was taken.
  public var taken: String
  /// Those before it, at each rate that was tried before.
  public var skipped: [SkippedMode]

  /// A quality that was not available.
  public struct SkippedMode: Codable, Hashable, Sendable {
    /// The requested quality.
    public var quality: String
    /// The requested rate, in frames per second.
    public var framesPerSecond: Double
    /// The reason why it was not available.
    public var reason: String

    enum CodingKeys: String, CodingKey {
      case quality, reason
      case framesPerSecond = "fps"
    }
  }

  enum CodingKeys: String, CodingKey {
    case asked, taken
    case skipped = "passed_over"
  }

  /// Creates the outcome of a list; `nil` if there was no list.
  ///
  /// - Parameters:
  ///   - choice: the choice whose mode is taken.
  ///   - tried: all choices in the order of the request, including those without a mode.
  ///   - asked: the list.
  ///   - refused: the modes that the driver refused.
  public init?(_ choice: ModeChoice, after tried: [ModeChoice], of asked: [Quality], refused: [ModeRefusal]) {
    guard let taken = choice.request.criteria.quality else { return nil }
    self.asked = asked.map(\.description)
    self.taken = taken.description
    skipped = tried.prefix { $0.request != choice.request }.compactMap { other in
      guard let quality = other.request.criteria.quality else { return nil }
      let words = refused.filter { other.ranking.contains($0.mode) }.map { "\($0.mode) \($0.reason)" }
      return SkippedMode(
        quality: quality.description,
        framesPerSecond: other.requestedRate.framesPerSecond.doubleValue,
        reason: other.mode == nil
          ? other.reason : "the driver does not deliver it: \(words.joined(separator: "; "))")
    }
  }

  /// The outcome in a sentence, with the reasons; `nil` if the first quality was taken.
  public var words: String? {
    guard !skipped.isEmpty else { return nil }
    let reasons = skipped.map { wish in
      "\(wish.quality) at \(FrameRate.text(wish.framesPerSecond)) fps is not available, because \(wish.reason)"
    }
    return "The quality is \(taken): \(reasons.joined(separator: "; "))."
  }
}
