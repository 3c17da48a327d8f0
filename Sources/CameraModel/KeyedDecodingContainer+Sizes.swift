import Timebase

extension KeyedDecodingContainer {
  /// Decodes `count` whole numbers, each in `bounds`; returns `nil` if the key is missing.
  package func terms(_ key: Key, count: Int, in bounds: ClosedRange<Int>, such example: String) throws
    -> [Int]?
  {
    guard let terms = try decodeIfPresent([Int].self, forKey: key) else { return nil }
    guard terms.count == count, terms.allSatisfy(bounds.contains) else {
      throw wrong(
        key, "\(terms) is not \(count) whole numbers of at least \(bounds.lowerBound), such as \(example)")
    }
    return terms
  }

  /// Decodes a size; returns `nil` if the key is missing.
  package func dimensions(_ key: Key) throws -> Dimensions? {
    try terms(key, count: 2, in: Dimensions.sides, such: "[1920, 1080]").map(Dimensions.init(terms:))
  }

  /// Decodes a list of sizes.
  package func sizes(_ key: Key) throws -> [Dimensions] {
    let sizes = try decode([[Int]].self, forKey: key)
    guard !sizes.isEmpty, sizes.allSatisfy({ $0.count == 2 && $0.allSatisfy(Dimensions.sides.contains) })
    else { throw wrong(key, "\(sizes) is not a list of sizes, such as [[1920, 1080], [1280, 720]]") }
    return sizes.map(Dimensions.init(terms:))
  }
}

extension Dimensions {
  /// The possible sides of a picture; the largest sensors of 2019 had a tenth of the maximum.
  fileprivate static let sides = 1...100_000

  fileprivate init(terms: [Int]) {
    self.init(width: UInt32(terms[0]), height: UInt32(terms[1]))
  }
}
