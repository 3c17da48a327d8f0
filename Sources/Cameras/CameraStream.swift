public import Platform
public import CameraModel

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
  /// - Throws: `OvercrankError` where the camera refuses, as a USB camera does whose bus has no bandwidth left.
  mutating func begin() throws(OvercrankError)

  /// Waits at most `timeout` for the next frame and lends it to `body`.
  ///
  /// - Throws: `OvercrankError` where the camera failed or was unplugged: no frame will follow.
  mutating func next(
    within timeout: Duration, _ body: (borrowing Frame) -> Void
  ) throws(OvercrankError) -> Arrival

  /// Stops filming and puts the camera back as it was found.
  ///
  /// - Throws: `OvercrankError` where something could not be put back; the stream is released even so.
  consuming func stop() throws(OvercrankError)
}

/// What a camera agreed to when its stream was started: the accepted mode, not the claimed one.
public struct StreamConfiguration: Hashable, Sendable {
  /// What its frames look like, and what their times mean.
  public var frameFormat: FrameFormat
  /// The most bytes that one frame can have.
  public var largestFrame: Int
  /// How many frames the driver can hold before it loses one.
  public var bufferCount: Int
  /// How the camera's controls stand, by name; empty where it has none.
  public var controls: [String: ControlInForce]

  /// A configuration of these parts.
  public init(
    _ frameFormat: FrameFormat, largestFrame: Int, bufferCount: Int,
    controls: [String: ControlInForce] = [:]
  ) {
    self.frameFormat = frameFormat
    self.largestFrame = largestFrame
    self.bufferCount = bufferCount
    self.controls = controls
  }
}
