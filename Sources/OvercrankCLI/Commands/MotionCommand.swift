import ArgumentParser
import Foundation
import Overcrank

struct MotionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "motion", abstract: "Shows what --trigger motion sees, for tuning it.",
    discussion: """
      Examines the camera's picture about sixty times a second and shows how much of it moves (the score), where, \
      and how much would trigger (the area). Records nothing. Ends at Ctrl-C, or after --duration, and prints the \
      trigger with these settings.

      With --json, prints a JSON object for each examined frame, one per line.
      """)

  @OptionGroup(title: "Camera and mode") var mode: ModeOptions
  @OptionGroup(title: "Motion") var motion: MotionOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long to run: 10s. (default: until Ctrl-C)", valueName: "time"),
    transform: { try Duration(text: $0) })
  var duration: Duration?

  @OptionGroup(title: "Controls") var policy: ControlPolicyOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if let duration, duration <= .zero {
      throw ValidationError("--duration 0 examines nothing; give a longer time.")
    }
  }

  func run() throws {
    let profiles = ProfileLibrary(for: output)
    let camera = try mode.named.camera(profiles, output)
    let device = try CaptureDevice(named: camera, profiles: profiles)
    let interruption = Interruption.shared
    // The camera is briefly set to the mode: signals wait until its settings are restored.
    interruption.hold()
    let meter = try prepare(device, named: camera, profiles)
    interruption.set { meter.stop() }
    if interruption.hasCome { meter.stop() }
    ModeWords.announce(meter.trial, name: device.name, output)
    output.remark("Watching \(device.name) for motion in \(meter.mode).")
    let display = MotionDisplay(motion.settings, isJSON: output.json, isQuiet: output.quiet, until: duration)
    {
      meter.stop()
    }
    try meter.run { error in
      output.remark(error.message)
    } seen: { look in
      display.show(look, in: meter.mode)
    }
    display.finish()
    if !output.json {
      output.remark("To trigger with these settings: --trigger \("motion=\(motion.settings)".shellWord)")
    }
  }

  private func prepare(
    _ device: CaptureDevice, named camera: String?, _ profiles: ProfileLibrary
  ) throws -> MotionMeter {
    do throws(RecordError) {
      return try MotionMeter(
        device, motion.settings, rate: mode.fps, criteria: mode.criteria, quality: mode.wishes.quality ?? [],
        controls: policy.policy, profiles: profiles)
    } catch {
      switch error {
      case .noMode(let choice, let table, _):
        throw ModeWords(table: table, head: "overcrank motion", camera: camera, name: device.name)
          .failure(of: choice)
      case .modesRefused(let trial, _): throw ModeWords.failure(of: trial, name: device.name)
      default: throw error
      }
    }
  }
}

/// The options for motion detection.
struct MotionOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How much a spot must change to count, in steps of luma from 1 to 254. (default: 25)",
      valueName: "steps"),
    transform: { try MotionSettings.threshold(text: $0) })
  var threshold: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How much of the region must change: 2%, 0.02. (default: 2%)", valueName: "part"),
    transform: { try MotionSettings.area(text: $0) })
  var area: Double?

  @Option(
    help: ArgumentHelp(
      "Watch only this part of the picture: 640x360+0+0 is width, height, left and top.",
      valueName: "part"),
    transform: { try MotionSettings.region(text: $0) })
  var region: PictureCrop?

  @Option(
    help: ArgumentHelp(
      "A PNG of the picture's size: white is watched, black is ignored.", valueName: "file"),
    completion: .file(extensions: ["png"]))
  var mask: FilePath?

  @Flag(help: "Count a change of the overall light as motion too.")
  var light = false

  /// The settings that the options describe.
  var settings: MotionSettings {
    var settings = MotionSettings(region: region, mask: mask, countsLight: light)
    if let threshold { settings.threshold = threshold }
    if let area { settings.area = area }
    return settings
  }
}
