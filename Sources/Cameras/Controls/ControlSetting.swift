public import Platform
import CameraModel
public import Timebase

/// A control and a value for it, as typed: `brightness=140`.
public struct ControlSetting: Hashable, Sendable {
  /// The control's name, in v4l2-ctl's or the driver's spelling, or its number.
  public let name: String
  /// The value: a number, the name of a menu item, or `on` or `off`.
  public let value: String

  /// Reads `NAME=VALUE`.
  public init(text: String) throws(QuantityError) {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex, text.index(after: sign) < text.endIndex
    else {
      throw QuantityError(text, expected: "a control and its value, such as brightness=140")
    }
    name = String(text[..<sign])
    value = String(text[text.index(after: sign)...])
  }

  /// Returns the change that this means for a camera with `controls`.
  ///
  /// - Throws: `OvercrankError` with `noControl` if there is no such control or it is read-only, with
  ///   `badValue` if it does not take the value.
  public func change(among controls: [CameraControl], of camera: String) throws(OvercrankError)
    -> ControlChange
  {
    let control = try Self.control(named: name, among: controls, of: camera)
    guard !control.control.flags.contains(.readOnly) else {
      throw OvercrankError(
        .noControl, "\(camera.asSubject) \(control.name) is read-only: its driver does not let it be set.")
    }
    return ControlChange(
      id: control.control.id, name: control.name, value: try control.value(reading: value, of: camera),
      isRequired: true)
  }

  /// Returns the control of `controls` that is called `name`.
  ///
  /// - Throws: `OvercrankError` with `noControl` if there is none.
  static func control(
    named name: String, among controls: [CameraControl], of camera: String
  ) throws(OvercrankError) -> CameraControl {
    let spelled = CameraControl.spelling(of: name)
    guard
      let control = controls.first(where: {
        $0.name == spelled || $0.control.name == name || name == "0x" + String($0.control.id, radix: 16)
      })
    else {
      let names = controls.map(\.name)
      let near = names.near(spelled).prefix(4)
      throw OvercrankError(
        .noControl,
        (names.isEmpty
          ? "\(camera) has no controls, so \(name) cannot be set."
          : "\(camera) has no control \"\(name)\". "
            + (near.isEmpty ? "See which it has." : "Similar: \(near.joined(separator: ", ")).")),
        remedy: names.isEmpty ? nil : .listControls(camera: camera))
    }
    return control
  }
}

extension CameraControl {
  /// Returns the number that `text` means to this control.
  func value(reading text: String, of camera: String) throws(OvercrankError) -> Int64 {
    func refusal(_ reason: String) -> OvercrankError {
      OvercrankError(.badValue, "\(camera.asSubject) \(name) cannot be \"\(text)\": \(reason).")
    }
    let number = Int64(text) ?? (text.hasPrefix("0x") ? Int64(text.dropFirst(2), radix: 16) : nil)
    guard control.dimensions.isEmpty else { throw refusal("it is an array, which can only be read") }
    switch control.kind {
    case .integer, .integer64:
      guard let number, control.minimum <= number, number <= control.maximum else {
        throw refusal("it takes a whole number from \(control.minimum) to \(control.maximum)")
      }
      return number
    case .boolean:
      switch text.lowercased() {
      case "1", "true", "on": return 1
      case "0", "false", "off": return 0
      default: throw refusal("it takes on or off, true or false, 1 or 0")
      }
    case .menu, .integerMenu:
      let named = items.filter {
        $0.name.lowercased() == text.lowercased() || Self.spelling(of: $0.name) == Self.spelling(of: text)
      }
      // A number is a menu index, even if the items are numbers themselves.
      if let item = item(for: number) ?? named.first { return Int64(item.index) }
      let choices = items.map { "\($0.index) (\($0.name))" }.joined(separator: ", ")
      throw refusal("its choices are \(choices)")
    case .bitmask:
      let mask = UInt32(truncatingIfNeeded: control.maximum)
      guard let number, let bits = UInt32(exactly: number), bits & ~mask == 0 else {
        throw refusal("it takes only bits within 0x\(String(mask, radix: 16))")
      }
      return Int64(bits)
    case .button:
      return number ?? 1
    default:
      throw refusal("it can only be read")
    }
  }
}
