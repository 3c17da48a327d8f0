import ArgumentParser
import Overcrank

/// The options for a clip of a source that exists, with which `retime` and `takes edit` make one.
struct ClipMakingOptions: RuledOptions {
  @OptionGroup var clip: ClipArguments
  @OptionGroup var turning: TurnOptions
  @OptionGroup var fields: DeinterlaceOptions

  @Option(
    help: ArgumentHelp(
      """
      How a clip of a group shows its cameras: side by side, in a stack, in a grid, or all but the first inset in its \
      corners. (default: side)
      """))
  var layout: ClipLayout?

  var given: [String] {
    clip.given + turning.given + fields.given + [String](given: ["--layout": layout != nil])
  }

  /// Returns the spec of the clip of `video`.
  ///
  /// - Parameter path: the clip's file; `nil` if it was not named.
  func spec(of video: SourceVideo, named path: FilePath? = nil) throws -> ClipSpec {
    var spec = try clip.spec(of: video, named: path)
    switch spec.making {
    case .copy(var copy):
      copy.turn = turning.turn
      spec.making = .copy(copy)
    case .render(var render):
      render.stages = render.stages.with(turning.turn, fields.stage)
      spec.making = .render(render)
    }
    if video.isGroup { spec.render?.layout = layout ?? .side }
    return spec
  }

  /// Refuses a layout for a source that is not a group.
  func checkLayout(of source: FilePath) throws {
    guard let layout, !GroupVideo.isNamed(by: source) else { return }
    throw Failure(
      "\(source): is not a group, so --layout \(layout.rawValue) has nothing to arrange. Name a group, such "
        + "as jump.group.json, or leave out --layout.", exitCode: ExitStatus.usage)
  }

  /// Returns the cameras of a group as one source, after a remark on those that failed.
  func video(ofGroup path: FilePath, _ output: OutputOptions) throws -> SourceVideo {
    let opened = try GroupVideo(path, profiles: ProfileLibrary(for: output))
    for failure in opened.group.failed {
      let isShown = opened.group.cameras.contains { $0.name == failure.name }
      output.remark(
        "\(path): camera \(failure.name) failed, so "
          + (isShown ? "its take, and the clip with it, may end early" : "the clip does not show it")
          + ": \(failure.error.printable)")
    }
    return opened.video
  }

  /// Converts one source to a clip.
  ///
  /// - Parameters:
  ///   - video: the source.
  ///   - path: the clip's file.
  ///   - spec: the description of the clip.
  ///   - isReplacing: whether an existing file may be replaced.
  ///   - isPiped: whether the clip goes to standard output.
  ///   - output: the amount and the form of output.
  /// - Returns: the report, and the error that kept the clip out of its take; `nil` if the reader of a piped
  ///   clip left early.
  func convert(
    _ video: SourceVideo, to path: FilePath, _ spec: ClipSpec, replacing isReplacing: Bool = false,
    isPiped: Bool = false, _ output: OutputOptions
  ) async throws -> (report: ClipReport, unentered: OvercrankError?)? {
    if let take = video.takePath { output.detail("The times come from \(take).") }
    if let check = video.staleTake {
      output.remark(
        "\(check.path): does not match \(video.path.name), which plays at \(check.stale.first?.speed ?? ""): a change in place was "
          + "cut off. \"overcrank recover \(video.path.string.shellWord)\" repairs it.")
    }
    try video.checkIsReadable()
    reportPace(of: video, at: spec.speed, output)
    let line = ClipProgressLine(isShown: !output.quiet)
    let work = Interruption.shared.cancelling {
      Task { () throws -> (report: ClipReport, unentered: OvercrankError?) in
        guard isPiped, let render = spec.render else {
          return try await video.makeClip(
            to: path, spec: spec, replacing: isReplacing, progress: { line.draw($0) })
        }
        let report = try await ClipMaker.make(
          video.source, to: OutputPipe(.standardOutput, name: path), render: render, of: spec.part,
          progress: { line.draw($0) })
        return (report, nil)
      }
    }
    let outcome = await work.result
    line.clear()
    let report: ClipReport
    let unentered: OvercrankError?
    do {
      (report, unentered) = try outcome.get()
    } catch let error as OvercrankError where error.code == .readerLeft {
      output.remark(error.description)
      return nil
    }
    if isPiped {
      output.remark(report.summary(path, hasPlaceForAudio: false))
    } else if !output.json {
      Console.say(report.summary(path))
    }
    if let remark = report.endRemark { output.remark("\(video.name): \(remark)") }
    if let remark = report.gapRemark { output.remark("\(video.name): \(remark)") }
    if let remark = report.curveRemark { output.remark("\(video.name): \(remark)") }
    if let remark = report.cutRemark(clip.part) { output.remark(remark) }
    let development = clip.stages.development
    if let option = development.given.first, development.stage != nil, report.development == nil {
      output.remark("\(video.name): is not raw, so \(option) had no effect.")
    }
    if development.given.contains("--white-balance"), report.development != nil, video.isGrey {
      output.remark("\(video.name): is grey, so --white-balance had no effect.")
    }
    if !report.isDeinterlaced {
      for image in video.images(report.damagedFrames) {
        output.remark("\(image): is damaged; the image before it is shown in its place.")
      }
    }
    if report.isInterlaced {
      output.remark(
        "\(video.name): is marked as interlaced. --deinterlace auto makes a frame of each field.")
    }
    if let audio = clip.audio, audio != .drop, report.audio == nil, !report.hasUnknownAudio {
      output.remark("\(video.name): has no audio, so --audio \(audio.rawValue) had no effect.")
    }
    return (report, unentered)
  }

  /// Prints the rate at which a source was captured if that is not obvious, and what is wrong in its
  /// metadata.
  private func reportPace(of video: SourceVideo, at speed: SpeedCurve?, _ output: OutputOptions) {
    for words in video.pace.ignored {
      output.remark("\(video.name): \(words.printable), so that is ignored.")
    }
    guard video.takePath == nil else { return }
    if let missing = video.missingImages { output.remark("\(video.name): \(missing)") }
    switch video.pace.source {
    case .unknown:
      let rate = video.pace.playedRate.map { " of \($0.rateWords) fps" } ?? ""
      if let curve = video.curve {
        return output.remark(
          "\(video.name): already plays at a varying speed (\(curve.printable)), which is not undone: it is treated as "
            + "real-time video\(rate). For speeds relative to real time, convert its master.")
      }
      output.remark(
        "\(video.name): does not state how fast it was captured, so it is treated as real-time video\(rate). "
          + "--capture-rate overrides this.")
    case .asked where video.isImages: break
    case let source where video.pace.speed != Fraction(1) && speed != nil:
      output.remark(
        "\(video.name): already plays at \(video.pace.speedWords), according to \(source.words(of: video.pace)). --speed is "
          + "relative to real time.")
    default:
      output.detail("\(video.name): its capture rate comes from \(video.pace.source.words(of: video.pace)).")
    }
  }
}

/// The report of a clip that `--json` prints: a take's entry for it, with full paths.
struct ClipEntry: Encodable {
  private let clip: Take.Clip
  private let path: FilePath
  private let source: String

  init(_ clip: Take.Clip, path: FilePath, _ video: SourceVideo) {
    var clip = clip
    clip.file = path.absolutePath
    self.clip = clip
    self.path = path
    source = video.isSpooled ? "-" : video.name.absolutePath
  }

  private enum CodingKeys: String, CodingKey { case source, bytes }

  func encode(to encoder: any Encoder) throws {
    try clip.encode(to: encoder)
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(source, forKey: .source)
    try keys.encode(path.fileSize, forKey: .bytes)
  }
}
