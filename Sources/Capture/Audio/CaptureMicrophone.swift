public import Platform
public import Microphones
import Simulator
public import Takes
import Timebase

/// Anything that can hear: a microphone of this machine, or a simulated one.
public struct CaptureMicrophone: Sendable {
  /// How it was named, or what its name was found to mean.
  public let name: String
  let open: @Sendable () throws(OvercrankError) -> any AudioStream

  /// The microphone that `name` means; `nil` for none.
  ///
  /// - Parameters:
  ///   - name: a device, a part of a card's name, or `sim:`.
  ///   - device: the camera beside it, whose frames a simulated one hears, and whose clock it lives by.
  /// - Throws: `OvercrankError` where the name means none. Whether it can be had shows when it is opened.
  public init?(_ name: MicrophoneName, beside device: CaptureDevice?) throws(OvercrankError) {
    let clock = device?.clock ?? .monotonic
    switch name {
    case .none: return nil
    case .device(let name) where clock.isVirtual, .card(let name) where clock.isVirtual:
      throw OvercrankError(
        .badName,
        "\(name): a microphone of this machine hears in real time, and the camera's time is virtual. "
          + "Take a simulated one, sim:.")
    case .device(let name): self.init(ALSAMicrophone(name: name))
    case .card(let part): self.init(try ALSAMicrophone(card: part))
    case .simulated(let address):
      let exposures =
        if case .simulated(let camera, _)? = device { camera.exposures } else { nil as ExposureLog? }
      do throws(QuantityError) {
        let microphone = try SimulatedMicrophone(address: address, hearing: exposures, clock: clock)
        guard clock.isVirtual || !microphone.faults.isInVirtualTime else {
          throw QuantityError(
            address, expected: "a microphone in the camera's time, which is real: without clock=virtual")
        }
        self.init(name: address) { () throws(OvercrankError) in microphone.start() }
      } catch {
        throw OvercrankError(.badName, "\(error).")
      }
    }
  }

  private init(_ microphone: ALSAMicrophone) {
    self.init(name: microphone.name) { () throws(OvercrankError) in try microphone.start() }
  }

  /// A microphone that `open` opens, such as a test's.
  package init(name: String, open: @escaping @Sendable () throws(OvercrankError) -> any AudioStream) {
    self.name = name
    self.open = open
  }
}

extension MicrophoneName {
  /// Refuses what no microphone can be called, on whatever machine.
  ///
  /// - Throws: `OvercrankError` with `badName`.
  public func check() throws(OvercrankError) {
    switch self {
    case .none, .card: break
    case .device(let name): try ALSAMicrophone.check(name)
    case .simulated(let address):
      do throws(QuantityError) { _ = try SimulatedMicrophoneFaults(address: address) } catch {
        throw OvercrankError(.badName, "\(error).")
      }
    }
  }
}

/// A microphone that is open, and hears nothing yet.
public final class OpenMicrophone: @unchecked Sendable {
  // Unchecked: the stream is handed to the audio thread, once.

  /// What it is and delivers.
  public let input: AudioInput
  private let microphone: CaptureMicrophone
  private var stream: (any AudioStream)?

  /// Opens `microphone`.
  ///
  /// - Throws: `OvercrankError` where it cannot be had.
  public init(_ microphone: CaptureMicrophone) throws(OvercrankError) {
    let stream = try microphone.open()
    self.microphone = microphone
    self.stream = stream
    input = AudioInput(device: microphone.name, format: stream.format)
  }

  /// The first of `wishes` that can be had; `nil` where that is none.
  ///
  /// - Throws: `OvercrankError` of the first wish where none can be had.
  public static func first(
    of wishes: [MicrophoneName], beside device: CaptureDevice?
  ) throws(OvercrankError) -> OpenMicrophone? {
    var failure: OvercrankError?
    for wish in wishes {
      do throws(OvercrankError) {
        return try CaptureMicrophone(wish, beside: device).map { microphone throws(OvercrankError) in
          try OpenMicrophone(microphone)
        }
      } catch {
        // A slip of the pen is no wish that cannot be had.
        guard error.code != .badName else { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return nil
  }

  /// The stream; opens another one where it has been taken before.
  func take() throws(OvercrankError) -> any AudioStream {
    if let stream = stream.take() { return stream }
    return try microphone.open()
  }
}
