import Platform
import Cameras
import FoundationEssentials
import Synchronization
import Takes

/// A still in another mode than the session's.
public struct StillInOtherMode: Hashable, Sendable {
  /// The frame and its circumstances.
  public let shot: FrameBurst.Shot
  /// The times without frames, for the change of the mode and the change back.
  public let gaps: [Duration]
}

extension FrameBurst {
  /// Captures one frame in another mode than the session's, and changes back; `nil` if stopped before.
  ///
  /// Blocks the calling thread. The camera is restored to its previous state.
  ///
  /// - Parameters:
  ///   - camera: The camera.
  ///   - configuration: The configuration for the frame.
  ///   - standby: The configuration before and after.
  ///   - skipped: The number of intact frames of the other mode to skip first; one of
  ///     ``Still/skippableFrames``.
  ///   - stop: Commands; a stop ends the capture.
  /// - Throws: ``CaptureError``.
  public static func capture(
    with camera: CaptureDevice, in configuration: SessionConfiguration,
    standingByIn standby: SessionConfiguration, skipping skipped: Int,
    stop: SessionCommands = SessionCommands()
  ) throws(CaptureError) -> StillInOtherMode? {
    try Still.checkFormat(of: configuration.mode)
    let session = CaptureSession(
      SessionSetup(
        CaptureSource(camera), standby,
        SessionPlan(preRoll: .zero, limit: RecordingLimit(), takeCount: nil),
        makeOutput: { _ in NoFrames() }),
      commands: stop)
    let found = Mutex<(shot: Shot?, gaps: [Duration], failure: CaptureError?)>((nil, [], nil))
    session.onEvent { event in
      switch event.kind {
      case .armed where found.withLock { $0.shot == nil && $0.failure == nil }:
        stop.takeStill(in: configuration, skipping: skipped)
      case .modeChanged(_, let gap): found.withLock { $0.gaps.append(gap) }
      // The first frame has come after the change back, or no change was needed.
      case .armed: stop.send(.stop)
      case .photo(_, .captured(_, let frame?), _):
        let shot = Shot(frame: frame, date: frame.date(on: camera.clock), lostBefore: 0)
        found.withLock { $0.shot = shot }
        // With a single mode, there is no change back to wait for.
        if configuration.mode == standby.mode { stop.send(.stop) }
      case .photo(_, .failed(let reason), _):
        found.withLock { $0.failure = .camera(OvercrankError(.noMode, "\(camera.name): \(reason)")) }
        stop.send(.stop)
      default: break
      }
    }
    let end = try session.run()
    let (shot, gaps, failure) = found.withLock { $0 }
    if let shot { return StillInOtherMode(shot: shot, gaps: gaps) }
    if let failure = end.failure ?? failure { throw failure }
    return nil
  }
}

/// The output of takes that are never triggered.
private final class NoFrames: TakeOutput {
  let bytesWritten: Int64 = 0

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) {}
}
