import CV4L2
public import Timebase

/// An event of a device; V4L2's `struct v4l2_event`.
public struct Event: Hashable, Sendable {
  /// The kind of event, with its data.
  public let payload: Payload
  /// The control's id, or the number of the input whose signal changed; 0 for others.
  public let id: UInt32
  /// The number of the event among those of this open device; a gap is a lost event.
  public let sequence: UInt32
  /// The time of the event, on `CLOCK_MONOTONIC`.
  public let timestamp: Instant
  /// The number of further pending events.
  public let pendingCount: UInt32

  /// A kind of event with its data.
  public enum Payload: Hashable, Sendable {
    /// A control changed: the one with the id ``Event/id``.
    case control(ControlChangeEvent)
    /// The signal of an input changed: the one with the number ``Event/id``.
    case sourceChange(SourceChanges)
    /// The stream ended: the filled buffers are the last.
    case endOfStream
    /// Another kind of event, without its data.
    case other(EventKind)
  }
}

/// A kind of event; V4L2's `V4L2_EVENT_*`.
public struct EventKind: RawRepresentable, Hashable, Sendable {
  /// The kernel's number.
  public let rawValue: UInt32

  /// Creates the kind with the kernel's number `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A display's vertical blank.
  public static let verticalSync = EventKind(rawValue: UInt32(V4L2_EVENT_VSYNC))
  /// The end of a stream.
  public static let endOfStream = EventKind(rawValue: UInt32(V4L2_EVENT_EOS))
  /// A control's change.
  public static let control = EventKind(rawValue: UInt32(V4L2_EVENT_CTRL))
  /// The start of a frame.
  public static let frameSync = EventKind(rawValue: UInt32(V4L2_EVENT_FRAME_SYNC))
  /// An input's change of signal.
  public static let sourceChange = EventKind(rawValue: UInt32(V4L2_EVENT_SOURCE_CHANGE))
  /// Motion detected by the hardware.
  public static let motionDetection = EventKind(rawValue: UInt32(V4L2_EVENT_MOTION_DET))
}

/// The new state of a control; V4L2's `struct v4l2_event_ctrl`.
public struct ControlChangeEvent: Hashable, Sendable {
  /// The parts of the control that changed.
  public let changes: ControlChanges
  /// The type of its values.
  public let kind: Control.Kind
  /// The value; `nil` for a control whose value is more than one number.
  public let value: Int64?
  /// The flags.
  public let flags: ControlFlags
  /// The minimum value.
  public let minimum: Int64
  /// The maximum value.
  public let maximum: Int64
  /// The distance between neighbouring values.
  public let step: UInt64
  /// The driver's default.
  public let defaultValue: Int64
}

/// The parts of a control that changed; V4L2's `V4L2_EVENT_CTRL_CH_*`.
public struct ControlChanges: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  public let rawValue: UInt32

  /// Creates a set of the changes in `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Its value.
  public static let value = ControlChanges(rawValue: UInt32(V4L2_EVENT_CTRL_CH_VALUE))
  /// Its flags, for example if another control makes it inactive.
  public static let flags = ControlChanges(rawValue: UInt32(V4L2_EVENT_CTRL_CH_FLAGS))
  /// Its minimum or maximum value, step or default.
  public static let range = ControlChanges(rawValue: UInt32(V4L2_EVENT_CTRL_CH_RANGE))
  /// An array's dimensions.
  public static let dimensions = ControlChanges(rawValue: UInt32(V4L2_EVENT_CTRL_CH_DIMENSIONS))
}

/// The parts of an input's signal that changed; V4L2's `V4L2_EVENT_SRC_CH_*`.
public struct SourceChanges: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  public let rawValue: UInt32

  /// Creates a set of the changes in `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Its resolution or timing, or its presence: stop, read the format again, and restart.
  public static let resolution = SourceChanges(rawValue: UInt32(V4L2_EVENT_SRC_CH_RESOLUTION))
}

extension Event {
  init(_ raw: v4l2_event) {
    id = raw.id
    sequence = raw.sequence
    timestamp = Instant(
      nanoseconds: Int64(raw.timestamp.tv_sec) &* 1_000_000_000 &+ Int64(raw.timestamp.tv_nsec))
    pendingCount = raw.pending
    // The union is read by the type that names the filled member.
    payload =
      switch EventKind(rawValue: raw.type) {
      case .control: .control(ControlChangeEvent(raw.u.ctrl))
      case .sourceChange: .sourceChange(SourceChanges(rawValue: raw.u.src_change.changes))
      case .endOfStream: .endOfStream
      case let kind: .other(kind)
      }
  }
}

extension ControlChangeEvent {
  init(_ raw: v4l2_event_ctrl) {
    changes = ControlChanges(rawValue: raw.changes)
    kind = Control.Kind(rawValue: raw.type)
    flags = ControlFlags(rawValue: raw.flags)
    value =
      switch kind {
      case _ where flags.contains(.hasPayload): nil
      case .integer64: raw.value64
      // Bit 31 is an ordinary bit, not a sign.
      case .bitmask: Int64(UInt32(bitPattern: raw.value))
      default: Int64(raw.value)
      }
    minimum = Int64(raw.minimum)
    maximum = Int64(raw.maximum)
    step = UInt64(UInt32(bitPattern: raw.step))
    defaultValue = Int64(raw.default_value)
  }
}
