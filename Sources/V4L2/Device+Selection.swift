import CV4L2

/// The ways in which a rectangle may be adjusted to the hardware; V4L2's `V4L2_SEL_FLAG_*`.
public struct SelectionFlags: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  public let rawValue: UInt32

  /// Creates a set of the flags in `rawValue`, known or not.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It may not become smaller.
  public static let atLeast = SelectionFlags(rawValue: UInt32(V4L2_SEL_FLAG_GE))
  /// It may not become larger; with ``atLeast``, the size is accepted unchanged or refused.
  public static let atMost = SelectionFlags(rawValue: UInt32(V4L2_SEL_FLAG_LE))
}

extension SelectionTarget {
  /// The default place of the captured picture.
  public static let composeDefault = SelectionTarget(rawValue: UInt32(V4L2_SEL_TGT_COMPOSE_DEFAULT))
  /// ``compose``, with the padding that the hardware writes around it.
  public static let composePadded = SelectionTarget(rawValue: UInt32(V4L2_SEL_TGT_COMPOSE_PADDED))
}

extension Device {
  /// Requests a rectangle and returns the rectangle that the driver set, in pixels.
  ///
  /// Only ``SelectionTarget/crop`` and ``SelectionTarget/compose`` can be set. Either may change the other
  /// and the format: read them back. The corresponding ioctl is `VIDIOC_S_SELECTION`.
  /// - Throws: ``V4L2Error``; `unsupported` if the driver has no such rectangle, or none that obeys `flags`;
  ///   `busy` while buffers are requested.
  @discardableResult
  public borrowing func setSelection(
    _ target: SelectionTarget, to rectangle: Rectangle, flags: SelectionFlags = []
  ) throws(V4L2Error) -> Rectangle {
    var raw = v4l2_selection()
    // Kernels take multi-planar types only since Linux 4.13, the single-planar one always.
    raw.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    raw.target = target.rawValue
    raw.flags = flags.rawValue
    raw.r = v4l2_rect(
      left: rectangle.left, top: rectangle.top, width: rectangle.width, height: rectangle.height)
    try check(cv4l2_s_selection(descriptor.rawValue, &raw), "VIDIOC_S_SELECTION", on: path)
    return Rectangle(raw.r)
  }
}
