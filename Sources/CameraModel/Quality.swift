public import Timebase

/// How large a picture is wished for.
public enum Quality: Hashable, Sendable, CustomStringConvertible {
  /// The widest that is fast enough.
  case high
  /// At most 1280 pixels wide.
  case medium
  /// At most 640 pixels wide.
  case low
  /// Exactly so many rows.
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
            "a quality: high (the widest), medium (at most 1280 wide), low (at most 640 wide), or exactly so "
            + "many rows, such as 720p or 1080p, or this size, such as 640x480")
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

  /// The widest picture that it admits; `nil` for any width.
  var maxWidth: UInt32? {
    switch self {
    case .medium: 1280
    case .low: 640
    case .high, .rows, .size: nil
    }
  }

  /// Whether a picture of this size is meant.
  public func admits(width: UInt32, height: UInt32) -> Bool {
    switch self {
    case .rows(let rows): height == rows
    case .size(let size): size == Dimensions(width: width, height: height)
    case .high, .medium, .low: width <= maxWidth ?? .max
    }
  }

  /// What reads as this quality.
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
  /// What reads as this list.
  public var text: String { map(\.description).joined(separator: ",") }
}

/// Which of a list of qualities was taken, and why none before it.
public struct QualityChoice: Codable, Hashable, Sendable {
  /// The list, the most wanted first.
  public var asked: [String]
  /// The one that the mode was taken for.
  public var taken: String
  /// Those before it, at each rate that was tried before it.
  public var passedOver: [PassedOver]

  /// A wish that was not met.
  public struct PassedOver: Codable, Hashable, Sendable {
    /// What was wished for.
    public var quality: String
    /// At which rate, in frames per second.
    public var framesPerSecond: Double
    /// Why it could not be had.
    public var reason: String

    enum CodingKeys: String, CodingKey {
      case quality, reason
      case framesPerSecond = "fps"
    }
  }

  enum CodingKeys: String, CodingKey {
    case asked, taken
    case passedOver = "passed_over"
  }

  /// What came of a list; `nil` where there was none.
  ///
  /// - Parameters:
  ///   - choice: the choice whose mode is taken.
  ///   - tried: all choices in the order in which they were wished for, those without a mode too.
  ///   - asked: the list.
  ///   - refused: the modes that the driver did not give.
  public init?(_ choice: ModeChoice, after tried: [ModeChoice], of asked: [Quality], refused: [ModeRefusal]) {
    guard let taken = choice.request.criteria.quality else { return nil }
    self.asked = asked.map(\.description)
    self.taken = taken.description
    passedOver = tried.prefix { $0.request != choice.request }.compactMap { other in
      guard let quality = other.request.criteria.quality else { return nil }
      let words = refused.filter { other.ranking.contains($0.mode) }.map { "\($0.mode) \($0.reason)" }
      return PassedOver(
        quality: quality.description,
        framesPerSecond: other.askedRate.framesPerSecond.doubleValue,
        reason: other.mode == nil
          ? other.reason : "the driver does not give it: \(words.joined(separator: "; "))")
    }
  }

  /// What was taken, and why none before it, in a sentence; `nil` where it was the first that was asked for.
  public var words: String? {
    guard !passedOver.isEmpty else { return nil }
    let reasons = passedOver.map { wish in
      "\(wish.quality) at \(FrameRate.text(wish.framesPerSecond)) fps cannot be had, as \(wish.reason)"
    }
    return "The quality is \(taken): \(reasons.joined(separator: "; "))."
  }
}
