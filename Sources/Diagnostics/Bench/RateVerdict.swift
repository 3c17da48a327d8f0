import CameraModel
import Cameras
public import Takes
public import Timebase

/// The interpretation of a measurement: whether the camera sustains the rate that it claims, and the probable
/// causes if not.
public struct RateVerdict: Hashable, Sendable {
  /// A probable cause, and its remedy.
  public struct Cause: Hashable, Sendable, Encodable {
    /// The probable cause, as a sentence.
    public let cause: String
    /// The remedy, as a sentence.
    public fileprivate(set) var remedy: String
    /// The remedy as an action, for programs that have their own wording; `nil` if there is no such action.
    public let action: DiagnosticAction?

    private enum CodingKeys: String, CodingKey {
      case cause, remedy
    }

    fileprivate init(cause: String, remedy: String, action: DiagnosticAction? = nil) {
      self.cause = cause
      self.remedy = remedy
      self.action = action
    }
  }

  /// The measured facts; `nil` for those that are unknown.
  public struct Facts: Hashable, Sendable {
    /// The rate listed by the driver's table.
    public var claimed: FrameRate?
    /// The rate that the driver accepted.
    public var accepted: FrameRate?
    /// The rate by the frames' sequence numbers and timestamps, in frames per second.
    public var measured: Double?
    /// The frame counts by stage.
    public var frames: Take.FrameCounts
    /// The number of the driver's buffers.
    public var bufferCount: Int
    /// The data rate in bytes per second.
    public var bytesPerSecond: Double?
    /// The USB link's speed in Mbit/s.
    public var usbMegabitsPerSecond: Double?
    /// The exposure time.
    public var exposure: Duration?
    /// Whether the camera may lower its rate in poor light.
    public var mayLowerRate: Bool?
    /// Whether the measurement ended early.
    public var endedEarly = false
  }

  /// Whether the camera reached 99 % of the claimed rate, lost at most one frame in a thousand, and did not
  /// stop early.
  public let isSustained: Bool
  /// The verdict as a sentence.
  public let summary: String
  /// The probable causes, the likeliest first; empty if the rate is sustained.
  public private(set) var causes: [Cause]

  /// The least part of the claimed rate that counts as sustained; the same tolerance as in the choice of a
  /// mode.
  private static let leastPart = 0.99
  /// One lost frame in this many is acceptable.
  private static let framesPerLoss: Int64 = 1000

  /// Creates the verdict on `facts`.
  public init(_ facts: Facts) {
    let claimed = facts.claimed?.framesPerSecond.doubleValue
    let lost = facts.frames.lost.total
    let holdsRate = claimed.flatMap { claimed in facts.measured.map { $0 >= claimed * Self.leastPart } }
    let losesFew = lost * Self.framesPerLoss <= facts.frames.sent
    isSustained = holdsRate == true && losesFew && !facts.endedEarly
    let rate = facts.measured.map { FrameRate.text($0) } ?? "no measurable rate"
    let wanted = facts.claimed.map { "\($0)" } ?? "unknown"
    summary =
      if facts.endedEarly {
        "It ended early, at \(rate) of \(wanted) fps."
      } else if isSustained {
        "It sustains \(wanted) fps."
      } else if holdsRate == true {
        "It sends \(rate) fps, but \(lost) of \(facts.frames.sent) frames were lost."
      } else {
        "It falls short: \(rate) of \(wanted) fps"
          + (losesFew ? "." : ", and \(lost) of \(facts.frames.sent) frames were lost.")
      }
    causes = isSustained ? [] : Self.causes(facts, isShort: holdsRate != true)
  }

  /// Returns the verdict with each remedy replaced by the result of `words`.
  public func wordingRemedies(_ words: (String, DiagnosticAction?) -> String) -> RateVerdict {
    var verdict = self
    verdict.causes = causes.map { cause in
      var cause = cause
      cause.remedy = words(cause.remedy, cause.action)
      return cause
    }
    return verdict
  }

  private static func causes(_ facts: Facts, isShort: Bool) -> [Cause] {
    [
      isShort ? clamp(facts) : nil,
      isShort ? exposure(facts) : nil,
      isShort ? lowering(facts) : nil,
      bus(facts),
      driverLoss(facts),
      damage(facts),
      ring(facts),
      isShort ? silentShortfall(facts) : nil,
    ].compactMap { $0 }
  }

  private static func clamp(_ facts: Facts) -> Cause? {
    guard let claimed = facts.claimed, let accepted = facts.accepted,
      accepted.framesPerSecond < claimed.framesPerSecond * ModeChoice.tolerance
    else { return nil }
    return Cause(
      cause: "The driver clamped the rate: asked for \(claimed) fps, it accepted \(accepted).",
      remedy: "Choose another size or format; measuring all modes finds the closest one.",
      action: .measureModes)
  }

  private static func exposure(_ facts: Facts) -> Cause? {
    guard let exposure = facts.exposure,
      let interval = (facts.claimed?.interval).map({ Duration(seconds: $0) }), exposure > interval
    else { return nil }
    return Cause(
      cause:
        "The exposure of \(milliseconds(exposure)) ms is longer than a frame of \(milliseconds(interval)) ms.",
      remedy: "Shorten the exposure and add light.")
  }

  private static func lowering(_ facts: Facts) -> Cause? {
    guard facts.mayLowerRate == true else { return nil }
    return Cause(
      cause: "The camera may lower its rate for a longer exposure (exposure_dynamic_framerate is on).",
      remedy: "Switch it off.",
      action: .setControl("exposure_dynamic_framerate", value: 0, camera: nil))
  }

  private static func bus(_ facts: Facts) -> Cause? {
    guard let speed = facts.usbMegabitsPerSecond, let bytes = facts.bytesPerSecond else { return nil }
    guard bytes > 0.8 * USBDevice.mostBytesPerSecond(at: speed) else { return nil }
    return Cause(
      cause:
        "\(Int(clamping: bytes / 1e6)) MB/s is close to what a USB link of \(Int(clamping: speed)) Mbit/s carries.",
      remedy:
        "Record in MJPG or a smaller size, or plug the camera into a faster port with no other device on its bus."
    )
  }

  private static func driverLoss(_ facts: Facts) -> Cause? {
    guard facts.frames.lost.driver > 0 else { return nil }
    return Cause(
      cause: "\(lostFrames(facts.frames.lost.driver)) before reaching this program: "
        + "in the driver, which has \(facts.bufferCount) buffers, or on the bus.",
      remedy: "Stop whatever else loads the processor or the bus, or record in a smaller mode.")
  }

  private static func damage(_ facts: Facts) -> Cause? {
    guard facts.frames.lost.corrupt > 0 else { return nil }
    return Cause(
      cause:
        "\(frames(facts.frames.lost.corrupt)) arrived damaged, which a bad cable, a hub or a full bus can cause.",
      remedy: "Plug the camera directly into the machine, with a short cable.")
  }

  private static func ring(_ facts: Facts) -> Cause? {
    guard facts.frames.lost.ring > 0 else { return nil }
    return Cause(
      cause:
        "\(lostFrames(facts.frames.lost.ring)) because the ring was full: this machine could not keep up.",
      remedy: "Close other programs, or record in a smaller mode.")
  }

  /// Explains a shortfall that no other cause does. The measured rate includes lost frames, so it is the
  /// sensor's own rate.
  private static func silentShortfall(_ facts: Facts) -> Cause? {
    guard clamp(facts) == nil, exposure(facts) == nil, lowering(facts) == nil else { return nil }
    return Cause(
      cause:
        "The sensor captures fewer frames per second than the driver accepted, usually because of a long exposure in poor light.",
      remedy: "Add light or shorten the exposure, and measure again.")
  }

  private static func frames(_ count: Int64) -> String { count == 1 ? "1 frame" : "\(count) frames" }

  private static func lostFrames(_ count: Int64) -> String {
    "\(frames(count)) \(count == 1 ? "was" : "were") lost"
  }

  private static func milliseconds(_ duration: Duration) -> String {
    FrameRate.text(duration / .milliseconds(1))
  }
}
