import CV4L2

/// The right to change a device that several programs have open; V4L2's `enum v4l2_priority`.
///
/// While one program has a higher priority, the kernel refuses changes by the others with `busy`. All may
/// read.
public struct Priority: RawRepresentable, Hashable, Sendable, Comparable {
  /// The kernel's number; the higher takes precedence.
  public let rawValue: UInt32

  /// Creates the priority with the kernel's number `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// No priority has been set.
  public static let unset = Priority(rawValue: V4L2_PRIORITY_UNSET.rawValue)
  /// For background work, such as a monitor of signals.
  public static let background = Priority(rawValue: V4L2_PRIORITY_BACKGROUND.rawValue)
  /// For interactive use: the kernel's default.
  public static let interactive = Priority(rawValue: V4L2_PRIORITY_INTERACTIVE.rawValue)
  /// For work that must not be disturbed, such as a recording.
  public static let record = Priority(rawValue: V4L2_PRIORITY_RECORD.rawValue)

  /// Returns whether `first` gives way to `second`.
  public static func < (first: Priority, second: Priority) -> Bool { first.rawValue < second.rawValue }
}

extension Device {
  /// Returns the highest priority of all programs that have the device open.
  ///
  /// The corresponding ioctl is `VIDIOC_G_PRIORITY`.
  /// - Throws: ``V4L2Error``; `unsupported` if the driver has no priorities.
  public borrowing func priority() throws(V4L2Error) -> Priority {
    var raw: UInt32 = 0
    try check(cv4l2_g_priority(descriptor.rawValue, &raw), "VIDIOC_G_PRIORITY", on: path)
    return Priority(rawValue: raw)
  }

  /// Sets the priority of this open device, until it is closed.
  ///
  /// The corresponding ioctl is `VIDIOC_S_PRIORITY`.
  /// - Throws: ``V4L2Error``; `unsupported` if the driver has no priorities, or not this one; `busy` if
  ///   another program has a higher one and the driver allows no changes then.
  public borrowing func setPriority(_ priority: Priority) throws(V4L2Error) {
    var raw = priority.rawValue
    try check(cv4l2_s_priority(descriptor.rawValue, &raw), "VIDIOC_S_PRIORITY", on: path)
  }
}
