import ArgumentParser
import Capture
import Foundation
import Media
import Retime
import SystemPackage
import Timebase

struct RetimeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retime", abstract: "Makes a slow-motion clip from a master or any video file.",
    discussion: """
      Beside a master, its take tells when each frame was captured and which were lost: a lost frame leaves the \
      one before it standing. Without --speed every captured frame is shown once. --copy decodes nothing and \
      rewrites only time.
      """)

  @Argument(help: "The master or video file.")
  var file: String

  @OptionGroup var clip: ClipArguments

  @Option(
    parsing: .unconditional, help: "Frames per second of the clip; default 30.",
    transform: { try FrameRate(text: $0) })
  var fps: FrameRate?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: "The clip's file, .mp4 or .mov. Without it, FILE with -slow in its name.")
  var outputFile: String?

  @Flag(help: "Replace a file of the same name.")
  var force = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if clip.copy, fps != nil {
      throw ValidationError("--copy keeps every frame and makes none, so --fps has no meaning with it.")
    }
    if let outputFile { try ClipName.validate(outputFile) }
  }

  func run() async throws {
    let path = outputFile ?? "\(TakeFiles.stem(of: file))-slow.mp4"
    let interruption = Interruption()
    let line = ClipProgressLine(isShown: !output.quiet)
    let (source, rate) = (try source(), fps ?? FrameRate(whole: 30))
    let work = Task {
      try await ClipMaker.make(
        source, to: path, options: clip.options(outputRate: rate), copy: clip.copy, replacing: force,
        progress: { line.draw($0) })
    }
    interruption.set { work.cancel() }
    let report = try await work.value
    line.clear()
    if output.json {
      try Console.sayJSON(report.clip(named: path, outputRate: rate))
    } else {
      Console.say(report.summary(path))
    }
  }

  /// The film, timed by the take that lies beside it, where there is one.
  private func source() throws -> ClipSource {
    guard let path = TakeFiles.take(besideMaster: file), let take = try Take.read(from: path) else {
      return ClipSource(FilePath(file))
    }
    output.detail("Timed by \(path).")
    return ClipSource(FilePath(file), take: take)
  }
}

/// Makes a clip in either way.
enum ClipMaker {
  static func make(
    _ source: ClipSource, to path: String, options: ClipOptions, copy: Bool, replacing: Bool,
    progress: @escaping @Sendable (ClipProgress) -> Void
  ) async throws -> ClipReport {
    let container: Container = path.lowercased().hasSuffix(".mov") ? .mov : .mp4
    let file = try OutputFile(FilePath(path), replacing: replacing)
    guard copy, let speed = options.speed else {
      return try await ClipRenderer(source, options: options).render(
        to: file, container: container, progress: progress)
    }
    return try await CopyRetimer(source.path, speed: speed).copy(
      to: file, container: container, progress: progress)
  }
}

extension ClipReport {
  /// What the take says of the clip.
  func clip(named path: String, outputRate: FrameRate) -> Take.Clip {
    Take.Clip(
      file: TakeFiles.name(of: path), speed: Speed(speed)?.description ?? "\(speed)",
      framesPerSecond: outputRate.framesPerSecond.doubleValue, frames: outputFrames, held: held)
  }

  /// A line for people.
  func summary(_ path: String) -> String {
    var words = "\(path): \(outputFrames) frames, \(duration.decimal(places: 2)) s"
    if speed < Fraction(1) { words += ", \(speed.reciprocal.decimal(places: 2)) times slower" }
    if speed > Fraction(1) { words += ", \(speed.decimal(places: 2)) times faster" }
    if held > 0 { words += "; \(held) hold the one before, where frames were lost" }
    if damaged > 0 { words += "; \(damaged) of the film's frames are damaged" }
    switch sound {
    case .drop: words += "; the sound is left out (--audio stretch or --audio pitch keeps it)"
    case .stretch: words += "; the sound is stretched"
    case .pitch: words += "; the sound is as deep as it is slow"
    case nil: break
    }
    return words + "."
  }
}
