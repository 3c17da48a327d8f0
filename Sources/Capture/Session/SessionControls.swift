import Platform
import CameraModel
import Cameras
import Takes
import Timebase

/// The controls of a session: how its stream set them, what moves them, and what takes note of it.
struct SessionControls {
  /// Sets and moves them.
  let mover: ControlMover
  /// How the stream set them.
  private var inForce: [String: ControlInForce] = [:]
  /// When it had set them.
  private var openedAt = Instant.distantPast
  /// When the ramps of the take began, also where it goes on in another one.
  private var rampZero = Instant.distantPast

  init(_ mover: ControlMover) { self.mover = mover }

  /// Has controls be set and moved from now on, in a stream that set them so.
  mutating func attach(
    _ source: CaptureSource, _ configuration: SessionConfiguration, inForce: [String: ControlInForce],
    at now: Instant
  ) {
    self.inForce = inForce
    openedAt = now
    let open = source.controls.map { OpenControls(open: $0, configuration: configuration) }
    mover.attach(open, listens: source.isShared)
  }

  /// Lets go of the controls of a camera that is gone.
  func detach() { mover.attach(nil, listens: false) }

  /// Begins the ramps of a take.
  ///
  /// - Parameter zero: when they begin; `nil` for a take that another goes on in.
  mutating func startRamps(at zero: Instant?) {
    rampZero = zero ?? rampZero
    mover.startRamps(at: rampZero)
  }

  /// Notes how the controls stood at `time`, on the frames' clock: some may have been set since the stream began.
  func note(_ time: Instant, in configuration: inout StreamConfiguration, clock: TimestampMapper) {
    for (name, value) in mover.values(at: time + clock.offset, since: openedAt) {
      configuration.controls[name]?.value = value
    }
  }

  /// Notes how the controls stood at the first frame of `take`, and what was set from then to its last, on the
  /// frames' clock.
  ///
  /// - Parameter interval: the time between frames.
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

  /// Puts back what was set beside the stream. Returns why something could not be.
  func putBack() -> OvercrankError? { mover.putBack(inForce) }
}
