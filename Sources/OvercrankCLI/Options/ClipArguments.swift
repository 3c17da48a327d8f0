public import ArgumentParser
import Foundation
public import Media
public import Retime
import SystemPackage
import Timebase

/// How a clip is made.
struct ClipArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The clip's speed: 1/8, 0.125, 12.5% or 8x-slower; a curve such as '0s:1, 1.2s:1/8, ease 3s:1'; "
        + "or @FILE, which holds a curve.",
      valueName: "speed"),
    transform: { try SpeedArgument($0) })
  var speed: SpeedArgument?

  @Option(
    name: .customLong("in"), parsing: .unconditional,
    help: ArgumentHelp("The start of the clip, in capture time: 1.2s, 250ms.", valueName: "time"),
    transform: { try Duration(text: $0) })
  var start: Duration?

  @Option(
    name: .customLong("out"), parsing: .unconditional,
    help: ArgumentHelp("The end of the clip, in capture time.", valueName: "time"),
    transform: { try Duration(text: $0) })
  var end: Duration?

  @Option(help: "What to show where there is no frame; skip leaves out the time of lost frames.")
  var fill = Fill.hold

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The part of the picture to show, such as 640x360+16+8.", valueName: "part"),
    transform: { try PictureCrop(text: $0) })
  var crop: PictureCrop?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The clip's size: 1280x720, 640:-1, -1:360 or 1/2.", valueName: "size"),
    transform: { try ClipScale(text: $0) })
  var scale: ClipScale?

  @Option(help: "The clip's codec.")
  var codec = VideoEncoder.Kind.h264

  @Option(help: "The encoder's preset: a slower one makes smaller files. (default: veryfast)")
  var preset: VideoEncoder.Preset?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The encoder's quality; a lower number is better and larger. 0 to 51 for h264 and hevc, 0 to 63 for av1, 1 to \
      31 for mjpeg. (default: 20 for h264, 22 for hevc, 30 for av1, 3 for mjpeg)
      """,
      valueName: "quality"))
  var crf: Double?

  @Option(
    help: """
      What to do with the audio: drop leaves it out, stretch keeps its pitch, pitch lowers it as slow tape does. \
      (default: stretch, or drop if any part of the clip is slower than half the speed)
      """)
  var audio: ClipAudio?

  @Flag(help: "Even out the flicker of lamps on 50 or 60 Hz mains.")
  var deflicker = false

  @Flag(help: "Rewrite only the times; decode and encode nothing.")
  var copy = false

  func validate() throws {
    if copy { try validateCopy() }
    if let crf {
      guard let qualities = codec.qualities else {
        throw ValidationError(
          "--crf has no meaning with --codec \(codec.rawValue), which has no quality to set.")
      }
      guard qualities.contains(crf) else {
        throw ValidationError(
          "--crf \(crf) is not from \(Int(qualities.lowerBound)) to \(Int(qualities.upperBound)), as --codec "
            + "\(codec.rawValue) has it.")
      }
    }
    if preset != nil, !codec.hasPresets {
      throw ValidationError("--preset has no meaning with --codec \(codec.rawValue).")
    }
    if let end, end <= start ?? .zero {
      throw ValidationError("--out does not lie behind --in: nothing would be left.")
    }
  }

  private func validateCopy() throws {
    if let audio, audio != .drop {
      throw ValidationError("--copy leaves audio out, so --audio \(audio.rawValue) has no meaning with it.")
    }
    guard speed != nil else { throw ValidationError("--copy needs --speed: by how much to slow it down.") }
    let others = [
      ("--fill", fill != .hold), ("--crop", crop != nil), ("--scale", scale != nil),
      ("--codec", codec != .h264), ("--preset", preset != nil), ("--crf", crf != nil),
      ("--deflicker", deflicker),
    ]
    for (name, isGiven) in others where isGiven {
      throw ValidationError("--copy keeps every frame as it is, so \(name) has no meaning with it.")
    }
  }

  /// The container of a clip that was given no name.
  var container: Container { copy ? .mp4 : codec.usualContainer }

  /// The part of the film.
  var span: ClipSpan { ClipSpan(start: start?.wholeNanoseconds ?? 0, end: end?.wholeNanoseconds) }

  /// The clip at `outputRate` frames per second.
  func options(outputRate: FrameRate) throws -> ClipOptions {
    ClipOptions(
      speed: try speed?.curve(), outputRate: outputRate, fill: fill, span: span, crop: crop, scale: scale,
      codec: codec, preset: preset ?? .veryfast, quality: crf, evensFlicker: deflicker, audio: audio)
  }
}

/// The value of --speed.
enum SpeedArgument {
  case curve(SpeedCurve)
  /// A file with a curve in it, read only when all else on the command line is known to be right.
  case file(FilePath)

  /// A file larger than this holds no thousand points.
  private static let largestFile = 1 << 20

  init(_ text: String) throws {
    self =
      text.hasPrefix("@")
      ? .file(FilePath(given: String(text.dropFirst()))) : .curve(try SpeedCurve(text: text))
  }

  /// The curve.
  func curve() throws -> SpeedCurve {
    switch self {
    case .curve(let curve): curve
    case .file(let path): try Self.read(path)
    }
  }

  private static func read(_ path: FilePath) throws -> SpeedCurve {
    let bytes: Data
    do {
      let file = try FileHandle(forReadingFrom: URL(filePath: path.string))
      bytes = try file.read(upToCount: largestFile + 1) ?? Data()
    } catch {
      throw Failure(
        "--speed @\(path): the file cannot be read. Check its name.", exitCode: ExitStatus.noInput)
    }
    guard bytes.count <= largestFile, let text = String(data: bytes, encoding: .utf8) else {
      throw Failure("--speed @\(path): is no text of points such as 1.2s:1/8.", exitCode: ExitStatus.usage)
    }
    do {
      return try SpeedCurve(text: text)
    } catch {
      throw Failure("--speed @\(path): \(error)", exitCode: ExitStatus.usage)
    }
  }
}

extension VideoEncoder.Preset: ExpressibleByArgument {}
extension VideoEncoder.Kind: ExpressibleByArgument {}
extension Fill: ExpressibleByArgument {}
extension ClipAudio: ExpressibleByArgument {}
