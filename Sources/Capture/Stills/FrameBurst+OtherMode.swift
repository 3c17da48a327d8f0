import Platform
import Cameras
import FoundationEssentials
import Synchronization
import Takes
import Timebase

/// A still of another mode than the one that a camera stood by in.
public struct OtherModeShot: Hashable, Sendable {
  /// The frame, and what is known of it.
  public let shot: FrameBurst.Shot
  /// How long no frame came when the mode was set, and when it was set back.
  public let gaps: [Duration]
}

extension FrameBurst {
  /// Captures one frame in another mode than the one that the camera stands by in, and has frames come in that again;
  /// `nil` where it was stopped before.
  ///
  /// Blocks the calling thread. The camera is put back as it was found.
  ///
  /// - Parameters:
  ///   - camera: the camera.
  ///   - configuration: what it is set to for the frame.
  ///   - standby: what it is set to before and after.
  ///   - skipped: how many whole frames of the other mode pass first; one of ``Still/skippableFrames``.
  ///   - stop: a stop sent here ends it.
  /// - Throws: ``CaptureError``.
  public static func capture(
    with camera: CaptureDevice, in configuration: SessionConfiguration,
    standingByIn standby: SessionConfiguration, skipping skipped: Int,
    stop: SessionCommands = SessionCommands()
  ) throws(CaptureError) -> OtherModeShot? {
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
      // The first frame has come since the mode was set back, or there was none to set back.
      case .armed: stop.send(.stop)
      case .photo(_, .captured(_, let frame?), _):
        let shot = Shot(frame: frame, date: frame.date(on: camera.clock), lostBefore: 0)
        found.withLock { $0.shot = shot }
        // One mode for both: nothing is set back.
        if configuration.mode == standby.mode { stop.send(.stop) }
      case .photo(_, .failed(let reason), _):
        found.withLock { $0.failure = .camera(OvercrankError(.noMode, "\(camera.name): \(reason)")) }
        stop.send(.stop)
      default: break
      }
    }
    let end = try session.run()
    let (shot, gaps, failure) = found.withLock { $0 }
    if let shot { return OtherModeShot(shot: shot, gaps: gaps) }
    if let failure = end.failure ?? failure { throw failure }
    return nil
  }
}

/// The output of takes that nobody triggers.
private final class NoFrames: TakeOutput {
  let bytesWritten: Int64 = 0

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) {}
}
