import CameraModel
import V4L2

extension Profile: Decodable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, match, kind, native, modes, controls, quirks, raw, measured, source, notes
    case drawnAs = "drawn_as"
  }

  /// Reads a profile and checks that it is valid.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    id = try keys.text(.id)
    guard id.utf8.allSatisfy(Self.idCharacters.contains) else {
      throw keys.wrong(
        .id, "\"\(id)\" is not an id: use lowercase letters, digits and hyphens, because it follows sim:")
    }
    name = try keys.text(.name)
    match = try keys.decode(Match.self, forKey: .match)
    modes = try keys.list(.modes)
    controls = try keys.list(.controls)
    quirks = try keys.list(.quirks)
    measured = try keys.list(.measured)
    source = try keys.text(.source)
    notes = try keys.list(.notes)
    kind = try keys.textIfPresent(.kind).map { word in
      guard let kind = CameraKind(rawValue: word) else {
        let kinds = CameraKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw keys.wrong(.kind, "\"\(word)\" is not one of \(kinds)")
      }
      return kind
    }
    native = try keys.dimensions(.native)
    drawnAs = try keys.textIfPresent(.drawnAs)
    raw = try keys.decodeIfPresent(Raw.self, forKey: .raw)
    if let drawnAs, PixelFormat(fourcc: drawnAs) == nil {
      throw keys.wrong(.drawnAs, "\"\(drawnAs)\" is not a pixel format, such as GREY")
    }
    if let native, let crop = modes.compactMap(\.crop).first(where: { !$0.lies(within: native) }) {
      throw keys.wrong(.modes, "the crop \(crop) extends beyond the native size \(native)")
    }
    if drawnAs == nil, modes.contains(where: \.formats.isEmpty) {
      throw keys.wrong(.modes, "a mode names no formats, and there is no drawn_as")
    }
  }

  private static let idCharacters = Set("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)
}

extension [Int] {
  fileprivate func lies(within native: Dimensions) -> Bool {
    self[0] + self[2] <= native.width && self[1] + self[3] <= native.height
  }
}

extension Profile.Match: Decodable {
  enum CodingKeys: String, CodingKey, CaseIterable { case driver, card, usb, sensor }

  /// Reads the criteria by which a camera is recognized.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    driver = try keys.textIfPresent(.driver)
    card = try keys.textIfPresent(.card)
    usb = try keys.textIfPresent(.usb)
    sensor = try keys.textIfPresent(.sensor)
    if let usb, !usb.isUSBIdentity {
      throw keys.wrong(.usb, "\"\(usb)\" is not a USB vendor and product, such as \"046d:085c\" in quotes")
    }
    if demands == 0 {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "nothing to match: give driver, card, usb or sensor"))
    }
  }
}

extension String {
  fileprivate var isUSBIdentity: Bool {
    let parts = split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { $0.count == 4 && $0.allSatisfy(\.isHexDigit) }
  }
}

extension Profile.Control: Decodable {
  enum CodingKeys: String, CodingKey, CaseIterable { case name, value, why, source }

  /// Reads a control and checks that its texts are not empty.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    name = try keys.text(.name)
    value = try keys.decode(Int.self, forKey: .value)
    why = try keys.text(.why)
    source = try keys.textIfPresent(.source)
  }
}

extension Profile.Quirk: Decodable {
  enum CodingKeys: String, CodingKey, CaseIterable { case kind, note, source }

  /// Reads a quirk.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    let word = try keys.text(.kind)
    guard let kind = Kind(rawValue: word) else {
      let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw keys.wrong(.kind, "\"\(word)\" is not one of \(kinds)")
    }
    self.kind = kind
    note = try keys.text(.note)
    source = try keys.textIfPresent(.source)
  }
}

extension Profile.Measurement: Decodable {
  enum CodingKeys: String, CodingKey, CaseIterable { case size, format, asked, got, note, source }

  /// Reads a measurement.
  public init(from decoder: any Decoder) throws {
    let keys = try decoder.known(CodingKeys.self)
    asked = try keys.decode(ProfileRate.self, forKey: .asked)
    got = try keys.decode(ProfileRate.self, forKey: .got)
    size = try keys.dimensions(.size)
    format = try keys.textIfPresent(.format)
    note = try keys.textIfPresent(.note)
    source = try keys.textIfPresent(.source)
  }
}
