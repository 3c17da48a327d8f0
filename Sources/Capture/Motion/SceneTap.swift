import CameraModel
public import Cameras
public import Platform
import Synchronization
public import Timebase

/// A change of the scene.
public struct SceneChange: Hashable, Sendable {
  /// The camera's sequence number of the frame that showed the change.
  public var sequence: UInt32
  /// The capture time of that frame, on the camera's clock.
  public var timestamp: Instant
  /// The changed share of the picture, from 0 to 1.
  public var score: Double
}

/// Detects, a few times a second, whether a session's scene has changed for good while no take is recorded:
/// the camera was turned, or something large came to stay.
///
/// Objects that move through the picture are not a change of the scene, and neither is a change of the light
/// as a whole. A change during a take is reported after it.
public final class SceneTap: Sendable {
  private let frames: FrameTap
  private let thread: Mutex<NamedThread?>

  /// Watches `session`, which reports each change as ``SessionEvent/Kind/sceneChanged(_:)``.
  ///
  /// - Parameters:
  ///   - session: The session whose frames are analysed, until it ends or the tap is closed.
  ///   - focus: The control that triggers autofocus at each change; `nil` for none.
  /// - Throws: `OvercrankError` if the system cannot start a thread.
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
      throw OvercrankError(.failed, "The system allows no more threads; see \"ulimit -u\".")
    }
    session.add(frames)
  }

  deinit { close() }

  /// Closes the tap; the session continues. Waits for the current analysis.
  public func close() {
    frames.close()
    thread.withLock { $0.take() }?.join()
  }
}

extension CaptureSession {
  /// Reports a change of the scene, and triggers autofocus.
  fileprivate func note(_ change: SceneChange, focusing focus: CameraControl?) {
    tell(.sceneChanged(change))
    guard let focus else { return }
    commands.send(
      .set(ControlChange(id: focus.control.id, name: focus.name, value: 1, isRequired: true)))
  }
}

/// Looks for a change of the scene in consecutive frames. Use from one thread at a time.
struct SceneDetector: ~Copyable {
  private var reader = LumaReader(lookingFor: "A change of the scene")
  private var analysis: SceneAnalysis?
  private var format: FrameFormat?

  /// Analyses `frame`. Returns the change if the scene has changed for good.
  ///
  /// - Parameter counts: Whether a change may be reported now; if not, the known scene is kept.
  /// - Throws: `OvercrankError` if the format is not supported or the frame is damaged.
  mutating func look(at frame: CapturedFrame, counts: Bool) throws(OvercrankError) -> SceneChange? {
    guard let grid = try reader.grid(of: frame) else { return nil }
    if format != frame.configuration.frameFormat {
      format = frame.configuration.frameFormat
      // In another mode, the camera may see another part of the scene.
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
