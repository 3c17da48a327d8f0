import FoundationEssentials

/// A version under semantic versioning, reduced to its three numbers.
struct SemanticVersion: Comparable {
  private let numbers: [Int]

  /// Reads the version in `text`; an invalid number counts as 0.
  init(_ text: String) {
    let core = text.prefix { $0 != "-" && $0 != "+" }
    let terms = core.split(separator: ".", omittingEmptySubsequences: false).prefix(3).map { Int($0) ?? 0 }
    numbers = terms + Array(repeating: 0, count: 3 - terms.count)
  }

  static func < (one: SemanticVersion, other: SemanticVersion) -> Bool {
    one.numbers.lexicographicallyPrecedes(other.numbers)
  }
}

/// The only key that is read from a take that cannot be read otherwise.
struct WritingVersion: Decodable {
  let overcrank: String

  init?(_ head: [UInt8]) {
    guard let version = try? JSONDecoder().decode(WritingVersion.self, from: Data(head)) else { return nil }
    self = version
  }
}
