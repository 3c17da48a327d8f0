import ArgumentParser
import CameraModel
import Cameras
import Capture
import Diagnostics
import Foundation
import Overcrank
import Platform
import SystemPackage
import Timebase

struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measures the rate that a camera sustains.",
    discussion: """
      Captures without a disk and compares three rates: the claimed rate of the driver, the accepted rate, and the \
      measured rate by the frames' own numbers and times. Ctrl-C ends a measurement early and reports it.

      Sets the controls and the capture thread as for a recording, and restores the controls afterwards. \
      --keep-controls measures the camera as it is.

      Jitter is the deviation of an interval between two frames from the mean. Processor time is that of this \
      program's threads, without the driver's.
      """)

  @OptionGroup(title: "Camera and mode") var mode: ModeOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long to measure each mode. (default: 10s, or 3s with --all)", valueName: "time"),
    transform: { try Duration(text: $0) })
  var duration: Duration?

  @Flag(help: "Measure every mode and print a table.")
  var all = false

  @Option(
    help: ArgumentHelp(
      "Write a plot of the intervals, over time and as a histogram, to this SVG file.", valueName: "file")
  )
  var plot: String?

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

  func validate() throws {
    if all, mode.fps != nil { throw ValidationError("--all measures every rate; drop --fps, or drop --all.") }
    if all, plot != nil { throw ValidationError("--plot draws one mode; drop --all, or drop --plot.") }
    if let duration, duration <= .zero { throw ValidationError("--duration 0 measures nothing; give more.") }
    if csv, output.json {
      throw ValidationError("--csv and --json are two forms of the same; give one of them.")
    }
    if let plot, !plot.lowercased().hasSuffix(".svg") {
      throw ValidationError("\"\(plot)\" is no name for a plot: let it end in .svg.")
    }
  }

  func run() throws {
    let profiles = ProfileLibrary(for: output)
    let camera = try CaptureDevice(named: mode.camera, profiles: profiles)
    let table = try camera.table(profiles: profiles)
    for warning in table.warnings { output.remark(warning) }
    let words = ModeWords(table: table, head: "overcrank bench", camera: mode.camera, name: camera.name)
    // Not tried first, as a recording does: what the driver makes of it is part of what is measured.
    let modes =
      try all ? mode.allModes(of: table, camera.name) : mode.choices(from: table).prefix(1).map(words.winner)
    let interruption = Interruption()
    let bench = ModeBench(
      camera: camera, identity: CameraIdentity(name: camera.name, table: table),
      usb: USBDevice(of: camera), duration: duration ?? (all ? .seconds(3) : .seconds(10)),
      policy: policy.policy.needing(profiles.profile(of: table)),
      scheduling: scheduling.scheduling(for: camera, output), output: output, interruption: interruption)

    if all {
      try measureAll(modes, with: bench, of: table)
    } else {
      // Before the camera is touched.
      let file = try plot.map { try OutputFile(FilePath($0), replacing: force) }
      try measureOne(modes[0], with: bench, of: table, plot: file)
    }
  }

  /// Keeps what came of whole measurements.
  private func keep(_ reports: [RateReport], of table: CameraTable) throws {
    guard save else { return }
    let path = try MeasuredProfile(of: table).save(reports.compactMap(MeasuredProfile.Entry.init))
    if let path { output.remark("Kept in \(path).") }
  }

  private func measureOne(
    _ mode: Mode, with bench: ModeBench, of table: CameraTable, plot file: consuming OutputFile?
  ) throws {
    output.remark("Measuring \(bench.camera.name) in \(mode) for \(bench.seconds) s.")
    let report = try bench.measure(mode)
    if case .failure(.empty) = report.outcome, bench.interruption.hasCome {
      throw Failure.interruptedBeforeFirstFrame
    }
    let measurement = try report.outcome.get()
    if let file = file.take() {
      try IntervalPlot(measurement, title: "\(bench.camera.name), \(mode)").write(to: file)
    }
    if output.json {
      try Console.sayJSON(report)
    } else if csv {
      Console.say("\(RateReport.csvHead)\n\(report.csv)")
    } else {
      Console.say(report.text(measurement))
    }
    try keep([report], of: table)
    if let failure = measurement.failure {
      throw Failure("\(failure.message) What came until then was measured.", exitCode: failure.exitCode)
    }
  }

  private func measureAll(_ modes: [Mode], with bench: ModeBench, of table: CameraTable) throws {
    output.remark("Measuring \(modes.count) modes of \(bench.camera.name), \(bench.seconds) s each.")
    let columns = RateTable(modes)
    var reports: [RateReport] = []
    if !output.json { Console.say(csv ? RateReport.csvHead : columns.head) }
    for mode in modes where !bench.interruption.hasCome {
      let report = try bench.measure(mode)
      reports.append(report)
      if !output.json { Console.say(csv ? report.csv : columns.line(report)) }
    }
    if output.json { try Console.sayJSON(reports) }
    try keep(reports, of: table)
    guard reports.contains(where: { (try? $0.outcome.get()) != nil }) else {
      if bench.interruption.hasCome { throw Failure.interruptedBeforeFirstFrame }
      throw Failure(
        "\(bench.camera.name): no mode could be measured. The first: \(reports.first?.failureText ?? "none was tried.")",
        exitCode: ExitStatus.inputOutput)
    }
  }
}

/// Measures one mode after the other.
private struct ModeBench {
  let camera: CaptureDevice
  let identity: CameraIdentity
  let usb: USBDevice?
  let duration: Duration
  let policy: ControlPolicy
  let scheduling: CaptureScheduling
  let output: OutputOptions
  let interruption: Interruption

  /// How long each is filmed, in seconds.
  var seconds: String { Fraction(duration.wholeNanoseconds, 1_000_000_000).decimal(places: 3) }

  /// What came of `mode`.
  ///
  /// - Throws: `CameraError` where a control that was asked for cannot be set.
  func measure(_ mode: Mode) throws -> RateReport {
    let plan = try camera.plan(policy, for: mode)
    for remark in plan.remarks { output.remark(remark) }
    let line = ProgressLine(isShown: !output.quiet)
    defer { line.clear() }
    let limit = RecordingLimit(nanoseconds: duration.wholeNanoseconds)
    let commands = SessionCommands()
    interruption.set { commands.send(.stop) }
    // One that came between two measurements.
    if interruption.hasCome { commands.send(.stop) }
    let outcome = Result { () throws(CaptureError) in
      try RateBench.measure(
        camera, in: mode, for: limit, making: plan.changes, scheduling: scheduling, stop: commands
      ) { line.draw("\(mode): \($0.frames) frames, \($0.lost) lost") }
    }
    if let failure = (try? outcome.get())?.restoreFailure { Console.complain(failure.description) }
    return RateReport(camera: identity, mode: mode, outcome: outcome, usb: usb)
  }
}

extension Failure {
  fileprivate static let interruptedBeforeFirstFrame = Failure(
    "Interrupted before the first frame came: nothing was measured.", exitCode: ExitStatus.interrupted)
}

extension ModeOptions {
  /// Every mode that the options leave.
  fileprivate func allModes(of table: CameraTable, _ camera: String) throws(Failure) -> [Mode] {
    let modes = table.modes.filter { criteria.admits(fourcc: $0.fourcc, width: $0.width) }
    guard modes.isEmpty else { return modes }
    throw Failure(
      "\(camera): no mode with a rate is left to measure. See \"overcrank formats\".",
      exitCode: ExitStatus.unavailable)
  }
}

extension USBDevice {
  /// The USB device behind `camera`; `nil` where there is none.
  fileprivate init?(of camera: CaptureDevice) {
    guard case .camera(let device) = camera, let usb = device.usb else { return nil }
    self = usb
  }
}

extension IntervalPlot {
  fileprivate func write(to file: consuming OutputFile) throws {
    try Array(svg.utf8).withUnsafeBytes { try file.write($0) }
    try file.commit()
  }
}

extension MeasuredProfile.Entry {
  /// What `report` has to tell; `nil` where nothing came, or not to the end.
  fileprivate init?(_ report: RateReport) {
    guard let measurement = try? report.outcome.get(), measurement.failure == nil,
      let rate = measurement.sustainedFramesPerSecond
    else { return nil }
    let lost = measurement.accounting.ledger.total
    self.init(
      mode: report.mode, framesPerSecond: rate,
      note: String(
        format: "%.1f s on %@", measurement.duration, Date.now.formatted(.iso8601.year().month().day()))
        + (lost == 0 ? "" : ", \(lost) of \(measurement.frames.sent) frames lost"))
  }
}

extension MeasuredProfile {
  /// Adds `entries` to the user's file; its path, or `nil` where there is nothing to add.
  fileprivate func save(_ entries: [Entry]) throws -> String? {
    guard !entries.isEmpty else { return nil }
    let path = path()
    let existing = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    let text = try yaml(adding: entries, to: existing)
    try OwnFolder.make(
      ProfileLibrary.userFolder, as: "the folder of your profiles",
      remedy: "Name another with XDG_CONFIG_HOME.")
    try Array(text.utf8).withUnsafeBytes { bytes in
      var file = try OutputFile(FilePath(path), replacing: true)
      try file.write(bytes)
      try file.commit()
    }
    return path
  }
}
