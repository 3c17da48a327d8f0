import ArgumentParser
import FoundationEssentials
import Overcrank

struct SnapCommand: AsyncParsableCommand, RuledOptions {
  static let configuration = CommandConfiguration(
    commandName: "snap", abstract: "Takes a still, or several in a row.",
    discussion: BriefHelp.discussion(
      examples: """
          overcrank snap -o still.jpg
          overcrank snap --fps 240 --burst 10
          overcrank snap --motion-photo --trigger key
        """,
      """
      Opens the camera in its largest mode, or in that of a recording at --fps, skips a few frames while the exposure \
      settles, and writes the next one. A JPEG is written as the camera sent it, with Huffman tables added if it has \
      none; other frames are encoded. PNG and TIFF are lossless, and have 16 bits for cameras with more than 8. \
      --rotate and --mirror turn a JPEG losslessly if its size is a whole number of its blocks. EXIF tags state the \
      camera, the time of the exposure, and its length and the gain if they are known.

      --burst 10 writes ten frames in a row, at the camera's rate: NAME-001.jpg and so on. They are kept in memory \
      until the last has arrived, so a slow disk loses none.

      --largest --fps 240 captures at 240 fps, sets the camera to its largest mode for the still and back, and reports \
      for how long no frame arrived: what "overcrank trigger --still --largest" costs an armed recording.

      With --fps, the still is exposed as in a recording at that rate. Without it, only the controls that you name are \
      set. All controls are restored afterwards.
      """))

  @OptionGroup var mode: ModeOptions

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The still's file: .jpg, .png or .tif; or a folder. (default: in the library folder)", valueName: "file"
    ),
    completion: .file(extensions: ["jpg", "jpeg", "png", "tif", "tiff"]))
  var output: FilePath?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many frames to skip first, while the exposure settles.", valueName: "number", visibility: .rare))
  var skip = Still.usualSkip

  @Option(name: .customLong("as"), help: "The file's format. (default: that of -o's name, else jpeg)")
  var format: StillFormat?

  @Option(
    name: .customLong("jpeg-quality"), parsing: .unconditional,
    help: ArgumentHelp(
      "Encode a JPEG with this quality, from 1 to 100. (default: as the camera sent it, else 95)",
      valueName: "number", visibility: .rare))
  var jpegQuality: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Write this many frames in a row, each to its own file.", valueName: "number"))
  var burst: Int?

  @Flag(
    help:
      "Take the still in the camera's largest mode, even with --fps: capture at that rate, switch, and return."
  )
  var largest = false

  @Flag(help: ArgumentHelp("Switch on the camera's light for the still, if it has one.", visibility: .rare))
  var flash = false

  @Flag(help: ArgumentHelp("Exit with 4 if frames were lost within a burst.", visibility: .rare))
  var strict = false

  @Flag(help: "Replace an existing file.")
  var force = false

  @OptionGroup(title: "Motion Photo") var motion: MotionPhotoOptions
  @OptionGroup var turning: TurnOptions
  @OptionGroup var policy: ControlPolicyOptions
  @OptionGroup var words: OutputOptions
  @OptionGroup var help: FullHelp

  func validate() throws {
    guard Still.skippableFrames.contains(skip) else {
      throw ValidationError(
        "--skip \(skip) is out of range; give a number from 0 to "
          + "\(Still.skippableFrames.upperBound).")
    }
    if let quality = jpegQuality, !StillEncoder.qualities.contains(quality) {
      throw ValidationError("--jpeg-quality \(quality) is out of range; give a number from 1 to 100.")
    }
    if let burst, !FrameBurst.counts.contains(burst) {
      throw ValidationError(
        "--burst \(burst) is out of range; give a number from 1 to \(FrameBurst.counts.upperBound).")
    }
    try refuseConflicts()
    if motion.isWanted, let file = place.file, try PictureOptions.format(of: file) != .jpeg {
      throw ValidationError(
        "-o \"\(file)\": a Motion Photo is a JPEG. End the name in \(motion.kind.suffix).")
    }
    let named = try place.file.map { try PictureOptions.format(of: $0) }
    if let file = place.file, let named, let format, named != format {
      throw ValidationError("-o \"\(file)\" does not name a \(format.rawValue) file; change it or --as.")
    }
    if jpegQuality != nil, let chosen = format ?? named, chosen != .jpeg {
      throw ValidationError("--jpeg-quality is only for JPEGs; a \(chosen.rawValue) file is lossless.")
    }
  }

  var given: [String] {
    [String](given: [
      "--as": format != nil, "--jpeg-quality": jpegQuality != nil, "--burst": burst != nil,
      "--largest": largest, "--fps --largest": largest && mode.fps != nil, "--flash": flash,
      "--strict": strict, "--quality": mode.wishes.quality != nil,
    ]) + motion.given + policy.given + words.given
  }

  /// The destination of the still.
  var place: OutputPlace { OutputPlace(output, isFileName: Self.suits) }

  /// Returns whether `path` is a valid name for a still.
  private static func suits(_ path: FilePath) -> Bool {
    path.extension.flatMap(StillFormat.init(fileExtension:)) != nil
  }

  func run() async throws {
    let profiles = ProfileLibrary(for: words)
    guard !motion.isWanted else { return try await takeMotionPhotos(profiles) }
    let name = try mode.named.camera(profiles, words)
    let camera = try CaptureDevice(named: name, profiles: profiles)
    let recorder = try prepare(camera, named: name, profiles)
    for warning in recorder.table.warnings { words.remark(warning) }
    words.detail("Taking a still with \(camera.name) in \(recorder.mode).")
    for remark in recorder.controlPlan.words { words.remark(remark) }

    let commands = SessionCommands()
    let interruption = Interruption.shared
    interruption.set { commands.send(.stop) }
    let taken = try recorder.take(stop: commands)
    if taken.isEmpty {
      guard interruption.hasCome else { throw CaptureError.empty }
      throw Failure("Interrupted: no still was taken.", exitCode: ExitStatus.interrupted)
    }
    let identity = CameraIdentity(name: camera.name, table: recorder.table)
    let reports = taken.map { SnapReport($0, camera: identity, mode: recorder.mode, skipped: skip) }
    if words.json {
      if burst == nil { try Console.sayJSON(reports[0]) } else { try Console.sayJSON(reports) }
    } else {
      for (taken, report) in zip(taken, reports) {
        Console.say("\(taken.path): \(report.width)x\(report.height), \(report.bytes / 1000) kB.")
      }
    }
    if let standby = recorder.standby, taken[0].modeGaps.count == 2 {
      let gaps = taken[0].modeGaps.map { $0.inSeconds.decimal(places: 3) }
      words.remark(
        "From \(standby.mode) to \(recorder.mode) and back: no frame arrived for \(gaps[0]) s, then for \(gaps[1]) s."
      )
    }
    if let burst, taken.count < burst {
      words.remark("Stopped after \(taken.count) of \(burst) stills.")
    }
    let lost = taken.reduce(0) { $0 + $1.lostBefore }
    if lost > 0 {
      words.remark(
        "\(lost == 1 ? "1 frame was" : "\(lost) frames were") lost between the first still and the last.")
      if strict { throw ExitCode(ExitStatus.framesLost) }
    }
  }
}

extension SnapCommand {
  /// Chooses the mode; if there is none, the error lists commands that work.
  private func prepare(
    _ camera: CaptureDevice, named name: String?, _ profiles: ProfileLibrary
  ) throws -> StillRecorder {
    do throws(RecordError) {
      var settings = StillSettings(
        rate: mode.fps, criteria: mode.criteria, quality: mode.wishes.quality ?? [],
        controls: policy.policy, skippedFrames: skip, turn: turning.turn,
        output: place.file, folder: place.folder, replacesFile: force)
      settings.controls.isLit = flash
      settings.isLargest = largest
      settings.format = format
      settings.jpegQuality = jpegQuality
      settings.count = burst ?? 1
      return try StillRecorder(camera, settings, profiles: profiles)
    } catch {
      guard case .noMode(let choice, let table, _) = error else { throw error }
      for warning in table.warnings { words.remark(warning) }
      throw ModeWords(table: table, head: "overcrank snap", camera: name, name: camera.name)
        .failure(of: choice)
    }
  }
}

/// The report that `snap --json` prints.
private struct SnapReport: Encodable {
  var file: String
  var format: StillFormat
  var camera: CameraIdentity
  var mode: Mode
  var turn: PictureTurn
  var width: Int
  var height: Int
  var bytes: Int
  var sequence: UInt32
  var timestamp: Instant
  var clock: FrameClock
  var capturedAt: String
  var lostBefore: Int64
  var skipped: Int
  var isUntouched: Bool
  var modeGaps: [Int64]
  var controls: [String: ControlInForce]

  init(_ taken: TakenStill, camera: CameraIdentity, mode: Mode, skipped: Int) {
    let still = taken.still
    file = taken.path.absolutePath
    format = still.format
    self.camera = camera
    self.mode = mode
    turn = still.turn
    (width, height) = still.size
    bytes = still.bytes.count
    sequence = still.sequence
    timestamp = still.timestamp
    clock = still.configuration.frameFormat.clock
    capturedAt = taken.date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    lostBefore = taken.lostBefore
    self.skipped = skipped
    isUntouched = still.isUntouched
    modeGaps = taken.modeGaps.map(\.wholeNanoseconds)
    controls = still.configuration.controls
  }

  enum CodingKeys: String, CodingKey {
    case file, format, camera, mode, turn, width, height, bytes, sequence, clock, skipped, controls
    case timestamp = "timestamp_ns"
    case capturedAt = "captured_at"
    case lostBefore = "lost_before"
    case isUntouched = "untouched"
    case modeGaps = "mode_gaps_ns"
  }
}
