public import Timebase

/// The name of a microphone, as users write it.
public enum MicrophoneName: Hashable, Sendable, CustomStringConvertible {
  /// A device as libasound names it: `default`, `hw:1,0`, `plughw:CARD=Mic`.
  case device(String)
  /// A part of a card's name.
  case card(String)
  /// A simulated microphone, by its whole address: `sim:,drift=500ppm`.
  case simulated(String)
  /// No microphone at all.
  case none

  /// The prefix of a simulated microphone's name.
  public static let simulatedPrefix = "sim:"

  /// Parses one name.
  public init(_ text: String) {
    if text == "none" {
      self = .none
    } else if text.hasPrefix(Self.simulatedPrefix) {
      self = .simulated(text)
    } else if text == "default" || text.contains(":") {
      self = .device(text)
    } else {
      self = .card(text)
    }
  }

  /// Parses a list of names in order of preference, such as `usb,default,none`: the first available one is
  /// used.
  ///
  /// Names contain commas themselves: a number, or a part with an equals sign, belongs to the name before it,
  /// as in `hw:1,0,default` and `sim:,drift=500ppm,none`.
  ///
  /// - Throws: `QuantityError` if a name is empty, or something follows a name that always has a result: `none`, or a
  ///   simulated microphone, which only `none` may follow.
  public static func list(text: String) throws(QuantityError) -> [MicrophoneName] {
    var names: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let isRest = part.contains("=") || !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      if isRest, let last = names.indices.last, names[last].contains(":") {
        names[last] += "," + part
      } else {
        names.append(String(part))
      }
    }
    let list = names.map { MicrophoneName($0) }
    guard !names.contains(""), list.dropLast().allSatisfy({ $0 != .none }) else {
      throw QuantityError(
        text,
        expected:
          "microphones in order of preference, such as default, hw:1,0 or usb,default,none; none comes last")
    }
    if let sim = names.firstIndex(where: { $0.hasPrefix(Self.simulatedPrefix) }),
      let next = names.dropFirst(sim + 1).first(where: { $0 != "none" })
    {
      throw QuantityError(
        text,
        expected:
          "a list that ends with its simulated microphone, which always exists: \"\(next)\" is no setting of it, such as "
          + "drift=500ppm")
    }
    return list
  }

  /// The name as users write it.
  public var description: String {
    switch self {
    case .device(let name), .card(let name), .simulated(let name): name
    case .none: "none"
    }
  }
}
