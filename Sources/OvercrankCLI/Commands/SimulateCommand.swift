import ArgumentParser
import Overcrank

struct SimulateCommand: ParsableCommand, RuledOptions {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Plays a simulated camera into a v4l2loopback device.",
    discussion: """
      Other programs then see a camera at that device: load v4l2loopback first, as in "sudo modprobe v4l2loopback \
      video_nr=10". Draws the frames of one mode and writes them at its rate, until Ctrl-C, or for --duration or \
      --frames.

      A simulated camera is named sim:, sim:ID for the modes of a profile, or sim:FILE for a table of modes. Faults \
      follow a comma. All commands that take a camera accept them, but other programs can see only huffman=, \
      flicker=, rest= and noise=:

      \(SimulatedFaults.help)
      """)

  @Argument(
    help: "The simulated camera: sim:, sim:ID of a profile, or sim:FILE. (default: sim:)",
    completion: .simulatedCamera)
  var camera: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The rate to play at: 240, 119.88 or max. (default: 240, else 120, else the highest)", valueName: "rate"
    ),
    transform: { try RequestedRate(text: $0) })
  var fps: RequestedRate?

  @OptionGroup var wishes: CriteriaOptions

  @Option(
    help: ArgumentHelp("The device that takes the frames, such as /dev/video10.", valueName: "device"),
    completion: .file())
  var to: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How long to play: 3s, 250ms.", valueName: "time"),
    transform: { try Duration(text: $0) })
  var duration: Duration?

  @Option(parsing: .unconditional, help: ArgumentHelp("How many frames to play.", valueName: "number"))
  var frames: Int?

  @OptionGroup var output: OutputOptions

  var given: [String] { [String](given: ["--duration": duration != nil, "--frames": frames != nil]) }

  func validate() throws {
    try refuseConflicts()
    if let frames, frames < 1 { throw ValidationError("--frames \(frames) plays nothing; give at least 1.") }
    if let duration, duration <= .zero {
      throw ValidationError("--duration 0 plays nothing; give a longer time.")
    }
  }

  func run() throws {
    let profiles = ProfileLibrary(for: output)
    guard
      case .simulated(let simulated, let table) = try CaptureDevice(
        named: camera ?? SimulatedCameraAddress.prefix, profiles: profiles)
    else {
      throw Failure("Only a simulated camera can be played: name it sim:.", exitCode: ExitStatus.usage)
    }
    let words = ModeWords(
      table: table, head: "overcrank simulate --to \(to.shellWord)", camera: camera, name: simulated.name)
    let choices = ModeChoice.choices(from: table, for: fps, wishes.criteria, quality: wishes.quality ?? [])
    let chosen = try words.winner(of: ModeChoice.possible(choices)[0])
    var unseen = simulated.faults
    (unseen.huffmanTables, unseen.lamp) = (true, nil)
    (unseen.rest, unseen.noise, unseen.seed) = (.zero, 0, 0)
    if unseen != SimulatedFaults() {
      output.remark(
        "Of the faults of \(simulated.name), only huffman=, flicker=, rest= and noise= can be played.")
    }
    let path = try CameraName.path(of: CameraName(to))
    let interruption = Interruption.shared
    let stop = StopFlag()
    interruption.set { stop.set() }
    output.remark("Playing \(simulated.name) into \(path) in \(chosen).")
    let played = try LoopbackPlayer.play(
      chosen, to: path, frameLimit: frames ?? duration.flatMap { frameCount(in: $0, of: chosen) },
      faults: simulated.faults, isStopped: { stop.isSet })
    if output.json {
      try Console.sayJSON(Report(camera: simulated.name, device: path.string, mode: chosen, frames: played))
    } else {
      output.remark("\(played) frames played.")
    }
  }

  /// The report that `--json` prints.
  struct Report: Encodable {
    var camera: String
    var device: String
    var mode: Mode
    var frames: Int
  }

  private func frameCount(in duration: Duration, of mode: Mode) -> Int? {
    mode.rate.map { Int($0.framesPerSecond.scaling(duration.wholeNanoseconds) / 1_000_000_000) }
  }
}
