public import Takes

extension Take {
  /// The take that `recording` is.
  ///
  /// - Parameters:
  ///   - slate: what was known before it.
  ///   - master: the master's file name.
  public init(_ recording: Recording, slate: Slate, master: String) {
    self.init(
      recording.account, slate: slate, acceptedInterval: recording.configuration.frameFormat.acceptedInterval,
      clock: recording.configuration.frameFormat.clock, master: master)
    startedAt = recording.startedAt.formatted(.iso8601)
    ringPeakBytes = recording.ringPeakBytes
    let depth = recording.ringDepth
    ringBytes = depth.byteCount
    ringFrames = depth.frames
    ringNanoseconds = depth.nanoseconds
    controls = recording.configuration.controls
    trigger = recording.trigger
    failure = recording.failure?.description
  }
}
