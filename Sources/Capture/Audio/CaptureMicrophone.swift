public import Platform
public import Microphones
import Simulator
public import Takes
import Timebase

/// A source of audio: a microphone of this machine, or a simulated one.
public struct CaptureMicrophone: Sendable {
  /// The microphone's name, as given or as resolved.
  public let name: String
  let open: @Sendable () throws(OvercrankError) -> any AudioStream

  /// Finds the microphone called `name`; `nil` for none.
  ///
  /// - Parameters:
  ///   - name: A device, a part of a card's name, or `sim:`.
  ///   - device: The camera beside it, whose frames and clock a simulated microphone uses.
  /// - Throws: `OvercrankError` if there is no such microphone. Whether it is available shows when it is
  ///   opened.
  public init?(_ name: MicrophoneName, beside device: CaptureDevice?) throws(OvercrankError) {
    let clock = device?.clock ?? .monotonic
    switch name {
    case .none: return nil
    case .device(let name) where clock.isVirtual, .card(let name) where clock.isVirtual:
      throw OvercrankError(
        .badName,
        "\(name): a real microphone records in real time, but the camera's time is virtual. "
          + "Use a simulated microphone, sim:.")
    case .device(let name): self.init(ALSAMicrophone(name: name))
    case .card(let part): self.init(try ALSAMicrophone(card: part))
    case .simulated(let address):
      let exposures =
        if case .simulated(let camera, _)? = device { camera.exposures } else { nil as ExposureLog? }
      do throws(QuantityError) {
        let microphone = try SimulatedMicrophone(address: address, hearing: exposures, clock: clock)
        guard clock.isVirtual || !microphone.faults.isInVirtualTime else {
          throw QuantityError(
            address, expected: "a microphone for this camera, whose time is real: leave out clock=virtual")
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

  /// Creates a microphone from an `open` function, such as a test's.
  package init(name: String, open: @escaping @Sendable () throws(OvercrankError) -> any AudioStream) {
    self.name = name
    self.open = open
  }
}

extension MicrophoneName {
  /// Rejects a name that no microphone on any machine can have.
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

/// An open microphone that is not recording yet.
public final class OpenMicrophone: @unchecked Sendable {
  // Unchecked: the stream is handed to the audio thread, once.

  /// The microphone's name and format.
  public let input: AudioInput
  private let microphone: CaptureMicrophone
  private var stream: (any AudioStream)?

  /// Opens `microphone`.
  ///
  /// - Throws: `OvercrankError` if it is not available.
  public init(_ microphone: CaptureMicrophone) throws(OvercrankError) {
    let stream = try microphone.open()
    self.microphone = microphone
    self.stream = stream
    input = AudioInput(device: microphone.name, format: stream.format)
  }

  /// Opens the first available microphone of `wishes`; `nil` if that is none.
  ///
  /// - Throws: `OvercrankError` of the first wish if none is available.
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
        // A malformed name is an error, not an unavailable microphone.
        guard error.code != .badName else { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return nil
  }

  /// Returns the stream, or opens another one if it has been taken.
  func take() throws(OvercrankError) -> any AudioStream {
    if let stream = stream.take() { return stream }
    return try microphone.open()
  }
}
