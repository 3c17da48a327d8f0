import FoundationEssentials

/// A version by semantic versioning, as far as its three numbers go.
struct SemanticVersion: Comparable {
  private let numbers: [Int]

  /// The version in `text`; a number that is none counts as 0.
  init(_ text: String) {
    let core = text.prefix { $0 != "-" && $0 != "+" }
    let terms = core.split(separator: ".", omittingEmptySubsequences: false).prefix(3).map { Int($0) ?? 0 }
    numbers = terms + Array(repeating: 0, count: 3 - terms.count)
  }

  static func < (one: SemanticVersion, other: SemanticVersion) -> Bool {
    one.numbers.lexicographicallyPrecedes(other.numbers)
  }
}

/// The one thing that is read of a take which cannot be read otherwise.
struct WritingVersion: Decodable {
  let overcrank: String

  init?(_ head: [UInt8]) {
    guard let version = try? JSONDecoder().decode(WritingVersion.self, from: Data(head)) else { return nil }
    self = version
  }
}
