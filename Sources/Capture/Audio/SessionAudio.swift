import Microphones
import Platform
import Takes
import Timebase

/// A session's audio: its microphone from start to end, and the course of samples into takes.
struct SessionAudio {
  private let microphone: OpenMicrophone?
  private let taps: TapList<AudioTap>
  /// The recording of the microphone; `nil` while there is none.
  private var feed: AudioFeed?
  /// How much of what is heard is kept.
  private var heldTime = Duration.zero

  /// How much is kept of what is heard beyond the pre-roll, while a disk stalls or frames are reviewed.
  private static let reserve = Duration.seconds(30)

  init(_ microphone: OpenMicrophone?, taps: TapList<AudioTap>) {
    self.microphone = microphone
    self.taps = taps
  }

  /// Starts the microphone, where there is one.
  ///
  /// - Parameters:
  ///   - time: how much of what is heard is kept at least.
  ///   - failed: is told on the audio thread when it fails.
  mutating func begin(
    holding time: Duration, clock: SessionClock, failed: @escaping @Sendable (OvercrankError) -> Void
  ) throws(CaptureError) {
    guard let microphone, feed == nil else { return }
    heldTime = time + Self.reserve
    feed = AudioFeed(try AudioRun(microphone, holding: heldTime, taps: taps, clock: clock, failed: failed))
  }

  /// Hears `run`, whose ring a test fills.
  mutating func begin(_ run: AudioRun) { feed = AudioFeed(run) }

  /// The microphone; `nil` for pictures alone.
  var input: AudioInput? { feed?.run.input }

  /// Whether a take waits for the last of its audio.
  var isEnding: Bool { feed?.isEnding == true }

  /// Whether `time` is kept of what is heard. The ring keeps a reserve, of which a part will do.
  func holds(_ time: Duration) -> Bool { feed == nil || time + Self.reserve / 2 <= heldTime }

  /// Takes over a take whose pictures are complete. Returns whether it has audio to wait for.
  ///
  /// - Parameter interval: the time between frames.
  mutating func finish(
    _ take: TakeInProgress, failure: CaptureError?, interval: Duration, now: Instant
  ) -> Bool {
    guard feed != nil, take.writer.accounting.written > 0 else { return false }
    feed?.finish(take, failure: failure, interval: interval, now: now)
    return true
  }

  /// Moves what has come. Returns the takes that are complete by now.
  mutating func move(
    into take: inout TakeInProgress?, keeping: AudioFeed.Keeping, lag: Duration, now: Instant
  ) -> [AudioFeed.EndingTake] {
    feed?.move(into: &take, keeping: keeping, lag: lag, now: now) ?? []
  }

  /// Writes what was heard of a part that is saved of a review.
  mutating func save(into take: inout TakeInProgress, until end: Instant, lag: Duration) {
    feed?.save(into: &take, until: end, lag: lag)
  }

  /// Stops hearing.
  mutating func end() {
    taps.close()
    feed?.run.end()
    feed = nil
  }
}
