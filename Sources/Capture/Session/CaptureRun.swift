import Cameras
public import Platform

/// A stream from start to end: its ring, and the thread that fills it.
final class CaptureRun {
  /// The configuration that the camera accepted.
  let configuration: StreamConfiguration
  /// The writer's end of the ring.
  var ring: RingConsumer
  /// The flag that ends the stream.
  let stop = StopFlag()
  /// Whether ``join()`` has been called.
  private(set) var isOver = false
  private let thread: CaptureThread?
  private let silenceLimit: Duration

  /// Starts capturing `stream`, which must not have begun, on `clock`.
  ///
  /// If `isStopped` returns `true` meanwhile, the ring's memory is not prepared.
  ///
  /// - Throws: ``CaptureError`` if there is no memory for the ring, or no thread.
  init<Stream: CameraStream & ~Copyable>(
    _ stream: consuming Stream, _ settings: CaptureSettings, _ clock: SessionClock,
    unless isStopped: () -> Bool
  ) throws(CaptureError) {
    let configuration = stream.configuration
    let ends = try Ring.make(
      minimumCapacity: settings.ringBytes(for: configuration, on: clock), unless: isStopped)
    self.configuration = configuration
    silenceLimit = settings.silenceLimit
    thread = try CaptureThread(
      stream, CaptureLoop(ring: ends.producer, configuration: configuration), until: stop,
      silenceLimit: settings.silenceLimit, scheduling: settings.scheduling, clock: clock)
    ring = ends.consumer
  }

  /// Creates a run whose ring a test fills, on one thread.
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

  /// The processor time of the capture thread; valid after ``join()``.
  var processorTime: Duration { thread?.processorTime ?? .zero }
}

/// The settings of a stream's capture.
public struct CaptureSettings: Hashable, Sendable {
  /// The size of the ring; `nil` chooses one for the mode.
  public var ring: RingSize?
  /// The length of the pre-roll that the ring must hold.
  public var preRoll: Duration
  /// The maximum time without a usable frame before the capture ends.
  public var silenceLimit: Duration
  /// The scheduling of the capture thread, as far as the kernel permits.
  public var scheduling: CaptureScheduling

  /// Creates settings; the defaults suit most recordings.
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
  /// Returns the size in bytes of the ring for `configuration`.
  ///
  /// - Parameter clock: The clock of the session. Virtual time stands still while the disk stalls, so the default
  ///   needs room only for the pre-roll, also of large frames, and for a few more.
  func ringBytes(for configuration: StreamConfiguration, on clock: SessionClock) -> Int {
    if let ring { return ring.byteCount(for: configuration) }
    let usual = RingSize.usual(for: configuration, preRoll: preRoll).byteCount(for: configuration)
    guard clock.isVirtual else { return usual }
    let enough = RingSize.duration(preRoll * 2 + .milliseconds(500)).byteCount(for: configuration)
    return min(usual, max(4 << 20, enough))
  }
}
