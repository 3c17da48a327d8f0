internal import ALSA
import AudioModel
package import Platform
import Timebase

/// A microphone of this machine, through libasound.
package struct ALSAMicrophone: Hashable, Sendable {
  /// What libasound calls it, such as `hw:1,0` or `default`.
  package let name: String

  /// The microphone that libasound calls `name`; whether there is one shows when it is opened.
  package init(name: String) { self.name = name }

  /// The first device that answers to a part of its card's name, or the one that ALSA's configuration has by that name.
  ///
  /// - Throws: `OvercrankError` with `noMicrophone`, which names those that are there.
  package init(card part: String, in system: SystemFolder = SystemFolder()) throws(OvercrankError) {
    let nodes = MicrophoneNode.all(in: system)
    guard let name = nodes.first(where: { $0.answers(to: part) })?.name ?? Self.defined(part) else {
      throw OvercrankError(
        .noMicrophone, "No microphone's name contains \"\(part)\". \(Self.words(nodes))",
        remedy: .listMicrophones)
    }
    self.name = name
  }

  /// Refuses a name that no device can have.
  ///
  /// - Throws: `OvercrankError` with `badName`.
  package static func check(_ name: String) throws(OvercrankError) {
    do throws(ALSAError) { _ = try PCMName(name) } catch { throw OvercrankError(error) }
  }

  /// `name` where ALSA's configuration defines it, such as `pulse`, or what users name in their own.
  private static func defined(_ name: String) -> String? { CapturePCM.isDefined(name) ? name : nil }

  /// The system's choice, `default`; `nil` where no device or sound server is behind it.
  package static var usual: ALSAMicrophone? {
    CapturePCM.leadsToDevice("default") ? ALSAMicrophone(name: "default") : nil
  }

  /// Opens it, in the best format that it has.
  ///
  /// - Throws: `OvercrankError`, which names those that are there where there is no such one, and who has it where it
  ///   is busy.
  package func start() throws(OvercrankError) -> any AudioStream {
    do throws(ALSAError) { return ALSAStream(try CapturePCM(name)) } catch {
      switch error.code {
      case .noDevice:
        throw OvercrankError(
          .noMicrophone, "\(error) \(Self.words(MicrophoneNode.all()))", remedy: .listMicrophones)
      case .busy:
        let holder = MicrophoneNode.all().first { $0.name == name }?.holder
        throw OvercrankError(.busy, "\(error)\(holder.map { " It is process \($0) that has it." } ?? "")")
      default: throw OvercrankError(error)
      }
    }
  }

  /// The microphones that are there, in a sentence.
  static func words(_ nodes: [MicrophoneNode]) -> String {
    nodes.isEmpty
      ? "This machine has no microphone; \"sim:\" names a simulated one."
      : "There are: \(nodes.map { "\($0.name) (\($0.cardName))" }.joined(separator: ", "))."
  }
}

/// A microphone of libasound's that is open.
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
