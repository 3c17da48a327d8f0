public import CameraModel
public import Cameras
public import FoundationEssentials
import Media
package import Platform
import Synchronization
import Takes
import Timebase

/// Frames that a camera sent one after another, kept in memory for stills.
public struct FrameBurst: Hashable, Sendable {
  /// A frame, and what is known of it.
  public struct Shot: Hashable, Sendable {
    /// The frame as the camera sent it.
    public let frame: CapturedFrame
    /// When it was captured, by the calendar.
    public let date: Date
    /// How many frames were lost between the one before and this; 0 for the first.
    public let lostBefore: Int64
  }

  /// The frames, in order.
  public let shots: [Shot]
}

extension FrameBurst {
  /// How many frames a burst may have.
  public static let counts = 1...10_000

  /// Captures the `count` frames after `skipped` whole ones, in which the camera finds its exposure; `nil` where it was
  /// stopped before the first, and fewer where it was stopped before the last.
  ///
  /// Blocks the calling thread. The camera is put back as it was found.
  ///
  /// - Parameters:
  ///   - camera: the camera.
  ///   - mode: the mode that it captures in.
  ///   - skipped: how many whole frames pass first; one of ``Still/skippableFrames``, else the nearest.
  ///   - count: how many frames are kept; one of ``counts``, else the nearest.
  ///   - changes: what is set on the camera for it.
  ///   - stop: a stop sent here ends it.
  /// - Throws: ``CaptureError``; ``CaptureError/master(_:)`` where the memory does not hold so many frames.
  public static func capture(
    with camera: CaptureDevice, in mode: Mode, skipping skipped: Int, count: Int = 1,
    making changes: [ControlChange] = [], stop: SessionCommands = SessionCommands()
  ) throws(CaptureError) -> FrameBurst? {
    let skipped = min(max(skipped, Still.skippableFrames.lowerBound), Still.skippableFrames.upperBound)
    let count = min(max(count, counts.lowerBound), counts.upperBound)
    try Still.checkFormat(of: mode)
    let kept = Mutex<[Shot]>([])
    let end = try CaptureSession(
      SessionSetup(
        CaptureSource(camera), SessionConfiguration(mode: mode, controlChanges: changes),
        SessionPlan(limit: RecordingLimit(frames: skipped + count)),
        makeOutput: { take throws(CaptureError) in
          try KeptFrames(from: skipped, count: count, take.configuration, camera.clock) { shot in
            kept.withLock { $0.append(shot) }
          }
        }),
      commands: stop
    ).run()
    let shots = kept.withLock { $0 }
    if let failure = end.failure, shots.count < count, failure != .empty { throw failure }
    return shots.isEmpty ? nil : FrameBurst(shots: shots)
  }
}

/// The output of a burst: the frames after so many others.
private final class KeptFrames: TakeOutput {
  private(set) var bytesWritten: Int64 = 0
  private var skipped: Int
  /// The number of the frame that was kept last.
  private var last: UInt32?
  private let configuration: StreamConfiguration
  private let clock: SessionClock
  private let keep: (FrameBurst.Shot) -> Void

  /// Refuses what the memory would not hold: half of it is left to the ring, and to the pictures that are made.
  init(
    from skipped: Int, count: Int, _ configuration: StreamConfiguration, _ clock: SessionClock,
    keep: @escaping (FrameBurst.Shot) -> Void
  ) throws(CaptureError) {
    let frame = configuration.frameFormat
    // JPEGs take less than a byte for each pixel.
    let isCompressed = frame.pixelFormat.codec?.layout == nil
    let bytes =
      isCompressed ? min(configuration.largestFrame, frame.width * frame.height) : configuration.largestFrame
    let all = count.multiplied(clamping: bytes)
    if count > 1, let available = SystemMemory.availableBytes, all > available / 2 {
      throw .master(
        OvercrankError(
          .outOfRange,
          "\(count) frames take \(all >> 20) MiB of memory, and only \(available / 2 >> 20) MiB may be used. Ask for "
            + "fewer, or for a smaller mode."))
    }
    self.skipped = skipped
    self.configuration = configuration
    self.clock = clock
    self.keep = keep
  }

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) {
    bytesWritten += Int64(frame.count)
    guard skipped == 0 else {
      skipped -= 1
      return
    }
    let timestamp = Instant(nanoseconds: timestampNanoseconds)
    let copy = CapturedFrame(
      bytes: Array(frame), sequence: sequence, timestamp: timestamp, configuration: configuration)
    keep(FrameBurst.Shot(frame: copy, date: copy.date(on: clock), lostBefore: lost(before: sequence)))
    last = sequence
  }

  /// The numbers between the last frame and this; none where the camera's numbers do not go up.
  private func lost(before sequence: UInt32) -> Int64 {
    let step = last.map { Int32(truncatingIfNeeded: sequence &- $0) } ?? 1
    return Int64(max(1, step) - 1)
  }
}

extension CapturedFrame {
  /// When it was captured, by the calendar; now where its timestamp is not of `clock`, the session's.
  package func date(on clock: SessionClock) -> Date {
    switch configuration.frameFormat.clock {
    case .monotonic, .dequeue: clock.date(at: timestamp)
    case .copied, .unknown: clock.date
    }
  }
}
