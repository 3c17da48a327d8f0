import AudioModel
package import Microphones
package import Timebase

/// A microphone beside a simulated camera: it hears a click whenever a frame is captured whose number is a
/// multiple of 120, to the sample, over a little noise.
///
/// A click is 5 ms of 2 kHz at -6 dBFS, the noise lies at -60 dBFS. Where no simulated camera captures, there is
/// noise alone.
package struct SimulatedMicrophone<Clock: SimulationClock>: Sendable {
  /// What it is called in messages.
  package let name: String
  /// What it delivers, and what goes wrong.
  package let faults: SimulatedMicrophoneFaults
  private let exposures: ExposureLog?
  private let clock: Clock

  /// A microphone that lives in the time of `clock`.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - faults: what it delivers, and what goes wrong.
  ///   - exposures: what the camera beside it captures when; `nil` where there is none.
  ///   - clock: tells its time.
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

  /// Opens it.
  package func start() -> any AudioStream {
    SimulatedAudioStream(name: name, faults: faults, exposures: exposures, clock: clock)
  }
}

extension SimulatedMicrophone {
  /// The microphone that `address` means, in the time of `clock`.
  ///
  /// - Throws: `QuantityError` where `address` is none.
  package init(address: String, hearing exposures: ExposureLog?, clock: Clock) throws(QuantityError) {
    self.init(
      name: address, faults: try SimulatedMicrophoneFaults(address: address), hearing: exposures, clock: clock
    )
  }
}
