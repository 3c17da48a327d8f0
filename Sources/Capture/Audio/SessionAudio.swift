import Platform
import Takes
import Timebase

/// A session's audio: its microphone from start to end, and the flow of samples into takes.
struct SessionAudio {
  private let microphone: OpenMicrophone?
  private let taps: TapList<AudioTap>
  /// The microphone's feed; `nil` while it is not recording.
  private var feed: AudioFeed?
  /// The length of audio that the ring holds.
  private var heldTime = Duration.zero

  /// The length of audio that the ring holds beyond the pre-roll, for stalls of the disk and for reviews.
  private static let reserve = Duration.seconds(30)

  init(_ microphone: OpenMicrophone?, taps: TapList<AudioTap>) {
    self.microphone = microphone
    self.taps = taps
  }

  /// Starts the microphone, if there is one.
  ///
  /// - Parameters:
  ///   - time: The minimum length of audio that the ring holds.
  ///   - failed: Called on the audio thread when the microphone fails.
  mutating func begin(
    holding time: Duration, clock: SessionClock, failed: @escaping @Sendable (OvercrankError) -> Void
  ) throws(CaptureError) {
    guard let microphone, feed == nil else { return }
    heldTime = time + Self.reserve
    feed = AudioFeed(try AudioRun(microphone, holding: heldTime, taps: taps, clock: clock, failed: failed))
  }

  /// Begins with `run`, whose ring a test fills.
  mutating func begin(_ run: AudioRun) { feed = AudioFeed(run) }

  /// The microphone; `nil` if the session records pictures only.
  var input: AudioInput? { feed?.run.input }

  /// Whether a take waits for its last audio.
  var isEnding: Bool { feed?.isEnding == true }

  /// Returns whether the ring holds `time` of audio and half of the reserve.
  func holds(_ time: Duration) -> Bool { feed == nil || time + Self.reserve / 2 <= heldTime }

  /// Accepts a take with complete pictures. Returns whether it has audio to wait for.
  ///
  /// - Parameter interval: The time between frames.
  mutating func finish(
    _ take: TakeInProgress, failure: CaptureError?, interval: Duration, now: Instant
  ) -> Bool {
    guard feed != nil, take.writer.accounting.written > 0 else { return false }
    feed?.finish(take, failure: failure, interval: interval, now: now)
    return true
  }

  /// Moves the available audio. Returns the takes that are complete now.
  mutating func move(
    into take: inout TakeInProgress?, keeping: AudioFeed.Keeping, lag: Duration, now: Instant
  ) -> [AudioFeed.EndingTake] {
    feed?.move(into: &take, keeping: keeping, lag: lag, now: now) ?? []
  }

  /// Writes the audio of a clip saved from a review.
  mutating func save(into take: inout TakeInProgress, until end: Instant, lag: Duration) {
    feed?.save(into: &take, until: end, lag: lag)
  }

  /// Stops recording.
  mutating func end() {
    taps.close()
    feed?.run.end()
    feed = nil
  }
}
