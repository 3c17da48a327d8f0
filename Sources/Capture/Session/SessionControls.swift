import Platform
import CameraModel
import Cameras
import Timebase

/// A session's controls: the stream's settings, the mover, and the record of changes.
struct SessionControls {
  /// The mover, which sets and moves the controls.
  let mover: ControlMover
  /// The controls as the stream set them.
  private var inForce: [String: ControlInForce] = [:]
  /// The time at which the stream had set them.
  private var openedAt = Instant.distantPast
  /// The start of the ramps, also for a take that continues another.
  private var rampZero = Instant.distantPast

  init(_ mover: ControlMover) { self.mover = mover }

  /// Uses the controls of a stream that has set them as `inForce` says.
  mutating func attach(
    _ source: CaptureSource, _ configuration: SessionConfiguration, inForce: [String: ControlInForce],
    at now: Instant
  ) {
    self.inForce = inForce
    openedAt = now
    let open = source.controls.map { OpenControls(open: $0, configuration: configuration) }
    mover.attach(open, listens: source.isShared)
  }

  /// Closes the controls of a lost camera.
  func detach() { mover.attach(nil, listens: false) }

  /// Starts the ramps of a take.
  ///
  /// - Parameter zero: The start of the ramps; `nil` for a take that continues another.
  mutating func startRamps(at zero: Instant?) {
    rampZero = zero ?? rampZero
    mover.startRamps(at: rampZero)
  }

  /// Records the controls' values at `time`, on the frames' clock, because some may have been set since the
  /// stream began.
  func note(_ time: Instant, in configuration: inout StreamConfiguration, clock: TimestampMapper) {
    for (name, value) in mover.values(at: time + clock.offset, since: openedAt) {
      configuration.controls[name]?.value = value
    }
  }

  /// Records the controls' values at the first frame of `take`, and the changes up to its last, on the
  /// frames' clock.
  ///
  /// - Parameter interval: The time between frames.
  func note(in take: inout TakeInProgress, clock: TimestampMapper, interval: Duration) {
    let times = take.writer.accounting.timestamps
    guard let first = times.first, let last = times.last else { return }
    note(first, in: &take.facts.context.configuration, clock: clock)
    take.facts.controlChanges = mover.steps().compactMap { step in
      var step = step
      step.time = clock.exactFrameTime(of: step.time)
      return (first...max(first, last + interval)).contains(step.time) ? step : nil
    }
  }

  /// Restores the controls that were set beside the stream. Returns the error if one could not be restored.
  func putBack() -> OvercrankError? { mover.putBack(inForce) }
}
