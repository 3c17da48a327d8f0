import CV4L2

/// How a rectangle may be moved to one that the hardware can do; V4L2's `V4L2_SEL_FLAG_*`.
public struct SelectionFlags: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  public let rawValue: UInt32

  /// The flags in `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It may not become smaller.
  public static let atLeast = SelectionFlags(rawValue: UInt32(V4L2_SEL_FLAG_GE))
  /// It may not become larger; with ``atLeast``, the size is taken as it is or refused.
  public static let atMost = SelectionFlags(rawValue: UInt32(V4L2_SEL_FLAG_LE))
}

extension SelectionTarget {
  /// Where the driver puts what was read, if nobody asks for another place.
  public static let composeDefault = SelectionTarget(rawValue: UInt32(V4L2_SEL_TGT_COMPOSE_DEFAULT))
  /// ``compose``, and what the hardware writes around it.
  public static let composePadded = SelectionTarget(rawValue: UInt32(V4L2_SEL_TGT_COMPOSE_PADDED))
}

extension Device {
  /// Asks for a rectangle and returns what the driver made of it, in pixels.
  ///
  /// Only ``SelectionTarget/crop`` and ``SelectionTarget/compose`` can be set. Either may change
  /// the other and the format: read them back. The corresponding ioctl is `VIDIOC_S_SELECTION`.
  /// - Throws: ``V4L2Error``; `unsupported` where the driver has no such rectangle, or none that
  ///   keeps to `flags`; `busy` while buffers are requested.
  @discardableResult
  public borrowing func setSelection(
    _ target: SelectionTarget, to rectangle: Rectangle, flags: SelectionFlags = []
  ) throws(V4L2Error) -> Rectangle {
    var raw = v4l2_selection()
    // Multi-planar types are taken since Linux 4.13 only, the single-planar one by every kernel.
    raw.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    raw.target = target.rawValue
    raw.flags = flags.rawValue
    raw.r = v4l2_rect(
      left: rectangle.left, top: rectangle.top, width: rectangle.width, height: rectangle.height)
    try check(cv4l2_s_selection(descriptor.rawValue, &raw), "VIDIOC_S_SELECTION", on: path)
    return Rectangle(raw.r)
  }
}
