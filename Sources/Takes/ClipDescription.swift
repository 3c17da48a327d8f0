import FoundationEssentials

/// The description of a clip in a take. Only the code that makes clips interprets it; takes keep it
/// unchanged, with all that a newer version may have added.
public struct ClipDescription: Codable, Hashable, Sendable {
  private let content: JSONValue

  /// Encodes `spec`.
  ///
  /// - Throws: `EncodingError` if it cannot be JSON.
  public init(_ spec: some Encodable) throws {
    content = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(spec))
  }

  /// Decodes it as `type`.
  ///
  /// - Throws: `DecodingError` if it is not such a value.
  public func read<Spec: Decodable>(as type: Spec.Type) throws -> Spec {
    try JSONDecoder().decode(type, from: JSONEncoder().encode(content))
  }

  /// Decodes any JSON.
  public init(from decoder: any Decoder) throws { content = try JSONValue(from: decoder) }

  /// Encodes it as it was decoded.
  public func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }
}

/// Any JSON.
private enum JSONValue: Codable, Hashable, Sendable {
  case null
  case bool(Bool)
  case whole(Int64)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let whole = try? value.decode(Int64.self) {
      self = .whole(whole)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .whole(let whole): try value.encode(whole)
    case .number(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    case .list(let list): try value.encode(list)
    case .object(let object): try value.encode(object)
    }
  }
}
