import ArgumentParser
import Foundation
import Overcrank

struct RetimeCommand: AsyncParsableCommand, RuledOptions {
  static let configuration = CommandConfiguration(
    commandName: "retime", abstract: "Converts masters or any video files to slow-motion clips.",
    discussion: BriefHelp.discussion(
      examples: """
          overcrank retime jump.master.mov --speed 1/8
          overcrank retime phone.mov --speed '0s:1, 1s:1/8, 3s:1' -o jump.mp4
          overcrank retime drop --in 1.2s --out 2s --crop 9:16
        """,
      """
      The take beside a master tells when each frame was captured and which frames were lost. The frame before a \
      lost one is held. It also tells how the frames are turned; --rotate and --mirror take its place. Other films \
      tell by themselves how fast they were captured; --speed counts from that, and not from how they play. Without \
      --speed, every captured frame is shown once. --copy rewrites only the times and \
      decodes nothing. With --in-place it changes FILE itself, in milliseconds whatever its size. With -o - the clip \
      goes to standard output as Y4M, for other programs: overcrank retime FILE --speed 1/8 -o - | ffmpeg -i - ...
      """))

  @Argument(
    help: """
      The masters or video files; each becomes a clip of its own. Numbered images are one film: frames/%06d.png. - is \
      standard input, such as Y4M.
      """,
    completion: .file(extensions: ["mov", "mp4", "mkv", "nut", "avi", "webm"]))
  var files: [FilePath]

  @OptionGroup var clip: ClipArguments
  @OptionGroup var turning: TurnOptions

  @Option(
    name: .customLong("fps"), parsing: .unconditional,
    help: ArgumentHelp(
      "Frames per second of the clip, as --clip-fps; those of the camera are --capture-rate.",
      valueName: "rate"),
    transform: { try FrameRate(text: $0) })
  var fps: FrameRate?

  @Option(
    name: .customLong("capture-rate"), parsing: .unconditional,
    help: ArgumentHelp(
      "How many frames of FILE were captured a second, whatever it says itself: 240. Numbered images need it. (default: "
        + "what its take, its tags or its sidecar say; else it is taken for a film in real time)",
      valueName: "rate", visibility: .rare),
    completion: .list(["120", "240", "480", "960"]),
    transform: { try FrameRate(text: $0) })
  var captureRate: FrameRate?

  @OptionGroup var fields: DeinterlaceOptions

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "The clip's file: .mp4, .mov or .mkv; or a folder, for clips with names of their own; or -, standard output, "
        + "for Y4M. (default: beside FILE, with -slow added to its name)",
      valueName: "file"),
    completion: .file(extensions: ["mp4", "mov", "mkv"]))
  var outputFile: FilePath?

  @Flag(
    help: ArgumentHelp(
      "With --copy: change FILE itself, which must be a master or clip written by Overcrank.",
      visibility: .rare))
  var inPlace = false

  @Flag(help: "Replace an existing file.")
  var force = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var help: WholeHelp

  func validate() throws {
    try refuseConflicts()
    try validateImages()
    guard let file = isPiped ? outputFile : place.file else { return }
    guard files.count == 1 else {
      throw ValidationError(
        isPiped
          ? "-o - is one clip, and there are \(files.count) films. Name a folder, or leave -o out."
          : "-o \"\(file)\" names one file, and there are \(files.count) films. Name a folder, or leave -o out."
      )
    }
    if !isPiped { try ClipName.validate(file, isCopy: clip.copy) }
  }

  var given: [String] {
    [String](given: [
      "-": files.contains("-"), "--fps": fps != nil, "--capture-rate": captureRate != nil,
      "-o": outputFile != nil, "-o -": isPiped, "--in-place": inPlace, "--force": force,
    ]) + clip.given + turning.given + fields.given + output.given
  }

  /// Refuses single images, because numbered images are one source.
  private func validateImages() throws {
    let images = files.filter(Film.isImage)
    guard let first = images.first else { return }
    let pattern = images.lazy.compactMap(Film.imagePattern).first
    guard pattern != nil || images.count > 1 else { return }
    throw ValidationError(
      "\(first): is one image. Numbered images are one film by the name of all of them: "
        + "\(pattern ?? first.folder.appending("%06d.\(first.extension ?? "png")"))")
  }

  /// Whether the clip goes to standard output.
  private var isPiped: Bool { outputFile == "-" }

  /// Refuses missing sources. The last of several may have been meant as the clip.
  private func checkAreThere(_ films: [Film]) throws {
    for (place, film) in films.enumerated() {
      do { try film.checkExists() } catch {
        let failure = Failure(error)
        if (try? Speed(text: film.name.string)) != nil {
          throw Failure(
            "\"\(film.name)\" is no file. Did you mean --speed \(film.name)?", exitCode: failure.exitCode)
        }
        guard place > 0, place == films.count - 1, outputFile == nil,
          ClipName.suits(film.name, isCopy: clip.copy)
        else { throw failure }
        throw Failure(
          "\(failure.message) -o \(film.name.string.shellWord) makes a clip of that name.",
          exitCode: failure.exitCode)
      }
    }
  }

  /// The destination of the clips.
  private var place: OutputPlace {
    OutputPlace(outputFile) { ClipName.suits($0, isCopy: clip.copy) }
  }

  mutating func run() async throws {
    files = try await TakeArgument.films(files)
    if let remark = clip.fastRemark { output.remark(remark) }
    if inPlace { return try changeInPlace() }
    // A curve in a file is read before any source.
    if case .file = clip.speed { _ = try clip.spec() }
    guard !isPiped || isatty(STDOUT_FILENO) == 0 else {
      throw Failure(
        "-o -: standard output is the terminal, which shows no film. Have another program read it, such as ffmpeg with "
          + "\"-i -\".", exitCode: ExitStatus.usage)
    }
    let spooled = files.contains("-") ? try spooledFilm() : nil
    let films = try files.map {
      if $0 == "-", let spooled { return try Film(spooled, captureRate: captureRate) }
      return try Film($0, captureRate: captureRate, profiles: ProfileLibrary(for: output))
    }
    try checkAreThere(films)
    if captureRate == nil, let film = films.first(where: \.isImages) {
      throw Failure(
        "\(film.name): images do not say how fast they were captured. Say it, as in --capture-rate 240.",
        exitCode: ExitStatus.usage)
    }
    let jobs = try films.map { (film: $0, spec: try spec(of: $0)) }
    let paths = try jobs.map { try path(ofClipOf: $0.film, $0.spec) }
    for (place, path) in paths.enumerated() where paths[..<place].contains(path) {
      throw Failure(
        "\(path): would be the clip of two films. Convert one of them by itself, with -o.",
        exitCode: ExitStatus.usage)
    }
    // Until here there is nothing to clean up, and a signal simply ends the program.
    let interruption = Interruption.shared
    var clips: [ClipEntry] = []
    var failure: Failure?
    for ((film, spec), path) in zip(jobs, paths) where !interruption.hasCome {
      do {
        guard let report = try await convert(film, to: path, spec, interruption) else { continue }
        clips.append(ClipEntry(report.clip(named: path, spec: spec), path: path, film))
        // A clip of the readable part is still useful, as is part of a recording.
        if let cutOff = report.cutOff { throw cutOff }
      } catch {
        guard var reason = Failure(error) else { throw error }
        reason = Failure(film.naming(reason.message), exitCode: reason.exitCode)
        // The first failure becomes the command's error.
        if failure != nil { Console.complain(reason.message) }
        failure = failure ?? reason
      }
    }
    if output.json { try Console.sayJSON(clips) }
    if let failure { throw failure }
  }

  /// Returns the source at standard input, which is kept in a file beside the clip.
  private func spooledFilm() throws -> SpooledFilm {
    guard let file = place.file, files.count == 1, !inPlace else {
      throw Failure(
        "-: standard input is one film that has no name. Say with -o what its clip is called.",
        exitCode: ExitStatus.usage)
    }
    guard isatty(STDIN_FILENO) == 0 else {
      throw Failure(
        "-: standard input is the terminal. Have another program write a film to it, such as ffmpeg with "
          + "\"-f yuv4mpegpipe -\".", exitCode: ExitStatus.usage)
    }
    guard isPiped || !FilePath("/dev/stdin").isSameFile(as: file) else {
      throw Failure(
        "\(file): is the film itself, at standard input. Choose another name for the clip.",
        exitCode: ExitStatus.cannotCreate)
    }
    let folder = isPiped ? FilePath(ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp") : file.folder
    return try SpooledFilm(in: folder)
  }

  private func spec(of film: Film) throws -> ClipSpec {
    var spec = try clip.spec(of: film)
    switch spec.making {
    case .copy(var copy):
      copy.turn = turning.turn
      spec.making = .copy(copy)
    case .render(var render):
      render.outputRate = fps ?? render.outputRate
      render.stages = render.stages.with(turning.turn, fields.stage)
      spec.making = .render(render)
    }
    return spec
  }

  /// Converts one source to a clip.
  ///
  /// - Returns: the report; `nil` if the reader of a piped clip left early.
  private func convert(
    _ film: Film, to path: FilePath, _ spec: ClipSpec, _ interruption: Interruption
  ) async throws -> ClipReport? {
    if let take = film.takePath { output.detail("Timed by \(take).") }
    if let check = film.staleTake {
      output.remark(
        "\(check.path): is not true of \(film.path.name), which plays at \(check.stale.first?.speed ?? ""): a change in place was "
          + "cut off. \"overcrank recover \(film.path.string.shellWord)\" mends it.")
    }
    try film.checkIsReadable()
    tellPace(of: film, at: spec.speed)
    let line = ClipProgressLine(isShown: !output.quiet)
    let work = interruption.cancelling {
      Task { () throws -> (report: ClipReport, unentered: OvercrankError?) in
        guard isPiped, let render = spec.render else {
          return try await film.makeClip(to: path, spec: spec, replacing: force, progress: { line.draw($0) })
        }
        let report = try await ClipMaker.make(
          film.source, to: OutputPipe(.standardOutput, name: path), render: render, of: spec.part,
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
    } else {
      if !output.json { Console.say(report.summary(path)) }
      if let unentered {
        output.remark("\(film.takePath ?? ""): does not name the new clip. \(unentered)")
      }
    }
    if let remark = report.endRemark { output.remark("\(film.name): \(remark)") }
    if let remark = report.cutRemark(clip.part) { output.remark(remark) }
    let development = clip.stages.development
    if let option = development.given.first, development.stage != nil, report.development == nil {
      output.remark("\(film.name): is not raw, so \(option) did nothing.")
    }
    if development.given.contains("--white-balance"), report.development != nil, film.isGrey {
      output.remark("\(film.name): is grey, so --white-balance did nothing.")
    }
    if !report.isDeinterlaced {
      for image in film.images(report.damagedFrames) {
        output.remark("\(image): is damaged; the image before it is shown in its place.")
      }
    }
    if report.isInterlaced {
      output.remark(
        "\(film.name): says that it is interlaced. --deinterlace auto makes a frame of each of its fields.")
    }
    if let audio = clip.audio, audio != .drop, report.audio == nil, !report.hasUnknownAudio {
      output.remark("\(film.name): has no audio, so --audio \(audio.rawValue) did nothing.")
    }
    return report
  }

  /// Prints the rate at which a source was captured if that is not obvious, and what is wrong in its
  /// metadata.
  private func tellPace(of film: Film, at speed: SpeedCurve?) {
    for words in film.pace.ignored { output.remark("\(film.name): \(words.printable), so that is ignored.") }
    guard film.takePath == nil else { return }
    if let missing = film.missingImages { output.remark("\(film.name): \(missing)") }
    switch film.pace.source {
    case .unknown:
      let rate = film.pace.playedRate.map { " of \($0.decimal(places: 2)) fps" } ?? ""
      output.remark(
        "\(film.name): does not say how fast it was captured, so it is taken for a film\(rate) in real time. "
          + "--capture-rate says otherwise.")
    case .asked where film.isImages: break
    case let source where film.pace.speed != Fraction(1) && speed != nil:
      output.remark(
        "\(film.name): plays at \(film.pace.speedWords) already, by \(source.words(of: film.pace)). --speed counts from "
          + "capture time.")
    default: output.detail("\(film.name): its rate is known by \(film.pace.source.words(of: film.pace)).")
    }
  }

  /// Returns the path for the clip of `film`.
  private func path(ofClipOf film: Film, _ spec: ClipSpec) throws -> FilePath {
    if isPiped { return "standard output" }
    if let file = place.file { return file }
    let path = film.clipName(in: try film.container(for: spec))
    guard let folder = place.folder, let name = path.lastComponent else { return path }
    try OwnFolder.make(folder, as: "the folder of the clips", remedy: "Name another one.")
    return folder.appending(name).lexicallyNormalized()
  }

  /// Changes the sources, and the entries in their takes, after checking that all are suitable.
  private func changeInPlace() throws {
    guard let speed = try clip.speed?.curve().constant else {
      throw Failure(
        "--in-place takes one speed throughout. For a curve leave it out: --copy makes a new file.",
        exitCode: ExitStatus.usage)
    }
    var changed: [RetimedFile] = []
    defer { if output.json { try? Console.sayJSON(changed) } }
    for (place, file) in files.enumerated() where files[..<place].contains(file) {
      throw Failure("\(file): is named twice, and would be changed twice.", exitCode: ExitStatus.usage)
    }
    let changes = try files.map { try InPlaceChange($0, at: speed) }
    for change in changes {
      try change.make()
      let now = change.speedAfterwards
      changed.append(RetimedFile(file: change.path.absolutePath, speed: speed.description, playsAt: now))
      guard !output.json else { continue }
      let pace = change.speed.factor.pace.map { "\($0) than before" } ?? "as fast as before"
      Console.say("\(change.path): plays \(pace)\(now.map { ", at \($0)" } ?? "").")
    }
  }

  /// The report of a source that was changed in place, as `--json` prints it.
  private struct RetimedFile: Encodable {
    var file: String
    var speed: String
    @Nullable var playsAt: String? = nil

    enum CodingKeys: String, CodingKey {
      case file, speed
      case playsAt = "plays_at"
    }
  }

  /// The report of a clip that `--json` prints: a take's entry for it, with full paths.
  private struct ClipEntry: Encodable {
    private let clip: Take.Clip
    private let path: FilePath
    private let source: String

    init(_ clip: Take.Clip, path: FilePath, _ film: Film) {
      var clip = clip
      clip.file = path.absolutePath
      self.clip = clip
      self.path = path
      source = film.isSpooled ? "-" : film.path.absolutePath
    }

    private enum CodingKeys: String, CodingKey { case source, bytes }

    func encode(to encoder: any Encoder) throws {
      try clip.encode(to: encoder)
      var keys = encoder.container(keyedBy: CodingKeys.self)
      try keys.encode(source, forKey: .source)
      try keys.encode(path.fileSize, forKey: .bytes)
    }
  }
}
