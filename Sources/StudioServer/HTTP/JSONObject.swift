import FoundationEssentials
import Timebase

/// The JSON object of a request's body, from which each key is taken once; what is left nobody knows.
struct JSONObject {
  private var values: [String: JSONValue]
  /// Where it stands in the body, such as `motion.`; empty for the body itself.
  private let place: String

  /// The object in `body`; an empty body is an empty object.
  ///
  /// - Throws: ``APIError`` where it is none.
  init(_ body: [UInt8]) throws(APIError) {
    place = ""
    guard !body.isEmpty else {
      values = [:]
      return
    }
    guard case .object(let values) = try? JSONDecoder().decode(JSONValue.self, from: Data(body)) else {
      throw .badRequest("The body is no JSON object.")
    }
    self.values = values
  }

  private init(_ values: [String: JSONValue], at place: String) {
    (self.values, self.place) = (values, place)
  }

  /// What a key says: nothing, `null`, or a value.
  enum Presence<Value> {
    case absent
    case null
    case value(Value)

    /// The value; `nil` for `null` and where the key is absent.
    var value: Value? { if case .value(let value) = self { value } else { nil } }
    /// The value that is there, which may be `null`; `nil` where the key is absent.
    var present: Value?? {
      switch self {
      case .absent: .none
      case .null: .some(nil)
      case .value(let value): .some(value)
      }
    }
  }

  private mutating func take<Value>(
    _ key: String, _ kind: String, _ read: (JSONValue) throws(APIError) -> Value?
  ) throws(APIError) -> Presence<Value> {
    switch values.removeValue(forKey: key) {
    case nil: return .absent
    case .null?: return .null
    case let value?:
      guard let read = try read(value) else { throw .badRequest("\"\(place)\(key)\" must be \(kind).") }
      return .value(read)
    }
  }

  /// A text of at most `most` characters: what is refused may be told again.
  mutating func text(_ key: String, most: Int = 256) throws(APIError) -> Presence<String> {
    try take(key, "a text of at most \(most) characters") { value in
      guard case .text(let text) = value, text.unicodeScalars.count <= most else { return nil }
      return text
    }
  }

  /// The most characters of a speed curve.
  static let longestCurve = 4096

  mutating func whole(_ key: String) throws(APIError) -> Presence<Int64> {
    try take(key, "a whole number") { $0.whole }
  }

  mutating func number(_ key: String) throws(APIError) -> Presence<Double> {
    try take(key, "a number") { $0.number }
  }

  mutating func flag(_ key: String) throws(APIError) -> Presence<Bool> {
    try take(key, "true or false") { if case .flag(let flag) = $0 { flag } else { nil } }
  }

  mutating func wholes(_ key: String) throws(APIError) -> Presence<[Int64]> {
    try take(key, "a list of whole numbers") { value in
      guard case .list(let values) = value else { return nil }
      let wholes = values.compactMap(\.whole)
      return wholes.count == values.count ? wholes : nil
    }
  }

  mutating func object(_ key: String) throws(APIError) -> Presence<JSONObject> {
    let place = place
    return try take(key, "an object") {
      if case .object(let values) = $0 { JSONObject(values, at: "\(place)\(key).") } else { nil }
    }
  }

  /// A length of time in nanoseconds, which is none before zero.
  mutating func time(_ key: String) throws(APIError) -> Presence<Duration> {
    try take(key, "nanoseconds, 0 or more") {
      $0.whole.flatMap { $0 >= 0 ? Duration.nanoseconds($0) : nil }
    }
  }

  /// Refuses what was not taken.
  func end() throws(APIError) {
    guard let key = values.keys.min() else { return }
    throw .badRequest("Nobody knows the key \"\(place)\(key.prefix(80))\".")
  }
}

extension JSONObject.Presence {
  /// The value of a key that must be there.
  func required(_ key: String) throws(APIError) -> Value {
    guard let value else { throw .badRequest("\"\(key)\" is missing.") }
    return value
  }
}

/// Any JSON.
enum JSONValue: Decodable, Equatable {
  case null
  case flag(Bool)
  case whole(Int64)
  case real(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let whole = try? value.decode(Int64.self) {
      self = .whole(whole)
    } else if let real = try? value.decode(Double.self) {
      self = .real(real)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }

  /// The whole number; `nil` for anything else.
  var whole: Int64? { if case .whole(let whole) = self { whole } else { nil } }

  /// The number; `nil` for anything else.
  var number: Double? {
    switch self {
    case .whole(let whole): Double(whole)
    case .real(let real): real
    default: nil
    }
  }
}
