internal import ALSA
import AudioModel
package import Platform
import Timebase

/// A microphone of this machine, through libasound.
package struct ALSAMicrophone: Hashable, Sendable {
  /// The name that libasound gives it, such as `hw:1,0` or `default`.
  package let name: String

  /// Creates a microphone with libasound's name `name`; whether it exists is known only once it is opened.
  package init(name: String) { self.name = name }

  /// Finds the first device whose card's name contains `part`, or the device that ALSA's configuration
  /// defines by that name.
  ///
  /// - Throws: `OvercrankError` with `noMicrophone`, which lists the microphones of this machine.
  package init(card part: String, in system: SystemFolder = SystemFolder()) throws(OvercrankError) {
    let nodes = MicrophoneNode.all(in: system)
    guard let name = nodes.first(where: { $0.answers(to: part) })?.name ?? Self.defined(part) else {
      throw OvercrankError(
        .noMicrophone, "No microphone's name contains \"\(part)\". \(Self.words(nodes))",
        remedy: .listMicrophones)
    }
    self.name = name
  }

  /// Rejects a name that no device can have.
  ///
  /// - Throws: `OvercrankError` with `badName`.
  package static func check(_ name: String) throws(OvercrankError) {
    do throws(ALSAError) { _ = try PCMName(name) } catch { throw OvercrankError(error) }
  }

  /// Returns `name` if ALSA's configuration defines it, such as `pulse` or a name of the user's own
  /// configuration.
  private static func defined(_ name: String) -> String? { CapturePCM.isDefined(name) ? name : nil }

  /// The system's default device, `default`; `nil` if neither a device nor a sound server is behind it.
  package static var usual: ALSAMicrophone? {
    CapturePCM.leadsToDevice("default") ? ALSAMicrophone(name: "default") : nil
  }

  /// Opens the microphone in its best format.
  ///
  /// - Throws: `OvercrankError`: if there is no such microphone, it lists those of this machine; if the
  ///   microphone is busy, it names the process that uses it.
  package func start() throws(OvercrankError) -> any AudioStream {
    do throws(ALSAError) { return ALSAStream(try CapturePCM(name)) } catch {
      switch error.code {
      case .noDevice:
        throw OvercrankError(
          .noMicrophone, "\(error) \(Self.words(MicrophoneNode.all()))", remedy: .listMicrophones)
      case .busy:
        let holder = MicrophoneNode.all().first { $0.name == name }?.holder
        throw OvercrankError(.busy, "\(error)\(holder.map { " Process \($0) is using it." } ?? "")")
      default: throw OvercrankError(error)
      }
    }
  }

  /// Lists `nodes` in a sentence.
  static func words(_ nodes: [MicrophoneNode]) -> String {
    nodes.isEmpty
      ? "This machine has no microphone; \"sim:\" names a simulated one."
      : "The microphones are: \(nodes.map { "\($0.name) (\($0.cardName))" }.joined(separator: ", "))."
  }
}

/// An open microphone of libasound.
final class ALSAStream: AudioStream {
  private let device: CapturePCM
  private var delivered: Int64 = 0

  init(_ device: CapturePCM) { self.device = device }

  var format: AudioFormat { device.format }

  func begin() throws(OvercrankError) {
    do throws(ALSAError) { try device.start() } catch { throw OvercrankError(error) }
  }

  func next(
    within timeout: Duration, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(OvercrankError) -> AudioArrival {
    var mark: AudioMark?
    do throws(ALSAError) {
      let outcome = try device.next(within: timeout) { bytes, waiting, time in
        delivered += Int64(bytes.count / format.sampleBytes)
        mark = AudioMark(time: time, sampleCount: delivered + Int64(waiting))
        body(bytes)
      }
      switch outcome {
      case .samples(let count): return mark.map { .samples(count, $0) } ?? .nothing
      case .nothing: return .nothing
      case .restarted: return .restarted
      }
    } catch {
      throw OvercrankError(error)
    }
  }

  func stop() { device.stop() }
}
