import Overcrank

/// A control in the API's form.
struct StudioControl: Encodable, Hashable, Sendable {
  let control: CameraControl
  /// The greatest value of an exposure that keeps the rate; `nil` for other controls, and if the rate is
  /// unknown.
  let frameLimit: Int64?

  /// Creates the API's form of a control; `nil` if a page cannot show it.
  ///
  /// - Parameters:
  ///   - control: the camera's control.
  ///   - interval: the time between two frames; `nil` if unknown.
  init?(_ control: CameraControl, interval: Duration?) {
    guard Self.kinds[control.kindName] != nil, control.control.dimensions.isEmpty else { return nil }
    self.control = control
    frameLimit = Self.isExposure(control) ? interval.map { Int64(clamping: $0 / .microseconds(100)) } : nil
  }

  private static let kinds = [
    "int": "integer", "int64": "integer", "u8": "integer", "u16": "integer", "u32": "integer",
    "bool": "boolean", "menu": "menu", "intmenu": "menu", "button": "button",
  ]

  /// Returns whether a control is an exposure time. `V4L2_CID_EXPOSURE_ABSOLUTE` counts in units of 100
  /// microseconds.
  private static func isExposure(_ control: CameraControl) -> Bool { control.control.id == 0x009a_0902 }

  private enum CodingKeys: String, CodingKey {
    case name, title, kind, minimum, maximum, step, value, menu, unit
    case defaultValue = "default"
    case isActive = "is_active"
    case isReadOnly = "is_read_only"
    case frameLimit = "frame_limit"
  }

  private struct Item: Encodable {
    var value: UInt32
    var title: String
  }

  func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    let flags = control.flagNames
    try keys.encode(control.name, forKey: .name)
    try keys.encode(control.control.name, forKey: .title)
    try keys.encode(Self.kinds[control.kindName], forKey: .kind)
    try keys.encode(control.control.minimum, forKey: .minimum)
    try keys.encode(control.control.maximum, forKey: .maximum)
    try keys.encode(control.control.step, forKey: .step)
    try keys.encode(control.control.defaultValue, forKey: .defaultValue)
    try keys.encode(control.control.value, forKey: .value)
    try keys.encode(!flags.contains("inactive"), forKey: .isActive)
    try keys.encode(flags.contains("read-only"), forKey: .isReadOnly)
    try keys.encode(
      control.items.isEmpty ? nil : control.items.map { Item(value: $0.index, title: $0.name) }, forKey: .menu
    )
    try keys.encode(Self.isExposure(control) ? "100us" : nil, forKey: .unit)
    try keys.encode(frameLimit, forKey: .frameLimit)
  }
}

/// The frames of a review.
struct StudioReviewFrames: Encodable, Hashable, Sendable {
  /// The driver's sequence numbers.
  var sequence: [Int64]
  /// Nanoseconds from the trigger's frame, negative before it; from the first frame without a trigger.
  var time: [Int64]

  private enum CodingKeys: String, CodingKey {
    case sequence
    case time = "time_ns"
  }
}
