import Cameras
public import Platform

/// A stream from its start to its end: its ring, and the thread that fills it.
final class CaptureRun {
  /// What the camera agreed to.
  let configuration: StreamConfiguration
  /// The writer's end of the ring.
  var ring: RingConsumer
  /// Ends the stream.
  let stop = StopFlag()
  /// Whether the stream's end has been waited for.
  private(set) var isOver = false
  private let thread: CaptureThread?
  private let silenceLimit: Duration

  /// Starts to capture `stream`, which has not begun yet, and lives by `clock`.
  ///
  /// - Throws: ``CaptureError`` where there is no memory for the ring, or no thread.
  init<Stream: CameraStream & ~Copyable>(
    _ stream: consuming Stream, _ settings: CaptureSettings, _ clock: SessionClock
  ) throws(CaptureError) {
    let configuration = stream.configuration
    let ends = try Ring.make(minimumCapacity: settings.ringBytes(for: configuration))
    self.configuration = configuration
    silenceLimit = settings.silenceLimit
    thread = try CaptureThread(
      stream, CaptureLoop(ring: ends.producer, configuration: configuration), until: stop,
      silenceLimit: settings.silenceLimit, scheduling: settings.scheduling, clock: clock)
    ring = ends.consumer
  }

  /// A run whose ring a test fills, on one thread.
  init(ring: consuming RingConsumer, _ configuration: StreamConfiguration) {
    self.ring = ring
    self.configuration = configuration
    thread = nil
    silenceLimit = .zero
  }

  /// Waits for the end of a stream whose ring is closed.
  func join() -> (failure: CaptureError?, restoreFailure: OvercrankError?) {
    isOver = true
    guard let thread else { return (nil, nil) }
    let (end, restoreFailure) = thread.join()
    let failure: CaptureError? =
      switch end {
      case .stopped, .streamEnded: nil
      case .silent: .silence(silenceLimit)
      case .damaged: .damage(silenceLimit)
      case .failed(let error): .camera(error)
      }
    return (failure, restoreFailure)
  }

  /// Processor time of the capture thread; valid after ``join()``.
  var processorTime: Duration { thread?.processorTime ?? .zero }
}

/// How a stream is captured.
public struct CaptureSettings: Hashable, Sendable {
  /// The size of the ring; `nil` chooses one for the mode.
  public var ring: RingSize?
  /// How much of the time before a trigger the ring must hold.
  public var preRoll: Duration
  /// How long a stream may send no usable frame before the capture ends.
  public var silenceLimit: Duration
  /// How the capture thread is scheduled, as far as the kernel permits.
  public var scheduling: CaptureScheduling

  /// Usual settings, or these.
  public init(
    ring: RingSize? = nil, preRoll: Duration = .zero, silenceLimit: Duration = .seconds(10),
    scheduling: CaptureScheduling = CaptureScheduling()
  ) {
    self.ring = ring
    self.preRoll = preRoll
    self.silenceLimit = silenceLimit
    self.scheduling = scheduling
  }
}

extension CaptureSettings {
  /// The bytes that a ring has for frames as `configuration` says they may come.
  func ringBytes(for configuration: StreamConfiguration) -> Int {
    (ring ?? .usual(for: configuration, preRoll: preRoll)).byteCount(for: configuration)
  }
}
