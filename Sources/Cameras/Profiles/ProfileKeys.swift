import Timebase

extension KeyedDecodingContainer {
  /// Decodes text that is not empty.
  func text(_ key: Key) throws -> String {
    let text = try decode(String.self, forKey: key)
    guard text.contains(where: { !$0.isWhitespace }) else { throw wrong(key, "this is empty") }
    return text
  }

  /// Decodes text that is not empty; returns `nil` if the key is missing.
  func textIfPresent(_ key: Key) throws -> String? {
    contains(key) ? try text(key) : nil
  }

  /// Decodes a list; empty if the key is missing.
  func list<Item: Decodable>(_ key: Key, of type: Item.Type = Item.self) throws -> [Item] {
    try decodeIfPresent([Item].self, forKey: key) ?? []
  }
}
