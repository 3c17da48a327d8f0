import Cameras
import Timebase

extension SessionWriter {
  /// Notes how the camera's controls stood at `time`, on the frames' clock: some may have been set since the stream began.
  func note(_ time: Instant, in configuration: inout StreamConfiguration) {
    for (name, value) in controls.values(at: time + state.clock.offset, since: controlsOpenedAt) {
      configuration.controls[name]?.value = value
    }
  }

  /// Notes how the camera's controls stood at the first frame of `take`, and what was set from then to its last, on the
  /// frames' clock.
  func noteControls(in take: inout TakeInProgress) {
    let times = take.writer.accounting.timestamps
    guard let first = times.first, let last = times.last else { return }
    note(first, in: &take.facts.context.configuration)
    take.facts.controlChanges = controls.steps().compactMap { step in
      var step = step
      step.time = state.clock.exactFrameTime(of: step.time)
      return (first...max(first, last + state.interval)).contains(step.time) ? step : nil
    }
  }
}
