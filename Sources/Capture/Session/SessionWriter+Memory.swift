extension SessionWriter {
  /// Starts the microphone, if there is one.
  func hear() throws(CaptureError) {
    try audio.begin(holding: state.plan.heldTime, clock: clock) { [events, clock] error in
      events.tell(.error(.microphone(error)), at: clock.now)
    }
  }

  /// Changes the default span of triggers, if the rings have room for it.
  func change(_ change: SpanChange) {
    var plan = state.plan
    plan.span = change.span
    var wanted = stream.settings
    wanted.preRoll = plan.heldTime
    let fits =
      plan.heldTime <= state.plan.heldTime
      || run.map { $0.ring.capacity >= wanted.ringBytes(for: $0.configuration, on: clock) } ?? true
    guard audio.holds(plan.heldTime), fits else { return change.answer(.needsMoreMemory) }
    stream.settings = wanted
    state.adopt(change.span)
    change.answer(.changed)
  }
}
