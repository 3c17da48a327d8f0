import CameraModel
public import Cameras
public import Platform
import Synchronization
public import Timebase

/// A scene that has become another.
public struct SceneChange: Hashable, Sendable {
  /// The camera's number of the frame that showed it.
  public var sequence: UInt32
  /// When that was captured, on the camera's clock.
  public var timestamp: Instant
  /// Which part of the picture has changed, from 0 to 1.
  public var score: Double
}

/// Looks, a few times a second, whether the scene of a session has become another for good while no take
/// is recorded: the camera was turned, or something large has come to stay.
///
/// What moves through the picture is no other scene, nor is light that changes as a whole. A change
/// during a take is told after it.
public final class SceneTap: Sendable {
  private let frames: FrameTap
  private let thread: Mutex<NamedThread?>

  /// Watches `session`, which tells each change as ``SessionEvent/Kind/sceneChanged(_:)``.
  ///
  /// - Parameters:
  ///   - session: whose frames are looked at, until it ends or the tap does.
  ///   - focus: the button that has the camera focus once, which is pushed at each change; `nil` for none.
  /// - Throws: `OvercrankError` where the system has no thread to give.
  public init(watching session: CaptureSession, focusing focus: CameraControl? = nil) throws(OvercrankError) {
    let frames = FrameTap(minimumInterval: SceneAnalysis.interval, isFollowed: true)
    self.frames = frames
    let thread = NamedThread(name: "overcrank-scene") { [weak session] in
      var detector = SceneDetector()
      var hasFailed = false
      while let frame = frames.next() {
        do throws(OvercrankError) {
          let change = try detector.look(at: frame, counts: session?.isRecording == false)
          if let change { session?.note(change, focusing: focus) }
        } catch {
          if !hasFailed { session?.tell(.error(.trigger(error))) }
          hasFailed = true
        }
        frames.recycle(frame)
      }
    }
    self.thread = Mutex(thread)
    guard thread != nil else {
      throw OvercrankError(.failed, "The system has no thread to give; see \"ulimit -u\".")
    }
    session.add(frames)
  }

  deinit { close() }

  /// Ends the tap; the session goes on. Waits for the look that is being taken.
  public func close() {
    frames.close()
    thread.withLock { $0.take() }?.join()
  }
}

extension CaptureSession {
  /// Tells of another scene, and has the camera focus on it.
  fileprivate func note(_ change: SceneChange, focusing focus: CameraControl?) {
    tell(.sceneChanged(change))
    guard let focus else { return }
    commands.send(
      .set(ControlChange(id: focus.control.id, name: focus.name, value: 1, isRequired: true)))
  }
}

/// Looks for another scene in frames, one after another. Use from one thread at a time.
struct SceneDetector: ~Copyable {
  private var reader = LumaReader(lookingFor: "A change of the scene")
  private var analysis: SceneAnalysis?
  private var format: FrameFormat?

  /// Looks at `frame`; what has changed, where the scene has become another for good.
  ///
  /// - Parameter counts: whether it may be told now; else the scene before is kept in mind.
  /// - Throws: `OvercrankError` where its format cannot be looked at, or the frame is damaged.
  mutating func look(at frame: CapturedFrame, counts: Bool) throws(OvercrankError) -> SceneChange? {
    guard let grid = try reader.grid(of: frame) else { return nil }
    if format != frame.configuration.frameFormat {
      format = frame.configuration.frameFormat
      // In another mode the camera may see another part of it.
      analysis = SceneAnalysis(MotionField(columns: grid.columns, rows: grid.rows))
    }
    guard counts else {
      analysis?.pause()
      return nil
    }
    return analysis?.look(grid, at: frame.timestamp).map {
      SceneChange(sequence: frame.sequence, timestamp: frame.timestamp, score: $0)
    }
  }
}
