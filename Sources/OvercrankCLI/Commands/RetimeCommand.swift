import ArgumentParser
import Foundation
import Media
import Overcrank
import Platform
import Retime
import SystemPackage
import Takes
import Timebase

struct RetimeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retime", abstract: "Converts a master or any video file to a slow-motion clip.",
    discussion: """
      The take beside a master tells when each frame was captured and which frames were lost. The frame before a \
      lost one is held. Without --speed, every captured frame is shown once. --copy rewrites only the times and \
      decodes nothing. With --in-place it changes FILE itself, in milliseconds whatever its size.
      """)

  @Argument(help: "The master or video file.", completion: .file())
  var file: String

  @OptionGroup var clip: ClipArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames per second of the clip: 30, 60, 30000/1001. (default: 30)", valueName: "rate"),
    transform: { try FrameRate(text: $0) })
  var fps: FrameRate?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "The clip's file: .mp4, .mov or .mkv. (default: FILE with -slow added to its name)", valueName: "file"),
    completion: .file(extensions: ["mp4", "mov", "mkv"]))
  var outputFile: String?

  @Flag(
    help: "With --copy: change FILE itself, which must be a master or clip written by Overcrank."
  )
  var inPlace = false

  @Flag(help: "Replace an existing file.")
  var force = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if clip.copy, fps != nil {
      throw ValidationError("--copy keeps every frame and makes none, so --fps has no meaning with it.")
    }
    if inPlace { try validateInPlace() }
    if let outputFile { try ClipName.validate(outputFile) }
  }

  private func validateInPlace() throws {
    guard clip.copy else { throw ValidationError("--in-place is a way of --copy; give both.") }
    if outputFile != nil { throw ValidationError("--in-place makes no new file; leave out -o.") }
    if clip.span != .whole {
      throw ValidationError("--in-place keeps every frame; leave out --in and --out.")
    }
  }

  func run() async throws {
    if inPlace { return try changeInPlace() }
    let path = outputFile ?? "\(TakeFiles.stem(of: file))-slow.\(clip.container.fileExtension)"
    let line = ClipProgressLine(isShown: !output.quiet)
    let (source, options) = (try source(), try clip.options(outputRate: fps ?? FrameRate(whole: 30)))
    try checkIsThere()
    // Until here there is nothing to clean up, and a signal simply ends the program.
    let interruption = Interruption()
    let work = Task {
      try await ClipMaker.make(
        source, to: path, options: options, copy: clip.copy, replacing: force,
        progress: { line.draw($0) })
    }
    interruption.set { work.cancel() }
    let outcome = await work.result
    line.clear()
    let report = try outcome.get()
    if output.json {
      try Console.sayJSON(report.clip(named: path, options: options))
    } else {
      Console.say(report.summary(path))
      if let remark = report.cutRemark(clip.span) { output.remark(remark) }
    }
  }

  /// Tells of a missing FILE before anything of the output, and how to get it where its recording was cut off.
  private func checkIsThere() throws {
    if !FileManager.default.fileExists(atPath: file), let master = CutOffMaster.path(for: file) {
      throw Failure(
        "\(file): is not there, but \(master).part is, which a recording leaves that was cut off. Make it whole with "
          + "\"overcrank recover \(file)\"; where it is still being filmed, wait for its end.",
        exitCode: ExitStatus.noInput)
    }
    try Demuxer.checkIsFile(FilePath(file))
  }

  /// Changes the film, and what its take says of it.
  private func changeInPlace() throws {
    guard let speed = try clip.speed?.curve().constant else {
      throw Failure(
        "--in-place takes one speed throughout. For a curve leave it out: --copy makes a new file.",
        exitCode: ExitStatus.usage)
    }
    try checkIsThere()
    let stem = TakeFiles.stem(of: file)
    let takePath = TakeFiles.take(besideMaster: file) ?? stem + ".take.json"
    var take = try Take.read(from: takePath)
    try InPlaceRetimer(FilePath(file), speed: speed).retime()
    if take?.enterRetimed(TakeFiles.name(of: file), speed: speed) == true {
      try take?.write(to: takePath, replacing: true)
    }
    if output.json {
      try Console.sayJSON(["file": file, "speed": speed.description])
    } else {
      Console.say("\(file): plays \(speed.factor.pace.map { "\($0) than before" } ?? "as fast as before").")
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

extension ClipReport {
  /// A line for people.
  func summary(_ path: String) -> String {
    var words =
      "\(path): \(outputFrames) \(outputFrames == 1 ? "frame" : "frames"), \(duration.decimal(places: 2)) s"
    if let pace = speed.pace { words += ", \(pace)" }
    if held > 0 { words += "; \(held) hold the one before, where there was no frame" }
    if blended > 0 { words += "; \(blended) are mixed of two" }
    if damaged > 0 { words += "; \(damaged) of the film's frames are damaged" }
    if let flicker { words += "; \(flicker.words)" }
    switch audio {
    case .drop: words += "; the audio is left out (--audio stretch or --audio pitch keeps it)"
    case .stretch: words += "; the audio is stretched"
    case .pitch: words += "; the audio is as deep as it is slow"
    case nil: break
    }
    if hasUnknownAudio { words += "; the audio is left out, as this libavcodec cannot decode it" }
    if losesOrientation { words += "; it lies as in the film, since only .mp4 and .mov say how to turn it" }
    if hasCoarseHDR {
      words += "; its high dynamic range has 8 bits, which may show steps (--codec hevc has 10)"
    }
    return words + "."
  }

  /// What a person who asked for `span` is told of where a copy was cut; `nil` where there is nothing to tell.
  func cutRemark(_ span: ClipSpan) -> String? {
    guard let cut else { return nil }
    let asked = Fraction(span.start, 1_000_000_000)
    var words: [String] = []
    if (cut.start - asked).magnitude > Fraction(1, 1000) {
      words.append("begins at \(cut.start.decimal(places: 3)) s rather than \(asked.decimal(places: 3)) s")
    }
    if let end = span.end.map({ Fraction($0, 1_000_000_000) }), cut.end > end + Fraction(1, 1000) {
      words.append("ends at \(cut.end.decimal(places: 3)) s rather than \(end.decimal(places: 3)) s")
    }
    guard !words.isEmpty else { return nil }
    return
      "The copy \(words.joined(separator: " and ")): only a keyframe can stand there. Without --copy it is exact."
  }
}

extension Fraction {
  /// What a clip of this speed is against its film, `8 times slower` or `1.5 times faster`; `nil` where both take the same
  /// time, to within a hundredth.
  fileprivate var pace: String? {
    let (ratio, comparative) = self < Fraction(1) ? (reciprocal, "slower") : (self, "faster")
    let times = ratio.decimal(places: 2)
    return times == "1" ? nil : "\(times) times \(comparative)"
  }
}
