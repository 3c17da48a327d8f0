public import Platform
import Synchronization

/// Looks for motion in a session's frames, about sixty times a second.
///
/// ```swift
/// let tap = try MotionTap(MotionSettings(area: 0.05)) { look in print(look.score) }
/// session.add(tap)
/// ```
///
/// Frames are decoded at about an eighth of their size, on the tap's own thread. If that falls behind, it
/// samples fewer frames; no take loses a frame.
public final class MotionTap: Sendable {
  /// The frames from the session.
  let frames: FrameTap
  private let thread: Mutex<NamedThread?>

  /// The minimum time between samples.
  public static let interval = Duration.seconds(1) / 60

  /// Creates a tap that has not been added to a session yet.
  ///
  /// - Parameters:
  ///   - settings: The settings of motion detection.
  ///   - failed: Called with the reason why frames cannot be analysed, once for each reason.
  ///   - seen: Called with each analysis, on the tap's thread.
  /// - Throws: `OvercrankError` if the system cannot start a thread.
  public init(
    _ settings: MotionSettings, failed: @escaping @Sendable (OvercrankError) -> Void = { _ in },
    seen: @escaping @Sendable (FrameMotion) -> Void
  ) throws(OvercrankError) {
    let frames = FrameTap(minimumInterval: Self.interval, isFollowed: true)
    self.frames = frames
    let thread = NamedThread(name: "overcrank-motion") {
      var detector = MotionDetector(settings)
      var failures: Set<String> = []
      while let frame = frames.next() {
        do throws(OvercrankError) {
          if let look = try detector.look(at: frame) { seen(look) }
        } catch {
          if failures.insert(error.description).inserted { failed(error) }
        }
        frames.recycle(frame)
      }
    }
    self.thread = Mutex(thread)
    guard thread != nil else {
      throw OvercrankError(.failed, "The system allows no more threads; see \"ulimit -u\".")
    }
  }

  deinit { close() }

  /// Closes the tap; the session continues. Waits for the current analysis.
  public func close() {
    frames.close()
    thread.withLock { $0.take() }?.join()
  }
}
