import Timebase

/// The clock with which a simulated camera times its frames, beside the true time of the simulation.
///
/// It shows the true time at the epoch, plus ``error``, and then counts ``rate`` seconds a second.
struct SensorClock: Sendable {
  /// The moment from which phases and flashes of all simulated cameras count, in true nanoseconds.
  let epoch: Int64
  /// The nanoseconds from the epoch to the first frame; `nil` if the start of the stream decides.
  let phase: Int64?
  /// The seconds that this clock counts in a true second.
  let rate: Fraction
  /// The error of all its readings, in nanoseconds.
  let error: Int64

  init(epoch: Int64, faults: SimulatedFaults) {
    self.epoch = epoch
    phase = faults.phase?.wholeNanoseconds
    rate = Fraction(1) + faults.clockDeviation / Fraction(1_000_000)
    error = faults.stampError.wholeNanoseconds
  }

  /// Returns the nanoseconds that this clock counts in `nanoseconds` of true time.
  func counting(_ nanoseconds: Int64) -> Int64 { rate.scaling(nanoseconds) }
}
