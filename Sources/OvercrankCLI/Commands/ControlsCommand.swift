import ArgumentParser
import Overcrank

struct ControlsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "controls", abstract: "Lists and sets a camera's controls.",
    discussion: """
      Names are those of v4l2-ctl, such as exposure_time_absolute, or the driver's own. Values stay set. To set a \
      control for one take only, use --set with record.
      """)

  @Argument(
    help:
      "The camera: /dev/videoN, N, front, back, external, part of its name, or sim:. (default: the first camera)",
    completion: .camera)
  var camera: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Set a control, as in --set brightness=140; may be repeated.",
      discussion: "For a menu, give an item's number or name; for a switch, on or off.",
      valueName: "name=value"),
    transform: { try ControlSetting(text: $0) })
  var settings: [ControlSetting] = []

  @Option(
    name: .customLong("ramp"),
    help: ArgumentHelp(
      "Move a control now, as in --ramp zoom='0s:100, ease 2s:400', after any --set; may be repeated.",
      valueName: "name=curve"),
    transform: { try ControlRampSetting(text: $0) })
  var ramps: [ControlRampSetting] = []

  @Flag(help: "Reset every control to the driver's default.")
  var reset = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    let camera = try CaptureDevice(named: camera, profiles: ProfileLibrary(for: output))
    let outcomes = try camera.set(settings, resetting: reset)
    if !ramps.isEmpty { return try move(camera) }
    let now = try camera.controls()
    if case .simulated = camera, !outcomes.isEmpty {
      output.remark(
        "\(camera.name) is simulated: its controls last only for this run, and do not change the picture.")
    }
    guard !outcomes.isEmpty else { return try show(now, of: camera.name) }
    if output.json {
      try Console.sayJSON(now)
    } else {
      for outcome in outcomes where outcome.failure == nil {
        guard let control = now.first(where: { $0.control.id == outcome.change.id }) else { continue }
        Console.say(outcome.line(control))
      }
    }
    let failures = outcomes.compactMap(\.failure)
    // The first failure becomes the command's error.
    for failure in failures.dropFirst() { Console.complain(failure.description) }
    if let failure = failures.first { throw failure }
  }

  /// Moves controls until all have reached their targets or Ctrl-C stops them.
  private func move(_ camera: CaptureDevice) throws {
    let stop = StopFlag()
    Interruption.shared.set { stop.set() }
    let steps = try camera.move(ramps, until: stop)
    if output.json { return try Console.sayJSON(steps) }
    for name in Set(steps.map(\.name)).sorted() {
      let own = steps.filter { $0.name == name }
      guard let first = own.first, let last = own.last else { continue }
      let time = (last.time - first.time).inSeconds.decimal(places: 2)
      Console.say("\(name): \(first.value) -> \(last.value) in \(own.count) steps over \(time) s")
    }
  }

  private func show(_ controls: [CameraControl], of name: String) throws {
    if output.json { return try Console.sayJSON(controls) }
    for control in controls { Console.say(control.lines.joined(separator: "\n")) }
    if controls.isEmpty { output.remark("\(name) has no controls.") }
  }
}

extension CameraControl {
  /// A line with the value and range, then one line per menu item.
  fileprivate var lines: [String] {
    var words = ["\(name) (\(kindName))"]
    if let text = control.text {
      words.append("= '\(text)'")
    } else if control.value != nil {
      words.append("= \(self.words(for: control.value))")
    }
    var facts: [String] = []
    switch control.kind {
    case .button: break
    case .boolean, .menu, .integerMenu: facts.append("default \(control.defaultValue)")
    case .bitmask:
      facts.append(
        "bits \(self.words(for: control.maximum)), default \(self.words(for: control.defaultValue))")
    case .string: facts.append("\(control.minimum) to \(control.maximum) characters")
    case .integer, .integer64, .u8, .u16, .u32:
      facts.append("\(self.words(for: control.minimum)) to \(self.words(for: control.maximum))")
      if control.step != 1 { facts.append("by \(control.step)") }
      facts.append("default \(control.defaultValue)")
    default: break
    }
    if !control.dimensions.isEmpty {
      facts.append("an array of " + control.dimensions.map(String.init).joined(separator: "x"))
    }
    facts += flagNames
    if !facts.isEmpty { words.append(" " + facts.joined(separator: ", ")) }
    return [words.joined(separator: " ")] + items.map { "    \($0.index): \($0.name)" }
  }
}

extension ControlOutcome {
  /// Returns a line with the requested value, and the value that the driver set.
  fileprivate func line(_ control: CameraControl) -> String {
    guard let after else { return "\(control.name): done." }
    let made = "\(control.name): \(control.words(for: before)) -> \(control.words(for: after))"
    return after == change.value ? made : made + " instead of \(control.words(for: change.value))"
  }
}
