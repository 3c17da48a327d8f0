/// Any key at all, to see which ones there are.
private struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// A key that the type does not have: the cause of a `DecodingError` of ``Swift/Decoder/known(_:)``.
package struct UnknownKeyError: Error {}

extension Decoder {
  /// The keys of an object; one that is not known is refused, as it is most likely misspelt.
  package func known<Key: CodingKey & CaseIterable>(_ type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let present = try container(keyedBy: AnyKey.self)
    if let stranger = present.allKeys.first(where: { Key(stringValue: $0.stringValue) == nil }) {
      let names = Key.allCases.map(\.stringValue).joined(separator: ", ")
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: codingPath + [stranger],
          debugDescription: "there is no such key; here may stand \(names)",
          underlyingError: UnknownKeyError()))
    }
    return try container(keyedBy: Key.self)
  }
}

extension KeyedDecodingContainer {
  /// An error about the value of `key`.
  package func wrong(_ key: Key, _ words: String) -> DecodingError {
    DecodingError.dataCorrupted(.init(codingPath: codingPath + [key], debugDescription: words))
  }

  /// Returns the value of `key`: `nil` where it is absent, and a `nil` in that where it is `null`.
  ///
  /// - Parameter kind: what people call such a value; `nil` for an object, which tells what is wrong in it.
  /// - Throws: `DecodingError`, "must be `kind`" for another value.
  package func presence<Value: Decodable>(
    _ key: Key, _ type: Value.Type = Value.self, _ kind: String? = nil
  ) throws -> Value?? {
    guard contains(key) else { return nil }
    do { return .some(try decodeIfPresent(type, forKey: key)) } catch {
      guard let kind else { throw error }
      throw wrong(key, "must be \(kind)")
    }
  }
}

extension [any CodingKey] {
  /// The place as people write it, such as `modes[2].sizes`; empty for the whole.
  package var place: String {
    let keys = map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
    return String(keys.hasPrefix(".") ? keys.dropFirst() : keys[...])
  }
}
