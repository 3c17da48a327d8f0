public import CameraModel
import CV4L2

/// A rectangle in pixels; V4L2's `struct v4l2_rect`.
public struct Rectangle: Hashable, Sendable {
  /// Pixels from the left.
  public var left: Int32
  /// Pixels from the top.
  public var top: Int32
  /// Pixels across.
  public var width: UInt32
  /// Pixels down.
  public var height: UInt32

  /// Creates a rectangle at `left`, `top`.
  public init(left: Int32, top: Int32, width: UInt32, height: UInt32) {
    self.left = left
    self.top = top
    self.width = width
    self.height = height
  }

  /// Its width and height.
  public var size: Dimensions { Dimensions(width: width, height: height) }
}

extension Rectangle {
  init(_ raw: v4l2_rect) {
    self.init(left: raw.left, top: raw.top, width: raw.width, height: raw.height)
  }
}

/// The kind of a device's rectangle; V4L2's `V4L2_SEL_TGT_*`.
public struct SelectionTarget: RawRepresentable, Hashable, Sendable {
  /// The kernel's value.
  public let rawValue: UInt32

  /// Creates the target with the kernel's value `rawValue`.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The part of the source that is read at present.
  public static let crop = SelectionTarget(rawValue: UInt32(V4L2_SEL_TGT_CROP))
  /// The whole picture: a sensor's active pixels, without black and other unlit ones.
  public static let cropDefault = SelectionTarget(rawValue: UInt32(V4L2_SEL_TGT_CROP_DEFAULT))
  /// The bounds of every crop.
  public static let cropBounds = SelectionTarget(rawValue: UInt32(V4L2_SEL_TGT_CROP_BOUNDS))
  /// All pixels of a sensor, lit or not.
  public static let nativeSize = SelectionTarget(rawValue: UInt32(V4L2_SEL_TGT_NATIVE_SIZE))
  /// The place of the captured picture, and thus the size to which it is scaled.
  public static let compose = SelectionTarget(rawValue: UInt32(V4L2_SEL_TGT_COMPOSE))
  /// The bounds of every composition.
  public static let composeBounds = SelectionTarget(rawValue: UInt32(V4L2_SEL_TGT_COMPOSE_BOUNDS))
}

extension Device {
  /// Returns a rectangle of the node; `nil` if its driver has none of this kind.
  ///
  /// The corresponding ioctl is `VIDIOC_G_SELECTION`.
  public borrowing func selection(_ target: SelectionTarget) throws(V4L2Error) -> Rectangle? {
    var raw = v4l2_selection()
    // Kernels take multi-planar types only since Linux 4.13, the single-planar one always.
    raw.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    raw.target = target.rawValue
    let result = cv4l2_g_selection(descriptor.rawValue, &raw)
    return try exists(result, "VIDIOC_G_SELECTION", on: path) ? Rectangle(raw.r) : nil
  }
}

extension Rectangle: CustomStringConvertible {
  /// `(8,8)/640x480`, as media-ctl prints it.
  public var description: String { "(\(left),\(top))/\(size)" }
}

extension SelectionTarget: CustomStringConvertible {
  /// The target's name, such as `crop` or `compose`, or its number if it has no name here.
  public var description: String {
    switch self {
    case .crop: "crop"
    case .cropDefault: "default crop"
    case .cropBounds: "crop bounds"
    case .nativeSize: "native size"
    case .compose: "compose"
    case .composeBounds: "compose bounds"
    default: "rectangle 0x" + String(rawValue, radix: 16)
    }
  }
}
