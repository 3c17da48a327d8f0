import ArgumentParser
import CameraModel
import Cameras
import Capture
import Foundation
import Overcrank

struct SnapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snap", abstract: "Takes a still.",
    discussion: """
      Uses the camera's largest mode, unless --fps, --max-width or --format request another. Writes a JPEG from the \
      camera as it came, with Huffman tables added if it has none; encodes other frames as JPEG.

      With --fps, the still is exposed as in a recording at that rate. Without it, only the controls that you name are \
      set. All controls are restored afterwards.
      """)

  @OptionGroup var mode: ModeOptions

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The still's file: .jpg or .jpeg. (default: a new name in the library folder)", valueName: "file"),
    completion: .file(extensions: ["jpg", "jpeg"]))
  var output: String?

  @Option(help: "How many frames to skip first, while the exposure settles.")
  var skip = 5

  @Flag(help: "Replace an existing file.")
  var force = false

  @OptionGroup var policy: ControlPolicyOptions
  @OptionGroup var words: OutputOptions

  func validate() throws {
    if skip < 0 { throw ValidationError("--skip \(skip) is no number of frames; give 0 or more.") }
    guard let output else { return }
    let lower = output.lowercased()
    guard lower.hasSuffix(".jpg") || lower.hasSuffix(".jpeg") else {
      throw ValidationError("\"\(output)\" is no name for a still: let it end in .jpg or .jpeg.")
    }
  }

  func run() throws {
    let profiles = ProfileLibrary(for: words)
    let camera = try CaptureDevice(named: mode.camera, profiles: profiles)
    let table = try camera.table(profiles: profiles)
    for warning in table.warnings { words.remark(warning) }
    let choice =
      mode.fps == nil
      ? ModeChoice(largestFrom: table, mode.criteria)
      : mode.choices(from: table)[0]
    let modeWords = ModeWords(table: table, head: "overcrank snap", camera: mode.camera, name: camera.name)
    let chosen = try modeWords.winner(of: choice)
    let path = try output ?? LibraryFolder.newName(at: Date(), suffix: "jpg")
    guard force || !FileManager.default.fileExists(atPath: path) else {
      throw Failure(
        "\(path) exists already and is left as it is. Choose another name with -o, or replace it with --force.",
        exitCode: ExitStatus.cannotCreate)
    }
    var asked = policy.policy
    // No rate is to be kept: in the dark, the camera may take the time that it needs.
    if mode.fps == nil {
      asked.exposure = asked.exposure ?? .keep
    } else {
      asked = asked.needing(profiles.profile(of: table))
    }
    let plan = try camera.plan(asked, for: chosen)
    words.detail("Taking a still with \(camera.name) in \(chosen).")
    for remark in plan.remarks { words.remark(remark) }

    let commands = SessionCommands()
    let interruption = Interruption()
    interruption.set { commands.send(.stop) }
    guard
      let still = try Still.take(
        with: camera, in: chosen, skipping: skip, making: plan.changes, stop: commands)
    else {
      guard interruption.hasCome else { throw CaptureError.empty }
      throw Failure("Interrupted: no still was taken.", exitCode: ExitStatus.interrupted)
    }
    try still.write(to: path, replacing: force)
    let report = SnapReport(
      file: path, camera: CameraIdentity(name: camera.name, table: table), mode: chosen,
      width: still.configuration.frameFormat.width, height: still.configuration.frameFormat.height,
      bytes: still.jpeg.count,
      sequence: still.sequence, timestamp: still.timestampNanoseconds,
      clock: still.configuration.frameFormat.clock,
      skipped: skip, isUntouched: still.isUntouched, controls: still.configuration.controls)
    if words.json {
      try Console.sayJSON(report)
    } else {
      Console.say("\(path): \(report.width)x\(report.height), \(report.bytes / 1000) kB.")
    }
  }
}

/// What `snap --json` prints.
private struct SnapReport: Encodable {
  var file: String
  var camera: CameraIdentity
  var mode: Mode
  var width: Int
  var height: Int
  var bytes: Int
  var sequence: UInt32
  var timestamp: Int64
  var clock: FrameClock
  var skipped: Int
  var isUntouched: Bool
  var controls: [String: ControlInForce]

  enum CodingKeys: String, CodingKey {
    case file, camera, mode, width, height, bytes, sequence, clock, skipped, controls
    case timestamp = "timestamp_ns"
    case isUntouched = "untouched"
  }
}
