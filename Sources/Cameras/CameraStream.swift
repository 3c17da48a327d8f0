public import Platform
public import CameraModel

/// The outcome of waiting for a frame.
public enum Arrival: Sendable {
  /// A frame was lent.
  case frame
  /// A frame was lent, but its memory was overwritten meanwhile: discard what was read from it.
  case overwritten
  /// No frame came in the given time.
  case nothing
  /// No more frames will come: the stream has ended in good order.
  case ended
}

/// A camera that is set to a mode and captures from ``begin()`` on.
///
/// A stream belongs to one thread at a time, the capture thread. Neither ``next(within:_:)`` nor what it
/// calls may lock, allocate, or make a system call beyond the wait for the frame and the calls that dequeue
/// and requeue its buffer. A stream that is dropped without ``stop()`` still releases everything, silently.
public protocol CameraStream: ~Copyable, Sendable {
  /// The configuration that the camera agreed to.
  var configuration: StreamConfiguration { get }

  /// Starts the flow of frames; called once, on the capture thread, when all is ready for them.
  ///
  /// - Throws: `OvercrankError` if the camera refuses, as a USB camera does when its bus has no bandwidth
  ///   left.
  mutating func begin() throws(OvercrankError)

  /// Waits at most `timeout` for the next frame and lends it to `body`.
  ///
  /// - Throws: `OvercrankError` if the camera failed or was unplugged: no frame will follow.
  mutating func next(
    within timeout: Duration, _ body: (borrowing Frame) -> Void
  ) throws(OvercrankError) -> Arrival

  /// Stops capturing and restores the camera's previous settings.
  ///
  /// - Throws: `OvercrankError` if something could not be restored; the stream is released even so.
  consuming func stop() throws(OvercrankError)
}

/// The configuration that a camera agreed to when its stream was started: the accepted mode, not the claimed
/// one.
public struct StreamConfiguration: Hashable, Sendable {
  /// The layout of its frames, and the meaning of their timestamps.
  public var frameFormat: FrameFormat
  /// The maximum size of a frame, in bytes.
  public var largestFrame: Int
  /// The number of frames that the driver can hold before it drops one.
  public var bufferCount: Int
  /// The state of the camera's controls, by name; empty if it has none.
  public var controls: [String: ControlInForce]

  /// Creates a configuration of these parts.
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
