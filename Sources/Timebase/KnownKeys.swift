/// A key with any name, to list the keys of an object.
private struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// The error underlying the `DecodingError` that ``Swift/Decoder/known(_:)`` throws for an unknown key.
package struct UnknownKeyError: Error {}

extension Decoder {
  /// Returns the object's keyed container; throws if the object has an unknown key, which is probably a typo.
  package func known<Key: CodingKey & CaseIterable>(_ type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let present = try container(keyedBy: AnyKey.self)
    if let stranger = present.allKeys.first(where: { Key(stringValue: $0.stringValue) == nil }) {
      let names = Key.allCases.map(\.stringValue).joined(separator: ", ")
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: codingPath + [stranger],
          debugDescription: "unknown key; the keys allowed here are \(names)",
          underlyingError: UnknownKeyError()))
    }
    return try container(keyedBy: Key.self)
  }
}

extension KeyedDecodingContainer {
  /// Returns an error about the value of `key`.
  package func wrong(_ key: Key, _ words: String) -> DecodingError {
    DecodingError.dataCorrupted(.init(codingPath: codingPath + [key], debugDescription: words))
  }

  /// Returns the value of `key`: `nil` if the key is absent, `.some(nil)` if its value is `null`.
  ///
  /// - Parameter kind: The kind of value for the error message; `nil` for an object, whose own error is
  ///   thrown.
  /// - Throws: `DecodingError` ("must be `kind`") for any other value.
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
  /// The path in its usual notation, such as `modes[2].sizes`; empty for the root.
  package var place: String {
    let keys = map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
    return String(keys.hasPrefix(".") ? keys.dropFirst() : keys[...])
  }
}
