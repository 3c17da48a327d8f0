public import ArgumentParser
public import Media
public import Retime
import Timebase

/// How a clip is made.
struct ClipArguments: ParsableArguments {
  @Option(
    parsing: .unconditional, help: "How fast the clip plays: 1/8, 0.125, 12.5% or 8x-slower.",
    transform: { try Speed(text: $0) })
  var speed: Speed?

  @Option(help: "The encoder's trade of time for size.")
  var preset = VideoEncoder.Preset.veryfast

  @Option(help: "The encoder's quality, from 0 (lossless) to 51; less is better and larger.")
  var crf = 20.0

  @Option(help: "How frames are coded.")
  var codec = ClipOptions.Codec.h264

  @Option(
    help: """
      What becomes of a film's sound: drop leaves it out, stretch keeps its pitch, pitch lets it fall as tape's does. \
      Without it, sound is stretched down to half the speed and left out below.
      """)
  var audio: ClipSound?

  @Flag(help: "Rewrite only time: decode and encode nothing.")
  var copy = false

  func validate() throws {
    if copy, let audio, audio != .drop {
      throw ValidationError("--copy leaves sound out, so --audio \(audio.rawValue) has no meaning with it.")
    }
    if copy, speed == nil { throw ValidationError("--copy needs --speed: by how much to slow it down.") }
    guard (0...51).contains(crf) else { throw ValidationError("--crf \(crf) is not from 0 to 51.") }
  }

  /// The clip at `outputRate` frames per second.
  func options(outputRate: FrameRate) -> ClipOptions {
    ClipOptions(
      speed: speed, outputRate: outputRate, codec: codec, preset: preset, quality: crf, sound: audio)
  }
}

extension VideoEncoder.Preset: ExpressibleByArgument {}
extension ClipSound: ExpressibleByArgument {}
extension ClipOptions.Codec: ExpressibleByArgument {}
