import V4L2

/// Any key at all, to see which ones there are.
private struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  /// The keys of a mapping; one that is not known is refused, as it is most likely misspelt.
  func known<Key: CodingKey & CaseIterable>(_ type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let present = try container(keyedBy: AnyKey.self)
    if let stranger = present.allKeys.first(where: { Key(stringValue: $0.stringValue) == nil }) {
      let names = Key.allCases.map(\.stringValue).joined(separator: ", ")
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: codingPath + [stranger],
          debugDescription: "there is no such key; here may stand \(names)"))
    }
    return try container(keyedBy: Key.self)
  }
}

extension KeyedDecodingContainer {
  /// An error about the value of `key`.
  func wrong(_ key: Key, _ words: String) -> DecodingError {
    DecodingError.dataCorrupted(.init(codingPath: codingPath + [key], debugDescription: words))
  }

  /// Text that is not empty.
  func text(_ key: Key) throws -> String {
    let text = try decode(String.self, forKey: key)
    guard text.contains(where: { !$0.isWhitespace }) else { throw wrong(key, "this says nothing") }
    return text
  }

  /// Text that is not empty, where there is any.
  func textIfPresent(_ key: Key) throws -> String? {
    contains(key) ? try text(key) : nil
  }

  /// A list; empty where there is none.
  func list<Item: Decodable>(_ key: Key, of type: Item.Type = Item.self) throws -> [Item] {
    try decodeIfPresent([Item].self, forKey: key) ?? []
  }

  /// Whole numbers of `key`, as many as `count`, each in `bounds`.
  func terms(_ key: Key, count: Int, in bounds: ClosedRange<Int>, such example: String) throws -> [Int]? {
    guard let terms = try decodeIfPresent([Int].self, forKey: key) else { return nil }
    guard terms.count == count, terms.allSatisfy(bounds.contains) else {
      throw wrong(
        key, "\(terms) is not \(count) whole numbers from \(bounds.lowerBound) on, such as \(example)")
    }
    return terms
  }

  /// A size, where there is one.
  func dimensions(_ key: Key) throws -> Dimensions? {
    try terms(key, count: 2, in: Dimensions.sides, such: "[1920, 1080]").map(Dimensions.init(terms:))
  }

  /// A list of sizes.
  func sizes(_ key: Key) throws -> [Dimensions] {
    let sizes = try decode([[Int]].self, forKey: key)
    guard !sizes.isEmpty, sizes.allSatisfy({ $0.count == 2 && $0.allSatisfy(Dimensions.sides.contains) })
    else { throw wrong(key, "\(sizes) is no list of sizes, such as [[1920, 1080], [1280, 720]]") }
    return sizes.map(Dimensions.init(terms:))
  }
}

extension Dimensions {
  /// What a side of a picture can be; sensors of 2019 had a tenth of the most.
  fileprivate static let sides = 1...100_000

  fileprivate init(terms: [Int]) {
    self.init(width: UInt32(terms[0]), height: UInt32(terms[1]))
  }
}
