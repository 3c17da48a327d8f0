public import Takes

extension Take {
  /// Creates the take for `recording`.
  ///
  /// - Parameters:
  ///   - metadata: The facts known before the recording.
  ///   - master: The master's file name.
  public init(_ recording: Recording, metadata: TakeMetadata, master: String) {
    self.init(
      recording.accounting, metadata: metadata,
      acceptedInterval: recording.configuration.frameFormat.acceptedInterval,
      clock: recording.configuration.frameFormat.clock, master: master)
    startedAt = recording.startedAt.formatted(.iso8601)
    ringPeakBytes = recording.ringPeakBytes
    let depth = recording.ringDepth
    ringBytes = depth.byteCount
    ringFrames = depth.frames
    ringDuration = depth.duration
    controls = recording.configuration.controls
    controlChanges = recording.controlChanges
    modeChange = recording.modeChange
    trigger = recording.trigger
    sizeLimit?.isReached = recording.isFull
    interframe?.skipped = recording.skippedFrames
    failure = recording.failure?.description
    if let start = recording.accounting.timestamps.first {
      audio = recording.audio.map { Audio($0, from: start) }
    }
  }
}

extension Take.Trigger {
  /// Creates the trigger of the take that begins with `start`.
  ///
  /// - Parameter sequence: The camera's number of the latest frame so far that was captured at or before the
  ///   trigger.
  init(_ event: TriggerEvent, _ start: TakeStart, _ plan: SessionPlan, fellInto sequence: UInt32?) {
    self.init(kind: event.kind.rawValue)
    let span = event.span ?? plan.span
    time = event.time
    uncertainty = event.uncertainty
    frameTime = start.frameTime
    requestedPreRoll = span.preRoll
    preRollCut = start.preRollCut
    postRoll = span.limit.duration
    text = event.text
    self.sequence = event.frame?.sequence ?? sequence
    score = event.frame?.score
  }
}
