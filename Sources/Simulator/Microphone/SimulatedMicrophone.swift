package import Microphones
package import Timebase

/// A microphone beside a simulated camera: it hears a click, accurate to the sample, at each captured frame
/// whose number is a multiple of 120, over faint noise.
///
/// A click lasts 5 ms at 2 kHz and -6 dBFS; the noise is at -60 dBFS. While no simulated camera captures,
/// there is only noise.
package struct SimulatedMicrophone<Clock: SimulationClock>: Sendable {
  /// The name in messages.
  package let name: String
  /// The audio format and the faults.
  package let faults: SimulatedMicrophoneFaults
  private let exposures: ExposureLog?
  private let clock: Clock

  /// Creates a microphone that runs on `clock`.
  ///
  /// - Parameters:
  ///   - name: The name in messages.
  ///   - faults: The audio format and the faults.
  ///   - exposures: The exposure log of the camera beside it; `nil` if there is none.
  ///   - clock: The clock.
  package init(
    name: String = SimulatedCameraAddress.prefix,
    faults: SimulatedMicrophoneFaults = SimulatedMicrophoneFaults(), hearing exposures: ExposureLog?,
    clock: Clock
  ) {
    self.name = name
    self.faults = faults
    self.exposures = exposures
    self.clock = clock
  }

  /// Opens the microphone.
  package func start() -> any AudioStream {
    SimulatedAudioStream(name: name, faults: faults, exposures: exposures, clock: clock)
  }
}

extension SimulatedMicrophone {
  /// Creates the microphone at `address`, running on `clock`.
  ///
  /// - Throws: `QuantityError` if `address` is invalid.
  package init(address: String, hearing exposures: ExposureLog?, clock: Clock) throws(QuantityError) {
    self.init(
      name: address, faults: try SimulatedMicrophoneFaults(address: address), hearing: exposures, clock: clock
    )
  }
}
