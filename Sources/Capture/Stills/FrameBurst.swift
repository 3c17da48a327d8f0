public import CameraModel
public import Cameras
public import FoundationEssentials
import Media
package import Platform
import Synchronization
import Takes
import Timebase

/// Consecutive frames of a camera, kept in memory for stills.
public struct FrameBurst: Hashable, Sendable {
  /// A frame and its circumstances.
  public struct Shot: Hashable, Sendable {
    /// The frame as the camera sent it.
    public let frame: CapturedFrame
    /// The date of the capture.
    public let date: Date
    /// The number of frames lost between the previous frame and this one; 0 for the first.
    public let lostBefore: Int64
  }

  /// The frames, in order.
  public let shots: [Shot]
}

extension FrameBurst {
  /// The permitted number of frames in a burst.
  public static let counts = 1...10_000

  /// Captures `count` frames after `skipped` intact ones, in which the camera adjusts its exposure. Returns
  /// `nil` if stopped before the first, and fewer frames if stopped before the last.
  ///
  /// Blocks the calling thread. The camera is restored to its previous state.
  ///
  /// - Parameters:
  ///   - camera: The camera.
  ///   - mode: The mode to capture in.
  ///   - skipped: The number of intact frames to skip first, clamped to ``Still/skippableFrames``.
  ///   - count: The number of frames to keep, clamped to ``counts``.
  ///   - changes: The control changes for the capture.
  ///   - stop: Commands; a stop ends the capture.
  /// - Throws: ``CaptureError``; ``CaptureError/master(_:)`` if the memory cannot hold that many frames.
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

/// The output of a burst, which keeps the frames after the skipped ones.
private final class KeptFrames: TakeOutput {
  private(set) var bytesWritten: Int64 = 0
  private var skipped: Int
  /// The sequence number of the last kept frame.
  private var last: UInt32?
  private let configuration: StreamConfiguration
  private let clock: SessionClock
  private let keep: (FrameBurst.Shot) -> Void

  /// Creates the output; refuses more frames than half of the available memory holds, because the ring and
  /// the pictures need the rest.
  init(
    from skipped: Int, count: Int, _ configuration: StreamConfiguration, _ clock: SessionClock,
    keep: @escaping (FrameBurst.Shot) -> Void
  ) throws(CaptureError) {
    let frame = configuration.frameFormat
    // A JPEG takes less than a byte per pixel.
    let isCompressed = frame.pixelFormat.codec?.layout == nil
    let bytes =
      isCompressed ? min(configuration.largestFrame, frame.width * frame.height) : configuration.largestFrame
    let all = count.multiplied(clamping: bytes)
    if count > 1, let available = SystemMemory.availableBytes, all > available / 2 {
      throw .master(
        OvercrankError(
          .outOfRange,
          "\(count) frames take \(all >> 20) MiB of memory, and only \(available / 2 >> 20) MiB may be used. Request "
            + "fewer frames, or a smaller mode."))
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

  /// Returns the number of frames lost before this one; 0 if the camera's sequence numbers do not increase.
  private func lost(before sequence: UInt32) -> Int64 {
    let step = last.map { Int32(truncatingIfNeeded: sequence &- $0) } ?? 1
    return Int64(max(1, step) - 1)
  }
}

extension CapturedFrame {
  /// Returns the date of the capture; the current date if its timestamp is not on `clock`, the session's.
  package func date(on clock: SessionClock) -> Date {
    switch configuration.frameFormat.clock {
    case .monotonic, .dequeue: clock.date(at: timestamp)
    case .copied, .unknown: clock.date
    }
  }
}
