import ArgumentParser
import Foundation
import Overcrank

struct BenchCommand: ParsableCommand, RuledOptions {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measures the rate that a camera sustains.",
    discussion: BriefHelp.discussion(
      examples: """
          overcrank bench --fps 240
          overcrank bench --all --csv
          overcrank bench sim: --duration 2s --plot intervals.svg
        """,
      """
      Captures without writing to the disk and compares three rates: the one that the driver claims, the one that it \
      accepts, and the one measured from the frames' own numbers and times. Ctrl-C ends a measurement early and \
      reports it.

      Sets the controls and the capture thread as for a recording, and restores the controls afterwards. \
      --keep-controls measures the camera as it is. --with measures several cameras at the same time: the rate that \
      each sustains beside the others, and what all need together.

      Jitter is how far the interval between two frames deviates from the mean. Processor time is that of this \
      program's threads, not of the driver.
      """))

  @OptionGroup(title: "Camera and mode") var mode: ModeOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long to measure each mode. (default: 10s, or 3s with --all)", valueName: "time"),
    transform: { try Duration(text: $0) })
  var duration: Duration?

  @Option(
    name: .customLong("with"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Measure this camera at the same time; may be repeated.",
      discussion: "Its own mode follows its name: --with usb:3,fps=120,size=720p,format=mjpeg.".rare,
      valueName: "camera"),
    completion: .camera, transform: { try FurtherCamera(text: $0) })
  var with: [FurtherCamera] = []

  @Flag(help: "Measure every mode and print a table.")
  var all = false

  @Option(
    help: ArgumentHelp(
      "Write a plot of the intervals, over time and as a histogram, to this SVG file.", valueName: "file")
  )
  var plot: FilePath?

  @Flag(
    help: "Save the measured rates in a profile of your own, which select trusts over the driver's claims.")
  var save = false

  @Flag(help: "Print comma-separated values, one line for each mode.")
  var csv = false

  @Flag(help: "Replace an existing plot.")
  var force = false

  @OptionGroup(title: "Controls") var policy: ControlPolicyOptions
  @OptionGroup(title: "Capture thread") var scheduling: SchedulingOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var help: FullHelp

  func validate() throws {
    try refuseConflicts()
    if let duration, duration <= .zero {
      throw ValidationError("--duration 0 measures nothing; give a longer time.")
    }
    if let plot, !plot.name.lowercased().hasSuffix(".svg") {
      throw ValidationError("--plot \"\(plot)\": the file's name must end in .svg.")
    }
  }

  var given: [String] {
    [String](given: [
      "--fps": mode.fps != nil, "--prefer": mode.wishes.prefer != nil,
      "--quality": mode.wishes.quality != nil, "--all": all, "--with": !with.isEmpty, "--plot": plot != nil,
      "--force": force,
      "--save": save,
      "--csv": csv,
    ]) + policy.given + output.given
  }

  func run() throws {
    let profiles = ProfileLibrary(for: output)
    let name = try mode.named.camera(profiles, output)
    let camera = try CaptureDevice(named: name, profiles: profiles)
    let table = try camera.table(profiles: profiles)
    for warning in table.warnings { output.remark(warning) }
    let words = ModeWords(table: table, head: "overcrank bench", camera: name, name: camera.name)
    let chosen = try all ? [] : ModeChoice.possible(mode.choices(from: table)).prefix(1).map(words.winner)
    let bench = try ModeBench(
      camera, table: table, duration: duration ?? (all ? .seconds(3) : .seconds(10)),
      controls: policy.policy, profiles: profiles, scheduling: scheduling.scheduling(for: camera, output))
    let interruption = Interruption.shared

    if !with.isEmpty {
      try measureTogether(bench, chosen[0], profiles, interruption)
    } else if all {
      try measureAll(with: bench, interruption)
    } else {
      // Open the file before the camera is used; a signal removes it.
      interruption.hold()
      let file = try plot.map { try OutputFile($0, replacing: force) }
      try measureOne(chosen[0], with: bench, interruption, plot: file)
    }
  }

  /// Measures `mode` and returns the report.
  private func measure(
    _ mode: Mode, with bench: ModeBench, _ interruption: Interruption
  ) throws -> RateReport {
    let plan = try bench.controlPlan(for: mode)
    for remark in plan.words { output.remark(remark) }
    let line = ProgressLine(isShown: !output.quiet)
    defer { line.clear() }
    let commands = SessionCommands()
    interruption.set { commands.send(.stop) }
    // A signal may have arrived between two measurements.
    if interruption.hasCome { commands.send(.stop) }
    let report = bench.measure(mode, with: plan, stop: commands) {
      line.draw("\(mode): \($0.frames) frames, \($0.lost) lost")
    }
    if let failure = (try? report.outcome.get())?.restoreFailure { Console.complain(failure.description) }
    return report.wordingRemedies(DiagnosticAction.words(of: bench.device.name))
  }

  /// Saves the results of complete measurements.
  private func keep(_ reports: [RateReport], of table: CameraTable) throws {
    guard save, let path = try MeasuredProfile(of: table).keep(reports) else { return }
    output.remark("Saved in \(path).")
  }

  private func measureOne(
    _ mode: Mode, with bench: ModeBench, _ interruption: Interruption, plot file: consuming OutputFile?
  ) throws {
    output.remark("Measuring \(bench.device.name) in \(mode) for \(bench.seconds) s.")
    let report = try measure(mode, with: bench, interruption)
    if case .failure(.empty) = report.outcome, interruption.hasCome {
      throw Failure.interruptedBeforeFirstFrame
    }
    let measurement = try report.outcome.get()
    if let file = file.take() {
      try IntervalPlot(measurement, title: "\(bench.device.name), \(mode)").write(to: file)
    }
    if output.json {
      try Console.sayJSON(report)
    } else if csv {
      Console.sayData("\(RateReport.csvHead)\n\(report.csv)")
    } else {
      Console.say(report.text(measurement))
    }
    try keep([report], of: bench.table)
    if let failure = measurement.failure { throw Failure(endingEarly: failure) }
  }

  /// Measures the cameras of `--with` at the same time as the first one.
  private func measureTogether(
    _ first: ModeBench, _ chosen: Mode, _ profiles: ProfileLibrary, _ interruption: Interruption
  ) throws {
    var members = [GroupBench.Member(first, mode: chosen, plan: try first.controlPlan(for: chosen))]
    for camera in with {
      let device = try CaptureDevice(named: camera.name, profiles: profiles)
      let bench = try ModeBench(
        device, duration: first.duration, controls: policy.policy, profiles: profiles,
        scheduling: scheduling.scheduling(for: device, output))
      let wishes = camera.camera(device, mode, CaptureSettings())
      let choices = ModeChoice.choices(
        from: bench.table, for: wishes.rate, wishes.criteria, quality: wishes.quality)
      let words = ModeWords(
        table: bench.table, head: "overcrank bench", camera: camera.name, name: device.name)
      guard let mode = try ModeChoice.possible(choices).prefix(1).map(words.winner).first else { continue }
      members.append(GroupBench.Member(bench, mode: mode, plan: try bench.controlPlan(for: mode)))
    }
    for member in members {
      for remark in member.plan.words { output.remark(remark) }
      output.remark("Measuring \(member.bench.device.name) in \(member.mode) for \(first.seconds) s.")
    }
    let stop = members.map { _ in SessionCommands() }
    interruption.set { for commands in stop { commands.send(.stop) } }
    if interruption.hasCome { for commands in stop { commands.send(.stop) } }
    let group = try GroupBench(members)
    let reports = try group.measure(stop: stop).map { report in
      report.wordingRemedies(DiagnosticAction.words(of: report.camera.name))
    }
    if output.json {
      try Console.sayJSON(reports)
    } else if csv {
      Console.sayData(([RateReport.csvHead] + reports.map(\.csv)).joined(separator: "\n"))
    } else {
      for (place, report) in reports.enumerated() {
        let text =
          if let measurement = try? report.outcome.get() {
            report.text(measurement)
          } else {
            "\(report.camera.name) in \(report.mode): \(report.failureText ?? "nothing was measured.")"
          }
        Console.say("Camera \(GroupCamera.name(place)): \(text)")
      }
      Console.say(GroupTotals(reports, of: group.members).text)
    }
    var failures = reports.enumerated().compactMap { place, report in
      (try? report.outcome.get())?.failure.map {
        Failure(endingEarly: $0, of: "Camera \(GroupCamera.name(place)): ")
      }
    }
    if reports.contains(where: { (try? $0.outcome.get()) == nil }) {
      failures.append(
        interruption.hasCome
          ? .interruptedBeforeFirstFrame
          : Failure("A camera sent no frame beside the others; see above.", exitCode: ExitStatus.inputOutput))
    }
    for failure in failures.dropLast() { Console.complain(failure.message) }
    if let failure = failures.last { throw failure }
  }

  private func measureAll(with bench: ModeBench, _ interruption: Interruption) throws {
    let name = bench.device.name
    let modes = bench.modes(mode.criteria)
    guard !modes.isEmpty else {
      throw Failure(
        "\(name.asSubject) no mode with a listed rate matches the options. See \"overcrank formats \(name.shellWord)\".",
        exitCode: ExitStatus.unavailable)
    }
    output.remark("Measuring \(modes.count) modes of \(name), \(bench.seconds) s each.")
    let columns = RateTable(modes, width: csv ? nil : Console.width)
    var reports: [RateReport] = []
    if !output.json { Console.sayData(csv ? RateReport.csvHead : columns.head) }
    for mode in modes where !interruption.hasCome {
      let report = try measure(mode, with: bench, interruption)
      reports.append(report)
      if !output.json { Console.sayData(csv ? report.csv : columns.line(report)) }
    }
    if output.json { try Console.sayJSON(reports) }
    try keep(reports, of: bench.table)
    guard reports.contains(where: { (try? $0.outcome.get()) != nil }) else {
      if interruption.hasCome { throw Failure.interruptedBeforeFirstFrame }
      throw Failure(
        "\(name.asSubject) no mode could be measured. The first failed: \(reports.first?.failureText ?? "none was tried.")",
        exitCode: ExitStatus.inputOutput)
    }
  }
}

extension ModeBench {
  /// The duration of each mode's capture, in seconds, as text.
  fileprivate var seconds: String {
    duration.inSeconds.decimal(places: 3)
  }
}

extension Failure {
  /// Creates the failure of a measurement that `error` ended early.
  fileprivate init(endingEarly error: CaptureError, of camera: String = "") {
    self.init(
      "\(camera)\(error.message) The frames captured until then were measured.",
      exitCode: OvercrankError(error).code.exitCode)
  }

  fileprivate static let interruptedBeforeFirstFrame = Failure(
    "Interrupted before the first frame arrived: nothing was measured.", exitCode: ExitStatus.interrupted)
}
