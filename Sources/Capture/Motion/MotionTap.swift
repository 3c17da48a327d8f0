public import Platform
import Synchronization

/// Looks for motion in what a session captures, about sixty times a second.
///
/// ```swift
/// let tap = try MotionTap(MotionSettings(area: 0.05)) { look in print(look.score) }
/// session.add(tap)
/// ```
///
/// Frames are decoded at an eighth of their size or so, on a thread of the tap's own: one that falls
/// behind looks less often, and costs no frame of a take.
public final class MotionTap: Sendable {
  /// What the session fills.
  let frames: FrameTap
  private let thread: Mutex<NamedThread?>

  /// How long it is from one look to the next, at least.
  public static let interval = Duration.seconds(1) / 60

  /// A tap that has not been added to a session yet.
  ///
  /// - Parameters:
  ///   - settings: what counts as motion.
  ///   - failed: is told why frames cannot be looked at, once for each reason.
  ///   - seen: is told each look, on the tap's thread.
  /// - Throws: `OvercrankError` where the system has no thread to give.
  public init(
    _ settings: MotionSettings, failed: @escaping @Sendable (OvercrankError) -> Void = { _ in },
    seen: @escaping @Sendable (MotionLook) -> Void
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
      throw OvercrankError(.failed, "The system has no thread to give; see \"ulimit -u\".")
    }
  }

  deinit { close() }

  /// Ends the tap; the session goes on. Waits for the look that is being taken.
  public func close() {
    frames.close()
    thread.withLock { $0.take() }?.join()
  }
}
