import Timebase

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
