import CV4L2

/// A control of a device and its present value; V4L2's `struct v4l2_query_ext_ctrl`.
public struct Control: Hashable, Sendable {
  /// `V4L2_CID_*`.
  public let id: UInt32
  /// The driver's name for it, such as `Exposure Time, Absolute`.
  public let name: String
  /// The type of its values.
  public let kind: Kind
  /// The minimum value; for a string, its minimum length.
  public let minimum: Int64
  /// The maximum value; for a string, its maximum length.
  public let maximum: Int64
  /// The distance between neighbouring values.
  public let step: UInt64
  /// The driver's default.
  public let defaultValue: Int64
  /// `V4L2_CTRL_FLAG_*`.
  public let flags: ControlFlags
  /// The number of elements of an array in each dimension; empty if it is not an array.
  public let dimensions: [UInt32]
  /// The present value; `nil` if it is not a single number, or cannot be read: buttons, strings, arrays.
  public var value: Int64?
  /// The text of a string control; `nil` for all others.
  public var text: String?

  /// Creates a control of these parts.
  public init(
    id: UInt32, name: String, kind: Kind = .integer, minimum: Int64, maximum: Int64, step: UInt64 = 1,
    defaultValue: Int64 = 0, flags: ControlFlags = [], dimensions: [UInt32] = [], value: Int64? = nil,
    text: String? = nil
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.defaultValue = defaultValue
    self.flags = flags
    self.dimensions = dimensions
    self.value = value
    self.text = text
  }

  /// The type of a control's values; V4L2's `enum v4l2_ctrl_type`.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The kernel's number.
    public let rawValue: UInt32

    /// Creates the kind with the kernel's number `rawValue`, known or not.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A whole number of 32 bits.
    public static let integer = Kind(rawValue: V4L2_CTRL_TYPE_INTEGER.rawValue)
    /// 0 or 1.
    public static let boolean = Kind(rawValue: V4L2_CTRL_TYPE_BOOLEAN.rawValue)
    /// One of a list of names.
    public static let menu = Kind(rawValue: V4L2_CTRL_TYPE_MENU.rawValue)
    /// An action that is carried out when it is set.
    public static let button = Kind(rawValue: V4L2_CTRL_TYPE_BUTTON.rawValue)
    /// A whole number of 64 bits.
    public static let integer64 = Kind(rawValue: V4L2_CTRL_TYPE_INTEGER64.rawValue)
    /// Text.
    public static let string = Kind(rawValue: V4L2_CTRL_TYPE_STRING.rawValue)
    /// 32 independent bits.
    public static let bitmask = Kind(rawValue: V4L2_CTRL_TYPE_BITMASK.rawValue)
    /// One of a list of numbers.
    public static let integerMenu = Kind(rawValue: V4L2_CTRL_TYPE_INTEGER_MENU.rawValue)
    /// An array of bytes.
    public static let u8 = Kind(rawValue: V4L2_CTRL_TYPE_U8.rawValue)
    /// An array of 16-bit numbers.
    public static let u16 = Kind(rawValue: V4L2_CTRL_TYPE_U16.rawValue)
    /// An array of 32-bit numbers.
    public static let u32 = Kind(rawValue: V4L2_CTRL_TYPE_U32.rawValue)
    /// The heading of a class of controls, which is not a control itself.
    static let heading = Kind(rawValue: V4L2_CTRL_TYPE_CTRL_CLASS.rawValue)
  }
}

/// One choice of a menu control; V4L2's `struct v4l2_querymenu`.
public struct ControlMenuItem: Hashable, Sendable {
  /// The control's value for this choice.
  public let index: UInt32
  /// Its name; for an item of an integer menu, its number.
  public let name: String

  /// Creates the item `name` at `index`.
  public init(index: UInt32, name: String) {
    self.index = index
    self.name = name
  }
}

/// V4L2's `V4L2_CTRL_FLAG_*`.
public struct ControlFlags: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  public let rawValue: UInt32

  /// Creates a set of the flags in `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It cannot be used at all.
  public static let disabled = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_DISABLED))
  /// Another program holds it for now, for example a stream that it would disturb.
  public static let grabbed = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_GRABBED))
  /// It cannot be set.
  public static let readOnly = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_READ_ONLY))
  /// Setting it changes other controls.
  public static let update = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_UPDATE))
  /// It has no effect at present, such as an exposure under auto exposure.
  public static let inactive = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_INACTIVE))
  /// It is best shown as a slider.
  public static let slider = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_SLIDER))
  /// It cannot be read.
  public static let writeOnly = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_WRITE_ONLY))
  /// The hardware changes it on its own.
  public static let volatile = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_VOLATILE))
  /// Its value is more than one number.
  public static let hasPayload = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_HAS_PAYLOAD))
  /// Setting it has an effect even if the value stays the same.
  public static let executeOnWrite = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_EXECUTE_ON_WRITE))
  /// Setting it may change the size of frames.
  public static let modifyLayout = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_MODIFY_LAYOUT))
  /// It is an array whose length may change.
  public static let dynamicArray = ControlFlags(rawValue: UInt32(V4L2_CTRL_FLAG_DYNAMIC_ARRAY))
}
