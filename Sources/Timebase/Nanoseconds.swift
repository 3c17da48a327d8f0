/// A length of time that JSON stores as a whole number of nanoseconds, or as `null` if it is optional and
/// unknown.
@propertyWrapper
public struct Nanoseconds<Time: NanosecondCoded>: Hashable, Sendable {
  /// The length of time.
  public var wrappedValue: Time

  /// Wraps a length of time.
  public init(wrappedValue: Time) { self.wrappedValue = wrappedValue }
}

/// `Duration`, or `Duration?`.
public protocol NanosecondCoded: Hashable, Sendable {
  /// Creates a length of time; `nil` if `nanoseconds` is `nil` and the type is not optional.
  init?(nanoseconds: Int64?)
  /// The whole nanoseconds; `nil` if unknown.
  var nanosecondsIfKnown: Int64? { get }
}

extension Duration: NanosecondCoded {
  /// Creates a duration of `nanoseconds`; `nil` if that is `nil`.
  public init?(nanoseconds: Int64?) {
    guard let nanoseconds else { return nil }
    self = .nanoseconds(nanoseconds)
  }

  /// The whole nanoseconds.
  public var nanosecondsIfKnown: Int64? { wholeNanoseconds }
}

extension Duration?: NanosecondCoded {
  /// Creates a duration of `nanoseconds`, or an unknown one if that is `nil`.
  public init?(nanoseconds: Int64?) { self = nanoseconds.map { .nanoseconds($0) } }

  /// The whole nanoseconds; `nil` if unknown.
  public var nanosecondsIfKnown: Int64? { self?.wholeNanoseconds }
}

extension Nanoseconds: Codable {
  /// Reads a number of nanoseconds, or `null` if the type is optional.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let time = Time(nanoseconds: try value.decode(Int64?.self)) else {
      throw DecodingError.valueNotFound(
        Int64.self, .init(codingPath: decoder.codingPath, debugDescription: "null is not a duration"))
    }
    self.init(wrappedValue: time)
  }

  /// Writes the number of nanoseconds, or `null`.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(wrappedValue.nanosecondsIfKnown)
  }
}

extension KeyedDecodingContainer {
  /// Reads a length of time that may be `null` or absent.
  public func decode(
    _ type: Nanoseconds<Duration?>.Type, forKey key: Key
  ) throws -> Nanoseconds<Duration?> {
    Nanoseconds(wrappedValue: try decodeIfPresent(Int64.self, forKey: key).map { .nanoseconds($0) })
  }
}
