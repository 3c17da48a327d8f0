public import Timebase
public import V4L2

/// What came of waiting for a frame.
public enum Arrival: Sendable {
  /// A frame was lent.
  case frame
  /// A frame was lent, but its memory was written over meanwhile: what was read of it is worth nothing.
  case overwritten
  /// None came in the time given.
  case nothing
  /// None will come any more: the stream has ended in good order.
  case ended
}

/// A camera that is set to a mode and films from ``begin()`` on.
///
/// A stream belongs to one thread at a time, the capture thread. Neither ``next(within:_:)`` nor what it calls
/// may lock, allocate, or make a system call beyond the wait for the frame and the frame's way out and back.
/// A stream that is dropped without ``stop()`` releases everything all the same, silently.
public protocol CameraStream: ~Copyable, Sendable {
  /// What the camera agreed to.
  var configuration: StreamConfiguration { get }

  /// Starts the flow of frames; called once, on the capture thread, when all is ready for them.
  ///
  /// - Throws: ``CameraError`` where the camera refuses, as a USB camera does whose bus has no bandwidth left.
  mutating func begin() throws(CameraError)

  /// Waits at most `milliseconds` for the next frame and lends it to `body`.
  ///
  /// - Throws: ``CameraError`` where the camera failed or was unplugged: no frame will follow.
  mutating func next(
    within milliseconds: Int32, _ body: (borrowing Frame) -> Void
  ) throws(CameraError) -> Arrival

  /// Stops filming and puts the camera back as it was found.
  ///
  /// - Throws: ``CameraError`` where something could not be put back; the stream is released even so.
  consuming func stop() throws(CameraError)
}

/// What a camera agreed to when its stream was started: the accepted mode, not the claimed one.
public struct StreamConfiguration: Hashable, Sendable {
  /// The accepted pixel format.
  public var format: PixelFormat
  /// The accepted width in pixels.
  public var width: Int
  /// The accepted height in pixels.
  public var height: Int
  /// The interval that the driver gave back; `nil` where it knows none.
  public var acceptedInterval: FrameInterval?
  /// The clock of every ``Frame/timestampNanoseconds``.
  public var clock: FrameClock
  /// The most bytes that one frame can have.
  public var largestFrame: Int
  /// How many frames the driver can hold before it loses one.
  public var bufferCount: Int
  /// How colours are to be read.
  public var colorimetry: Colorimetry
  /// How the camera's controls stand, by name; empty where it has none.
  public var controls: [String: ControlInForce]

  /// A configuration of these parts.
  public init(
    format: PixelFormat, width: Int, height: Int, acceptedInterval: FrameInterval?, clock: FrameClock,
    largestFrame: Int, bufferCount: Int, colorimetry: Colorimetry,
    controls: [String: ControlInForce] = [:]
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.acceptedInterval = acceptedInterval
    self.clock = clock
    self.largestFrame = largestFrame
    self.bufferCount = bufferCount
    self.colorimetry = colorimetry
    self.controls = controls
  }
}

/// The clock that frames are stamped with.
public enum FrameClock: String, Codable, Hashable, Sendable {
  /// `CLOCK_MONOTONIC`, by the driver.
  case monotonic
  /// Copied by the driver from elsewhere, as v4l2loopback does from its writer.
  case copied
  /// The driver does not say.
  case unknown
  /// `CLOCK_MONOTONIC` when a frame was taken from the driver, as its own timestamps cannot be true.
  case dequeue
}

/// How a camera says its colours are coded; V4L2's colorspace fields. Zero is the driver's default.
public struct Colorimetry: Codable, Hashable, Sendable {
  /// `enum v4l2_colorspace`: see ``Colorspace``.
  public var colorspace: UInt32
  /// `enum v4l2_xfer_func`: see ``TransferFunction``.
  public var transfer: UInt32
  /// `enum v4l2_ycbcr_encoding`: see ``YCbCrEncoding``.
  public var encoding: UInt32
  /// `enum v4l2_quantization`: see ``Quantization``.
  public var quantization: UInt32

  /// The kernel's four numbers.
  public init(colorspace: UInt32 = 0, transfer: UInt32 = 0, encoding: UInt32 = 0, quantization: UInt32 = 0) {
    self.colorspace = colorspace
    self.transfer = transfer
    self.encoding = encoding
    self.quantization = quantization
  }
}
