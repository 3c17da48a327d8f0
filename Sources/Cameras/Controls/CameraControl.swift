import Timebase
public import V4L2

/// A camera's control with its choices, under the name that people use.
public struct CameraControl: Hashable, Sendable {
  /// The kernel's description of it.
  public let control: Control
  /// The items of a menu; empty for other kinds.
  public let items: [ControlMenuItem]

  /// Creates a control from the kernel's `control` and its `items`.
  public init(_ control: Control, items: [ControlMenuItem] = []) {
    self.control = control
    self.items = items
  }

  /// Its name as v4l2-ctl spells it, such as `exposure_time_absolute`.
  public var name: String { Self.spelling(of: control.name) }

  /// Spells a driver's name as v4l2-ctl does: `Exposure Time, Absolute` becomes `exposure_time_absolute`.
  ///
  /// Letters become lowercase, and each run of other characters between words becomes one underscore.
  public static func spelling(of name: String) -> String {
    let words = name.utf8.split { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        false
      default: true
      }
    }
    return words.map { String(decoding: $0, as: UTF8.self).lowercased() }.joined(separator: "_")
  }

  /// Returns the menu item that stands for `value`; `nil` if there is none.
  public func item(for value: Int64?) -> ControlMenuItem? {
    items.first { Int64($0.index) == value }
  }

  /// Describes `value`: `3 (Aperture Priority Mode)` for a menu, hexadecimal for bits, the number for others.
  public func words(for value: Int64?) -> String {
    guard let value else { return "unreadable" }
    guard control.kind != .bitmask else { return "0x\(String(value, radix: 16))" }
    if let exposure = exposure(for: value) {
      return "\(value) (\((exposure.inSeconds * Fraction(1000)).decimal(places: 1)) ms)"
    }
    return item(for: value).map { "\(value) (\($0.name))" } ?? "\(value)"
  }

  /// Returns the exposure time that `value` means; `nil` if the control is not an exposure time.
  private func exposure(for value: Int64) -> Duration? {
    control.id == ControlID.exposureAbsolute ? ExposureUnit.duration(value) : nil
  }

  /// The name of its kind.
  public var kindName: String {
    switch control.kind {
    case .integer: "int"
    case .boolean: "bool"
    case .menu: "menu"
    case .button: "button"
    case .integer64: "int64"
    case .string: "str"
    case .bitmask: "bitmask"
    case .integerMenu: "intmenu"
    case .u8: "u8"
    case .u16: "u16"
    case .u32: "u32"
    default: "compound"
    }
  }

  /// The names of its flags, in v4l2-ctl's words, without unknown ones.
  public var flagNames: [String] {
    let names: [(ControlFlags, String)] = [
      (.grabbed, "grabbed"), (.readOnly, "read-only"), (.update, "update"), (.inactive, "inactive"),
      (.slider, "slider"), (.writeOnly, "write-only"), (.volatile, "volatile"), (.hasPayload, "has-payload"),
      (.executeOnWrite, "execute-on-write"), (.modifyLayout, "modify-layout"),
      (.dynamicArray, "dynamic-array"),
    ]
    return names.filter { control.flags.contains($0.0) }.map(\.1)
  }
}

extension CameraControl: Encodable {
  enum CodingKeys: String, CodingKey {
    case id, name, value, items, flags, step
    case driverName = "driver_name"
    case kind = "type"
    case minimum = "min"
    case maximum = "max"
    case defaultValue = "default"
    case dimensions = "dims"
  }

  private struct Item: Encodable {
    var value: UInt32
    var name: String
  }

  /// Encodes an entry of the list of controls; unknown values are `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(control.id, forKey: .id)
    try keys.encode(name, forKey: .name)
    try keys.encode(control.name, forKey: .driverName)
    try keys.encode(kindName, forKey: .kind)
    try keys.encode(control.minimum, forKey: .minimum)
    try keys.encode(control.maximum, forKey: .maximum)
    try keys.encode(control.step, forKey: .step)
    try keys.encode(control.defaultValue, forKey: .defaultValue)
    if let text = control.text {
      try keys.encode(text, forKey: .value)
    } else {
      try keys.encode(control.value, forKey: .value)
    }
    try keys.encode(control.dimensions, forKey: .dimensions)
    try keys.encode(flagNames, forKey: .flags)
    try keys.encode(items.map { Item(value: $0.index, name: $0.name) }, forKey: .items)
  }
}

extension [CameraControl] {
  /// The button that makes the camera focus once; `nil` if it has none.
  public var focusStart: CameraControl? { settable(ControlID.focusStart) }
}
