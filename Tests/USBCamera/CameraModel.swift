public import CameraModel

/// The claims and the frames of a simulated USB camera.
public struct CameraModel: Sendable {
  /// A size in which frames are sent.
  public struct Size: Sendable {
    /// Pixels in a row.
    public var width: UInt16
    /// Rows.
    public var height: UInt16
    /// The frame intervals, in the video class's units of 100 ns, the shortest first.
    public var intervals: [UInt32]
  }

  /// A format in which frames are sent.
  public struct Format: Sendable {
    /// Motion JPEG or YUYV; no others are described.
    public var pixelFormat: PixelFormat
    /// Its sizes, the default first.
    public var sizes: [Size]
  }

  /// The product's name, which is the card's.
  public var name = "Overcrank Test Camera"
  /// The version of USB that it claims, in binary-coded decimals: 0x0200.
  public var usbVersion: UInt16 = 0x0200
  /// Its formats. The rates are written as cameras write them: 41666 for 240 fps, 83333 for 120.
  public var formats: [Format] = [
    Format(
      pixelFormat: .mjpeg,
      sizes: [
        Size(width: 640, height: 480, intervals: [83333, 166_666, 333_333]),
        Size(width: 320, height: 240, intervals: [41666, 83333, 333_333]),
        Size(width: 1280, height: 720, intervals: [166_666, 333_333]),
      ]),
    Format(
      pixelFormat: .yuyv,
      sizes: [
        Size(width: 640, height: 480, intervals: [333_333, 666_666]),
        Size(width: 320, height: 240, intervals: [83333, 333_333]),
      ]),
  ]

  /// The width up to which it sends frames as soon as it is plugged in. At a larger one it may answer late,
  /// and then it does not send: its pictures are drawn on request, and the kernel waits only five seconds.
  public var readyWidth: UInt16 = 320

  /// The camera above, on USB 2.
  public init() {}
}
