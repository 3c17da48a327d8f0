import AudioModel
import Platform
import Synchronization
import Timebase

/// A sudden sound: a clap, a shot, a string.
struct AudioTrigger: TriggerSource {
  static let kind = TriggerKind.audio
  static let usage =
    "audio, audio=LEVEL: the microphone hears a clap, a shot or another sudden sound, LEVEL dB above the "
    + "noise (12); audio=LEVEL,distance:3m,band:2k-8k subtracts the sound's way, and listens to these hertz"

  let settings: OnsetSettings
  let description: String

  init(argument: String?) throws(QuantityError) {
    settings =
      try argument.map { text throws(QuantityError) in try OnsetSettings(text: text) } ?? OnsetSettings()
    description = "audio" + (argument.map { "=\($0)" } ?? "")
  }

  var prompt: String { "clap" }
  var needsMicrophone: Bool { true }
  /// A sound proves to be sudden after 40 ms, and samples wait for 300 ms if some may be missing before them.
  var delay: Duration { .milliseconds(500) + settings.flight }

  /// The uncertainty of an onset in noise.
  static let uncertainty = Duration.milliseconds(1)

  func open(to session: CaptureSession) -> (any Sendable)? {
    // The onset is detected on the audio thread, which has no deadline, so that no sample is skipped.
    let detector = Mutex<OnsetDetector?>(nil)
    let tap = AudioTap { [weak session, settings] stretch in
      let onsets = detector.withLock { detector in
        let format = stretch.format
        var hearing =
          detector
          ?? OnsetDetector(
            level: settings.level, band: settings.band, rate: format.rate, channels: format.channels)
        defer { detector = hearing }
        return stretch.bytes.withUnsafeBytes { bytes in
          let size = format.numbers.byteCount
          return hearing.hear(bytes.count / format.sampleBytes, from: stretch.position) { index in
            format.numbers.value(in: bytes, at: index * size)
          }
        }
      }
      for onset in onsets {
        let time = stretch.time(of: onset) - settings.flight
        session?.commands.trigger(TriggerEvent(.audio, at: time, uncertainty: Self.uncertainty))
      }
    }
    session.commands.sourceBegan()
    session.add(tap)
    return OpenTap(tap)
  }

  /// A tap that is closed when it is released.
  private final class OpenTap: Sendable {
    private let tap: AudioTap

    init(_ tap: AudioTap) { self.tap = tap }

    deinit { tap.close() }
  }
}

extension TriggerKind {
  /// A sudden sound.
  public static let audio = TriggerKind(rawValue: "audio")
}
