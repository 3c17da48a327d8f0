import ArgumentParser
import Overcrank
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
  var file: FilePath

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
  var outputFile: FilePath?

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
    let film = try Film(file)
    let path = outputFile ?? film.clipName(in: clip.container)
    let line = ClipProgressLine(isShown: !output.quiet)
    if let take = film.takePath { output.detail("Timed by \(take).") }
    let options = try clip.options(outputRate: fps ?? FrameRate(whole: 30))
    try film.checkIsThere()
    // Until here there is nothing to clean up, and a signal simply ends the program.
    let interruption = Interruption()
    let work = Task {
      try await ClipMaker.make(
        film.source, to: path, options: options, copy: clip.copy, replacing: force,
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

  /// Changes the film, and what its take says of it.
  private func changeInPlace() throws {
    guard let speed = try clip.speed?.curve().constant else {
      throw Failure(
        "--in-place takes one speed throughout. For a curve leave it out: --copy makes a new file.",
        exitCode: ExitStatus.usage)
    }
    try Film.retimeInPlace(file, speed: speed)
    if output.json {
      try Console.sayJSON(["file": file.string, "speed": speed.description])
    } else {
      Console.say("\(file): plays \(speed.factor.pace.map { "\($0) than before" } ?? "as fast as before").")
    }
  }
}

extension ClipReport {
  /// A line for people.
  func summary(_ path: FilePath) -> String {
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
