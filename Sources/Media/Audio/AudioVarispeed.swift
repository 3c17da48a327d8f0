import Platform
import Glibc

/// Audio played as from tape: its pitch falls and rises with the speed.
///
/// Each sample is computed from the source's audio at exactly the moment that the clip shows, by a windowed
/// sinc. So nothing can drift, no speed is rounded, and speed changes leave no seams; the resamplers of libav
/// change their rate in steps.
final class AudioVarispeed: AudioFlow {
  private let source: AudioSource
  private let course: AudioTimeMap
  /// The samples of the source's audio per second of the source.
  private let sourceRate: Double
  /// The source samples that are still needed or were read ahead.
  private var window: AudioSamples
  /// The number of the first source sample in the window.
  private var windowStart: Int
  /// The largest number of samples needed on each side of a moment.
  private let mostReach: Int
  private var position = 0

  /// The samples used on each side of a moment, at the source's own speed or below; above it, frequencies
  /// beyond the clip's rate must be filtered out, which takes proportionally more.
  private static let reach = 16.0
  private static let stepsPerSample = 512
  /// The right half of the sinc, with a Blackman window.
  private static let kernel: [Float] = (0...Int(reach) * stepsPerSample + 1).map { step in
    let x = Double(step) / Double(stepsPerSample)
    guard x > 0 else { return 1 }
    guard x < reach else { return 0 }
    let window = 0.42 + 0.5 * cos(.pi * x / reach) + 0.08 * cos(2 * .pi * x / reach)
    return Float(sin(.pi * x) / (.pi * x) * window)
  }

  /// Plays the audio of `source` by `course`, in a clip whose speed never exceeds `fastest`.
  init(_ source: AudioSource, _ course: AudioTimeMap, fastest: Double) {
    let fastest = fastest * source.ratio
    sourceRate = Double(SlowedAudio.rate) * source.ratio
    self.source = source
    self.course = course
    mostReach = Int(clamping: (Self.reach * max(1, fastest)).rounded(.up)) + 1
    window = AudioSamples(silence: mostReach, channelCount: source.channelCount)
    windowStart = -mostReach
  }

  /// Plays the audio of `source` at the speed of the source's time.
  convenience init(correcting source: AudioSource) {
    self.init(source, AudioTimeMap(speed: 1), fastest: 1)
  }

  var channelCount: Int { source.channelCount }

  func read(_ count: Int) throws(OvercrankError) -> AudioSamples {
    let rate = Double(SlowedAudio.rate)
    let moments = (position..<position + count).map { number in
      let (seconds, speed) = course.kept(atClip: Double(number) / rate)
      return (place: seconds * sourceRate, step: max(1, speed * source.ratio))
    }
    position += count
    let first = Int(clamping: (moments.first?.place ?? 0).rounded(.down)) - mostReach
    if first - windowStart > 1 << 14 {
      _ = window.removeFirst(min(first - windowStart, window.count))
      windowStart = first
    }
    let end = Int(clamping: (moments.last?.place ?? 0).rounded(.up)) + mostReach + 1
    let missing = end - windowStart - window.count
    if missing > 0 { window.append(try source.read(missing)) }

    var output = AudioSamples(channelCount: source.channelCount)
    output.set { channel in
      moments.map { Self.sample(window.channels[channel], at: $0.place - Double(windowStart), step: $0.step) }
    }
    return output
  }

  /// Interpolates `samples` at `place`, without the frequencies that samples `step` apart cannot represent.
  private static func sample(_ samples: [Float], at place: Double, step: Double) -> Float {
    let steps = Double(stepsPerSample) / step
    let from = Int(clamping: (place - reach * step).rounded(.up))
    let to = Int(clamping: (place + reach * step).rounded(.down))
    return samples.withUnsafeBufferPointer { samples in
      kernel.withUnsafeBufferPointer { kernel in
        var sum: Float = 0
        for index in from...to {
          let distance = (Double(index) - place).magnitude * steps
          let whole = Int(distance)
          let rest = Float(distance - Double(whole))
          sum += samples[index] * (kernel[whole] + rest * (kernel[whole + 1] - kernel[whole]))
        }
        return sum / Float(step)
      }
    }
  }
}
