import ArgumentParser
import Overcrank

/// The option for the microphone.
struct AudioOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Record audio with this microphone: default, hw:1,0, part of its card's name, sim:, or a list "
        + "of these.",
      discussion: "From a list, the first that exists is used: usb,default,none.".rare, valueName: "list"),
    completion: .microphone)
  var mic: String?

  func validate() throws {
    guard let mic else { return }
    for name in try Self.names(mic) {
      do throws(OvercrankError) { try name.check() } catch { throw ValidationError("--mic: \(error)") }
    }
  }

  /// The options that were given.
  var given: [String] {
    [String](given: ["--mic": mic != nil, "--mic none": mic != nil && names.allSatisfy { $0 == .none }])
  }

  /// The requested microphones; empty to record no audio.
  var names: [MicrophoneName] { mic.flatMap { try? Self.names($0) } ?? [] }

  private static func names(_ text: String) throws -> [MicrophoneName] {
    do throws(QuantityError) { return try MicrophoneName.list(text: text) } catch {
      throw ValidationError("--mic: \(error).")
    }
  }
}
