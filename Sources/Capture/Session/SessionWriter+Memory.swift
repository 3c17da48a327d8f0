import Platform
import Takes
import Timebase

extension SessionWriter {
  /// How much is kept of what is heard beyond the pre-roll, while a disk stalls or frames are reviewed.
  private static let audioReserve = Duration.seconds(30)

  /// Starts the microphone, where there is one.
  func hear() throws(CaptureError) {
    guard let microphone, audio == nil else { return }
    heardTime = state.plan.heldTime + Self.audioReserve
    let run = try AudioRun(microphone, holding: heardTime, taps: audioTaps, clock: clock) {
      [events, clock] error in
      events.tell(.error(.microphone(error)), at: clock.now)
    }
    audio = AudioFeed(run)
  }

  /// Has triggers that say nothing else mean another span, where the rings have room for it.
  func change(_ change: SpanChange) {
    var plan = state.plan
    plan.span = change.span
    var wanted = settings
    wanted.preRoll = plan.heldTime
    // The audio's ring keeps a reserve, of which a part will do.
    let hears = audio == nil || plan.heldTime + Self.audioReserve / 2 <= heardTime
    let fits =
      plan.heldTime <= state.plan.heldTime
      || run.map { $0.ring.capacity >= wanted.ringBytes(for: $0.configuration) } ?? true
    guard hears, fits else { return change.answer(.needsMoreMemory) }
    settings = wanted
    state.adopt(change.span)
    change.answer(.changed)
  }

  /// Stops hearing.
  func endAudio() {
    audioTaps.close()
    audio?.run.end()
    audio = nil
  }
}
