import ArgumentParser
import CameraModel
import Cameras
import Capture
import Overcrank
import Platform
import SystemPackage
import Timebase

struct SnapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snap", abstract: "Takes a still and writes it as a JPEG.",
    discussion: """
      Opens the camera in its largest mode, or in the one of a recording at --fps, skips a few frames \
      while the exposure settles, and writes the next one. A JPEG is written as the camera sent it, with Huffman \
      tables added if it has none; other frames are encoded. --rotate and --mirror turn a JPEG without loss if its \
      size is a whole number of its blocks.

      With --fps, the still is exposed as in a recording at that rate. Without it, only the controls that you name are \
      set. All controls are restored afterwards.
      """)

  @OptionGroup var mode: ModeOptions

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The still's file: .jpg or .jpeg; or a folder. (default: in the library folder)", valueName: "file"),
    completion: .file(extensions: ["jpg", "jpeg"]))
  var output: FilePath?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many frames to skip first, while the exposure settles.", valueName: "number"))
  var skip = 5

  @Flag(help: "Replace an existing file.")
  var force = false

  @OptionGroup var turning: TurnOptions
  @OptionGroup var policy: ControlPolicyOptions
  @OptionGroup var words: OutputOptions

  func validate() throws {
    guard Still.skippableFrames.contains(skip) else {
      throw ValidationError(
        "--skip \(skip) is no number of frames to skip; give one from 0 to "
          + "\(Still.skippableFrames.upperBound).")
    }
    if let file = place.file, !Self.suits(file) {
      throw ValidationError("\"\(file)\" is no name for a still: let it end in .jpg or .jpeg.")
    }
  }

  /// Where the still goes.
  private var place: OutputPlace { OutputPlace(output, isFileName: Self.suits) }

  /// Whether a still may be called so.
  private static func suits(_ path: FilePath) -> Bool {
    let lower = path.name.lowercased()
    return lower.hasSuffix(".jpg") || lower.hasSuffix(".jpeg")
  }

  func run() throws {
    let profiles = ProfileLibrary(for: words)
    let name = try mode.named.camera(profiles, words)
    let camera = try CaptureDevice(named: name, profiles: profiles)
    let recorder = try prepare(camera, named: name, profiles)
    for warning in recorder.table.warnings { words.remark(warning) }
    words.detail("Taking a still with \(camera.name) in \(recorder.mode).")
    for remark in recorder.controlPlan.words { words.remark(remark) }

    let commands = SessionCommands()
    let interruption = Interruption.shared
    interruption.set { commands.send(.stop) }
    guard let still = try recorder.take(stop: commands) else {
      guard interruption.hasCome else { throw CaptureError.empty }
      throw Failure("Interrupted: no still was taken.", exitCode: ExitStatus.interrupted)
    }
    let report = SnapReport(
      file: recorder.path.absolutePath, camera: CameraIdentity(name: camera.name, table: recorder.table),
      mode: recorder.mode,
      turn: turning.turn ?? .none, width: still.size.width, height: still.size.height,
      bytes: still.jpeg.count,
      sequence: still.sequence, timestamp: still.timestamp,
      clock: still.configuration.frameFormat.clock,
      skipped: skip, isUntouched: still.isUntouched, controls: still.configuration.controls)
    if words.json {
      try Console.sayJSON(report)
    } else {
      Console.say("\(recorder.path): \(report.width)x\(report.height), \(report.bytes / 1000) kB.")
    }
  }
}

extension SnapCommand {
  /// Chooses the mode; where there is none, the error has the commands that work.
  private func prepare(
    _ camera: CaptureDevice, named name: String?, _ profiles: ProfileLibrary
  ) throws -> StillRecorder {
    do throws(RecordError) {
      return try StillRecorder(
        camera,
        StillSettings(
          rate: mode.fps, criteria: mode.criteria, quality: mode.wishes.quality ?? [],
          controls: policy.policy, skippedFrames: skip, turn: turning.turn,
          output: place.file, folder: place.folder, replacesFile: force),
        profiles: profiles)
    } catch {
      guard case .noMode(let choice, let table, _) = error else { throw error }
      for warning in table.warnings { words.remark(warning) }
      throw ModeWords(table: table, head: "overcrank snap", camera: name, name: camera.name)
        .failure(of: choice)
    }
  }
}

/// What `snap --json` prints.
private struct SnapReport: Encodable {
  var file: String
  var camera: CameraIdentity
  var mode: Mode
  var turn: PictureTurn
  var width: Int
  var height: Int
  var bytes: Int
  var sequence: UInt32
  var timestamp: Instant
  var clock: FrameClock
  var skipped: Int
  var isUntouched: Bool
  var controls: [String: ControlInForce]

  enum CodingKeys: String, CodingKey {
    case file, camera, mode, turn, width, height, bytes, sequence, clock, skipped, controls
    case timestamp = "timestamp_ns"
    case isUntouched = "untouched"
  }
}
