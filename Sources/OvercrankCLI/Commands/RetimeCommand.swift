import ArgumentParser
import Foundation
import Overcrank

struct RetimeCommand: AsyncParsableCommand, RuledOptions {
  static let configuration = CommandConfiguration(
    commandName: "retime", abstract: "Converts masters and other video files to slow-motion clips.",
    discussion: BriefHelp.discussion(
      examples: """
          overcrank retime jump.master.mov --speed 1/8
          overcrank retime phone.mov --speed '0s:1, 1s:1/8, 3s:1' -o jump.mp4
          overcrank retime drop --in 1.2s --out 2s --crop 9:16
        """,
      """
      The take beside a master states when each frame was captured, which frames were lost, and how frames are turned. \
      In place of a lost frame, the one before it is held; --rotate and --mirror replace the take's turn. Other \
      videos themselves state how fast they were captured. --speed is relative to real time, not to how FILE plays. \
      Without --speed, every captured frame is shown once. --copy rewrites only the times and decodes nothing; with \
      --in-place, it changes FILE itself within milliseconds, whatever its size. With -o -, the clip goes to \
      standard output as Y4M, for other programs: overcrank retime FILE --speed 1/8 -o - | ffmpeg -i - ...

      A group (its file, such as jump.group.json, its name or its label) makes one clip of all its cameras. It covers the time in which all of them \
      have frames, and each of its frames shows the same moment of each camera. --in, --out and the times of --speed \
      count from the start of that time. --text and --scale apply to the whole picture, the other options to each \
      camera's.
      """))

  @Argument(
    help: """
      The masters or video files; each becomes a separate clip. Numbered images are one source: frames/%06d.png. A \
      group is one source too. - is standard input, such as Y4M.
      """,
    completion: .file(extensions: ["mov", "mp4", "mkv", "nut", "avi", "webm", "json"]))
  var files: [FilePath]

  @OptionGroup var folder: FolderOptions
  @OptionGroup var making: ClipMakingOptions

  @Option(
    name: .customLong("fps"), parsing: .unconditional,
    help: ArgumentHelp(
      "The clip's frames per second, like --clip-fps; for the camera's, see --capture-rate.",
      valueName: "rate"),
    transform: { try FrameRate(text: $0) })
  var fps: FrameRate?

  @Option(
    name: .customLong("capture-rate"), parsing: .unconditional,
    help: ArgumentHelp(
      "The rate at which FILE was captured, whatever it states itself: 240. Numbered images need it. (default: that of "
        + "its take, its tags or its sidecar; else FILE is treated as real-time video)",
      valueName: "rate", visibility: .rare),
    completion: .list(["120", "240", "480", "960"]),
    transform: { try FrameRate(text: $0) })
  var captureRate: FrameRate?

  @Option(
    help: ArgumentHelp(
      """
      How a clip of a group shows its cameras: side by side, in a stack, in a grid, or all but the first inset in its \
      corners. (default: side)
      """))
  var layout: ClipLayout?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "The clip's file: .mp4, .mov, .mkv, .gif, .webp or .apng; or a folder, for clips named after FILE; or - for Y4M on standard "
        + "output. (default: beside FILE, with -slow added to its name)",
      valueName: "file"),
    completion: .file(extensions: ["mp4", "mov", "mkv", "gif", "webp", "apng"]))
  var outputFile: FilePath?

  @Flag(
    help: ArgumentHelp(
      "With --copy: change FILE itself, which must be a master or clip written by Overcrank.",
      visibility: .rare))
  var inPlace = false

  @Flag(help: "Replace an existing file.")
  var force = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var help: FullHelp

  func validate() throws {
    try refuseConflicts()
    try validateImages()
    guard let file = isPiped ? outputFile : place.file else { return }
    guard files.count == 1 else {
      throw ValidationError(
        isPiped
          ? "-o - is one clip, but there are \(files.count) sources. Name a folder, or leave out -o."
          : "-o \"\(file)\" is one clip, but there are \(files.count) sources. Name a folder, or leave out -o."
      )
    }
    if !isPiped { try ClipName.validate(file, isCopy: clip.copy) }
  }

  var given: [String] {
    [String](given: [
      "-": files.contains("-"), "--fps": fps != nil, "--capture-rate": captureRate != nil,
      "--layout": layout != nil || files.contains(where: GroupVideo.isNamed),
      "-o": outputFile != nil, "-o -": isPiped, "--in-place": inPlace, "--force": force,
    ]) + making.given + output.given
  }

  private var clip: ClipArguments { making.clip }

  /// Refuses single images, because numbered images are one source.
  private func validateImages() throws {
    let images = files.filter(SourceVideo.isImage)
    guard let first = images.first else { return }
    let pattern = images.lazy.compactMap(SourceVideo.imagePattern).first
    guard pattern != nil || images.count > 1 else { return }
    throw ValidationError(
      "\(first): is a single image. Numbered images are read as one source: name them by pattern, such as "
        + "\(pattern ?? first.folder.appending("%06d.\(first.extension ?? "png")"))")
  }

  /// Whether the clip goes to standard output.
  private var isPiped: Bool { outputFile == "-" }

  /// Refuses missing sources. The last of several may have been meant as the clip.
  private func checkAreThere(_ videos: [SourceVideo]) throws {
    for (place, video) in videos.enumerated() {
      do { try video.checkExists() } catch {
        let failure = Failure(error)
        if (try? Speed(text: video.name.string)) != nil {
          throw Failure(
            "\"\(video.name)\" does not exist. Did you mean --speed \(video.name)?",
            exitCode: failure.exitCode)
        }
        guard place > 0, place == videos.count - 1, outputFile == nil,
          ClipName.suits(video.name, isCopy: clip.copy)
        else { throw failure }
        throw Failure(
          "\(failure.message) To name the clip, use -o \(video.name.string.shellWord).",
          exitCode: failure.exitCode)
      }
    }
  }

  /// The destination of the clips.
  private var place: OutputPlace {
    OutputPlace(outputFile) { ClipName.suits($0, isCopy: clip.copy) }
  }

  mutating func run() async throws {
    let named = files
    files = try await TakeArgument.videos(files, in: folder)
    // The name or the label of a group does not tell what it is.
    if files != named {
      do { try refuseConflicts() } catch let error as ValidationError {
        throw Failure(error.message, exitCode: ExitStatus.usage)
      }
    }
    if let layout, let single = files.first(where: { !GroupVideo.isNamed(by: $0) }) {
      throw Failure(
        "\(single): is not a group, so --layout \(layout.rawValue) has nothing to arrange. Name a group, such "
          + "as jump.group.json, or leave out --layout.", exitCode: ExitStatus.usage)
    }
    if let remark = clip.fastRemark { output.remark(remark) }
    if let purpose = clip.purpose { output.detail(purpose.explanation) }
    if inPlace { return try changeInPlace() }
    // The clip of one source must not replace the next one. One that is in use is reported in its turn.
    // The file of a group lists its new clip afterwards.
    for file in files where file != "-" && !GroupVideo.isNamed(by: file) { try? FileLock.keepInput(file) }
    // A curve in a file is read before any source.
    if case .file = clip.speed { _ = try clip.spec() }
    guard !isPiped || isatty(STDOUT_FILENO) == 0 else {
      throw Failure(
        "-o -: standard output is a terminal, which cannot show video. Pipe it to another program, such as ffmpeg with "
          + "\"-i -\".", exitCode: ExitStatus.usage)
    }
    let spooled = files.contains("-") ? try spooledVideo() : nil
    let videos = try files.map {
      if $0 == "-", let spooled { return try SourceVideo(spooled, captureRate: captureRate) }
      if GroupVideo.isNamed(by: $0) { return try video(ofGroup: $0) }
      return try SourceVideo($0, captureRate: captureRate, profiles: ProfileLibrary(for: output))
    }
    try checkAreThere(videos)
    if captureRate == nil, let video = videos.first(where: \.isImages) {
      throw Failure(
        "\(video.name): images do not state how fast they were captured. Give the rate, as in --capture-rate 240.",
        exitCode: ExitStatus.usage)
    }
    let jobs = try videos.map { (video: $0, spec: try spec(of: $0)) }
    let paths = try jobs.map { try path(ofClipOf: $0.video, $0.spec) }
    for (place, path) in paths.enumerated() where paths[..<place].contains(path) {
      throw Failure(
        "\(path): would be the clip of two sources. Convert one of them separately, with -o.",
        exitCode: ExitStatus.usage)
    }
    // The clip of one source must not replace the take of the next one either.
    if !isPiped {
      for path in paths { for video in videos { try video.checkDoesNotRead(path) } }
    }
    // Until here there is nothing to clean up, and a signal simply ends the program.
    let interruption = Interruption.shared
    var clips: [ClipEntry] = []
    var failure: Failure?
    for ((video, spec), path) in zip(jobs, paths) where !interruption.hasCome {
      do {
        guard
          let (report, unentered) = try await making.convert(
            video, to: path, spec, replacing: force, isPiped: isPiped, output)
        else { continue }
        if let unentered {
          output.remark("\(video.takePath ?? video.name): does not list the new clip. \(unentered)")
        }
        clips.append(ClipEntry(report.clip(named: path, spec: spec), path: path, video))
        // A clip of the readable part is still useful, as is part of a recording.
        if let cutOff = report.cutOff { throw cutOff }
      } catch {
        guard var reason = Failure(error) else { throw error }
        reason = Failure(video.naming(reason.message), exitCode: reason.exitCode)
        // The first failure becomes the command's error.
        if failure != nil { Console.complain(reason.message) }
        failure = failure ?? reason
      }
    }
    if output.json { try Console.sayJSON(clips) }
    if let failure { throw failure }
  }

  /// Returns the source at standard input, which is kept in a file beside the clip.
  private func spooledVideo() throws -> SpooledVideo {
    guard let file = place.file, files.count == 1, !inPlace else {
      throw Failure(
        "-: standard input is one source without a name. Name its clip with -o.",
        exitCode: ExitStatus.usage)
    }
    guard isatty(STDIN_FILENO) == 0 else {
      throw Failure(
        "-: standard input is a terminal. Pipe a video to it from another program, such as ffmpeg with "
          + "\"-f yuv4mpegpipe -\".", exitCode: ExitStatus.usage)
    }
    guard isPiped || !FilePath("/dev/stdin").isSameFile(as: file) else {
      throw Failure(
        "\(file): is the source itself, at standard input. Choose another name for the clip.",
        exitCode: ExitStatus.cannotCreate)
    }
    let folder = isPiped ? FilePath(ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp") : file.folder
    return try SpooledVideo(in: folder)
  }

  /// Returns the cameras of a group as one source, after a remark on those that failed.
  private func video(ofGroup path: FilePath) throws -> SourceVideo {
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

  private func spec(of video: SourceVideo) throws -> ClipSpec {
    var spec = try making.spec(of: video, named: place.file)
    if let fps { spec.render?.outputRate = fps }
    if video.isGroup { spec.render?.layout = layout ?? .side }
    return spec
  }

  /// Returns the path for the clip of `video`.
  private func path(ofClipOf video: SourceVideo, _ spec: ClipSpec) throws -> FilePath {
    if isPiped { return "standard output" }
    if let file = place.file { return file }
    let path = video.clipName(in: try video.container(for: spec))
    guard let folder = place.folder, let name = path.lastComponent else { return path }
    try OwnFolder.make(folder, as: "the folder of the clips", remedy: "Name another one.")
    return folder.appending(name).lexicallyNormalized()
  }

  /// Changes the sources, and the entries in their takes, after checking that all are suitable.
  private func changeInPlace() throws {
    guard let speed = try clip.speed?.curve().constant else {
      throw Failure(
        "--in-place needs one constant speed. For a curve, leave it out: --copy makes a new file.",
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
}
