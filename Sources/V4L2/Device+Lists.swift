public import CameraModel

extension Device {
  /// Returns the formats that the node captures in, in the driver's order.
  ///
  /// The corresponding ioctl is `VIDIOC_ENUM_FMT`.
  /// - Parameter code: lists only formats into which pictures that arrive as `code` can be captured. Nodes
  ///   without ``CapabilityFlags/mediaControllerIO`` ignore it, as do kernels before 5.8.
  @_lifetime(borrow self)
  public borrowing func formats(for code: MediaBusCode? = nil) -> DriverList<FormatDescription> {
    let node = node
    return DriverList(of: self) { index throws(V4L2Error) in try node.format(at: index, for: code) }
  }

  /// Returns the sizes of frames in `format`, in pixels; empty if the driver lists none.
  ///
  /// A range of sizes is the whole list. The corresponding ioctl is `VIDIOC_ENUM_FRAMESIZES`.
  @_lifetime(borrow self)
  public borrowing func frameSizes(of format: PixelFormat) -> DriverList<FrameSize> {
    let node = node
    return DriverList(of: self, isWhole: \.isRange) { index throws(V4L2Error) in
      try node.frameSize(of: format, at: index)
    }
  }

  /// Returns the intervals of frames in `format` at `size`, in seconds per frame; empty if the driver lists
  /// none.
  ///
  /// A range of intervals is the whole list. The corresponding ioctl is `VIDIOC_ENUM_FRAMEINTERVALS`.
  @_lifetime(borrow self)
  public borrowing func frameIntervals(
    of format: PixelFormat, size: Dimensions
  ) -> DriverList<FrameIntervals> {
    let node = node
    return DriverList(
      of: self,
      isWhole: { if case .discrete = $0 { false } else { true } },
      byIndex: { index throws(V4L2Error) in try node.frameIntervals(of: format, size: size, at: index) })
  }

  /// Returns the node's inputs: a webcam's only one, or the connectors of a grabber.
  ///
  /// The corresponding ioctl is `VIDIOC_ENUMINPUT`.
  @_lifetime(borrow self)
  public borrowing func inputs() -> DriverList<Input> {
    let node = node
    return DriverList(of: self) { index throws(V4L2Error) in try node.input(at: index) }
  }

  /// Returns all controls except disabled ones, in the order of their ids, with the values of those that hold
  /// one number or text.
  ///
  /// The corresponding ioctls are `VIDIOC_QUERY_EXT_CTRL` and `VIDIOC_G_EXT_CTRLS`.
  @_lifetime(borrow self)
  public borrowing func controls() -> DriverList<Control> {
    let node = node
    var last: UInt32 = 0
    return DriverList(of: self) { () throws(V4L2Error) in
      while let raw = try node.queryControl(after: last) {
        last = raw.id
        let control = node.readControl(raw)
        if control.kind != .heading, !control.flags.contains(.disabled) { return control }
      }
      return nil
    }
  }

  /// Returns the items of a menu control; empty for others. A menu may omit numbers.
  ///
  /// The corresponding ioctl is `VIDIOC_QUERYMENU`.
  @_lifetime(borrow self)
  public borrowing func menu(of control: Control) -> DriverList<ControlMenuItem> {
    let node = node
    var indices = control.menuIndices.makeIterator()
    return DriverList(of: self) { () throws(V4L2Error) in
      while let index = indices.next() {
        if let item = try node.menuItem(of: control, at: index) { return item }
      }
      return nil
    }
  }
}

extension Control {
  /// The possible indices of a menu's items, from its minimum to its maximum value. Empty for other kinds.
  ///
  /// At most 1024: otherwise a menu that omits all of four thousand million numbers would be queried for
  /// each.
  var menuIndices: ArraySlice<UInt32> {
    guard kind == .menu || kind == .integerMenu, minimum >= 0, minimum <= maximum, maximum <= UInt32.max
    else { return [] }
    return (UInt32(minimum)...UInt32(min(maximum, minimum + 1023))).map { $0 }[...]
  }
}
