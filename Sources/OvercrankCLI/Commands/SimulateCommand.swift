import ArgumentParser
import CameraModel
import Cameras
import Capture
import Simulator
import Timebase

struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Plays a simulated camera into a v4l2loopback device.",
    discussion:
      "Plays until Ctrl-C, or for --duration or --frames. Faults such as sim:,drop=10 do not apply here.")

  @OptionGroup var mode: ModeOptions

  @Option(
    help: ArgumentHelp("The device that takes the frames, such as /dev/video10.", valueName: "device"),
    completion: .file())
  var to: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How long to play: 3s, 250ms.", valueName: "time"),
    transform: { try Duration(text: $0) })
  var duration: Duration?

  @Option(help: ArgumentHelp("How many frames to play.", valueName: "number"))
  var frames: Int?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if duration != nil, frames != nil {
      throw ValidationError("--duration and --frames both end the play; give one of them.")
    }
    if let frames, frames < 1 { throw ValidationError("--frames \(frames) plays nothing; give at least 1.") }
  }

  func run() throws {
    let profiles = ProfileLibrary(for: output)
    guard
      case .simulated(let camera, let table) = try CaptureDevice(
        named: mode.camera ?? SimulatedCameraAddress.prefix, profiles: profiles)
    else {
      throw Failure("Only a simulated camera can be played: name it sim:.", exitCode: ExitStatus.usage)
    }
    let words = ModeWords(
      table: table, head: "overcrank simulate --to \(to.shellWord)", camera: mode.camera, name: camera.name)
    let chosen = try words.winner(of: mode.choices(from: table)[0])
    let path = try CameraName.path(of: CameraName(to))
    let interruption = Interruption()
    let stop = StopFlag()
    interruption.set { stop.set() }
    output.remark("Playing \(camera.name) into \(path) in \(chosen).")
    let played = try LoopbackPlayer.play(
      chosen, to: path, frameLimit: frames ?? duration.flatMap { frameCount(in: $0, of: chosen) },
      huffmanTables: camera.faults.huffmanTables, lamp: camera.faults.lamp, isStopped: { stop.isSet })
    output.remark("\(played) frames played.")
  }

  private func frameCount(in duration: Duration, of mode: Mode) -> Int? {
    mode.rate.map { Int($0.framesPerSecond.scaling(duration.wholeNanoseconds) / 1_000_000_000) }
  }
}
