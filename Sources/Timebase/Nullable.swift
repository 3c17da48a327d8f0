/// A value that JSON stores as `null` if it is unknown; synthesized coding would omit the key of an optional.
///
/// An absent key is read as `null`.
@propertyWrapper
public struct Nullable<Value> {
  /// The value; `nil` if unknown.
  public var wrappedValue: Value?

  /// Wraps a value, or `nil`.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }
}

extension Nullable: Equatable where Value: Equatable {}
extension Nullable: Hashable where Value: Hashable {}
extension Nullable: Sendable where Value: Sendable {}

extension Nullable: Encodable where Value: Encodable {
  /// Writes the value, or `null`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension Nullable: Decodable where Value: Decodable {
  /// Reads a value, or `null`.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Value?.self))
  }
}

extension KeyedDecodingContainer {
  /// Reads a value that may be `null` or absent; synthesized coding prefers this overload to the general one.
  public func decode<Value: Decodable>(
    _ type: Nullable<Value>.Type, forKey key: Key
  ) throws -> Nullable<Value> {
    Nullable(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
  }
}
