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
}
