import CameraModel
import Platform
import Synchronization
import SystemPackage
public import Timebase

/// Motion in the picture.
struct MotionTrigger: TriggerSource {
  static let kind = TriggerKind.motion
  static let usage =
    "motion, motion=SETTINGS: something moves; SETTINGS are as in "
    + "threshold:25,area:2%,region:640x360+0+0,mask:FILE.png,light:on; motion=area:5% needs more"

  let settings: MotionSettings
  let description: String

  init(argument: String?) throws(QuantityError) {
    settings =
      try argument.map { text throws(QuantityError) in try MotionSettings(text: text) } ?? MotionSettings()
    description = "motion" + (argument.map { "=\($0)" } ?? "")
  }

  var inputs: [FilePath] { [settings.mask].compactMap(\.self) }
  var prompt: String { "move something" }
  var isOfSession: Bool { true }
  /// Motion is detected a few samples after it began.
  var delay: Duration { .milliseconds(500) }

  func check(for mode: Mode) throws(OvercrankError) {
    try settings.check(for: mode)
  }

  /// The error message if the scene does not come to rest.
  private var restlessness: String {
    "Motion cannot begin a take: the scene has not been still for \(RestWatch.patience.inSeconds.decimal(places: 0)) s, "
      + "and after motion it must be still for half a second. Watch a still part of the picture, with region or "
      + "mask, or count less as motion, with a higher threshold or area: now \(settings)."
  }

  func open(to session: CaptureSession) throws(OvercrankError) -> (any Sendable)? {
    let rest = Mutex(RestWatch())
    let tap = try MotionTap(settings) { [weak session] error in
      session?.tell(.error(.trigger(error)))
    } seen: { [weak session] look in
      guard let session else { return }
      if let factor = look.light { session.tell(.lightChanged(factor: factor)) }
      if rest.withLock({ $0.isOverdue(look, isRecording: session.isRecording) }) {
        session.tell(.error(.trigger(OvercrankError(.restless, restlessness, remedy: .watchMotion))))
      }
      if look.isOnset { session.commands.trigger(TriggerEvent(look, at: session.now)) }
    }
    session.commands.sourceBegan()
    session.add(tap)
    return tap
  }
}

extension TriggerKind {
  /// Motion in the picture.
  public static let motion = TriggerKind(rawValue: "motion")
}

extension TriggerEvent {
  /// Creates the trigger for an onset of motion. It extends a take and never ends one.
  ///
  /// - Parameters:
  ///   - look: The analysis in which motion began.
  ///   - time: The time of the detection, on the session's clock.
  public init(_ look: FrameMotion, at time: Instant) {
    self.init(.motion, at: time, uncertainty: max(.zero, look.timestamp - look.stillUntil))
    frame = Frame(
      sequence: look.sequence, timestamp: look.timestamp, score: look.score, begin: look.stillUntil)
    endsTake = false
  }
}

/// A detector of scenes that do not come to rest, although motion can only begin again after stillness.
struct RestWatch {
  /// The start of the motion outside takes; `nil` while the scene is still.
  private var since: Instant?
  private var isReported = false

  /// The duration of motion after which it is reported.
  static let patience = Duration.seconds(5)

  /// Adds an analysis. Returns whether to report now, which happens once for each time without rest.
  ///
  /// - Parameters:
  ///   - look: The analysis.
  ///   - isRecording: Whether a take is in progress, during which motion is expected.
  mutating func isOverdue(_ look: FrameMotion, isRecording: Bool) -> Bool {
    guard look.isMoving, !isRecording else {
      since = nil
      if !look.isMoving { isReported = false }
      return false
    }
    let start = min(since ?? look.timestamp, look.timestamp)
    since = start
    guard look.timestamp - start >= Self.patience, !isReported else { return false }
    isReported = true
    return true
  }
}
