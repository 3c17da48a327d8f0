import ArgumentParser
import Overcrank

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Finds what limits the frame rate here, and how to fix it.",
    discussion: """
      Checks permissions, other programs that use the camera, USB, controls, disk, memory and this user's limits. \
      Writes to the disk for about a second and leaves nothing there. Exits with 1 if there is a problem; hints do \
      not count. --with also checks memory, USB buses and disk for all cameras together.
      """)

  @OptionGroup var mode: ModeOptions

  @Option(
    name: .customLong("with"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Check whether the machine holds a recording with this camera too; may be repeated.",
      discussion: "Its own mode follows its name: --with usb:3,fps=120,size=720p,format=mjpeg.".rare,
      valueName: "camera"),
    completion: .camera, transform: { try FurtherCamera(text: $0) })
  var with: [FurtherCamera] = []

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The folder for takes, whose disk is checked. (default: the library folder)", valueName: "folder"),
    completion: .directory)
  var output: FilePath?

  @OptionGroup var words: OutputOptions

  func run() throws {
    let profiles = ProfileLibrary(for: words)
    let others = try with.map { camera in
      camera.camera(try CaptureDevice(named: camera.name, profiles: profiles), mode, CaptureSettings())
    }
    var examination = try Examination(
      ofCamera: try mode.named.camera(profiles, words), rate: mode.fps, criteria: mode.criteria,
      quality: mode.wishes.quality ?? [],
      folder: output, profiles: profiles, with: others)
    examination.diagnosis = examination.diagnosis.wordingRemedies(
      DiagnosticAction.words(of: examination.camera))
    if words.json {
      try Console.sayJSON(examination)
    } else {
      Console.say(examination.line)
      for other in examination.others { Console.say("with \(other.camera); \(other.mode)") }
      for line in examination.diagnosis.lines(isVerbose: words.verbose) { Console.say(line) }
    }
    if !examination.diagnosis.isClean { throw ExitCode(ExitStatus.problemsFound) }
  }
}

extension Examination {
  /// The examined camera, mode and kernel, in one line.
  fileprivate var line: String {
    let words = [camera ?? "No camera", facts?.card, facts?.driver.map { "(\($0))" }].compactMap { $0 }
    return [words.joined(separator: " "), mode?.description, machine.kernel.map { "Linux \($0)" }]
      .compactMap { $0 }.joined(separator: "; ")
  }
}

extension Diagnosis {
  /// Returns the findings with reason and remedy, then the unknown checks; passed checks only if `isVerbose`.
  fileprivate func lines(isVerbose: Bool) -> [String] {
    var lines: [String] = []
    for finding in findings {
      lines.append("\(finding.severity.rawValue): \(finding.what)")
      lines.append("    \(finding.why)")
      lines.append("    Remedy: \(finding.remedy)")
    }
    for check in checks {
      switch check.verdict {
      case .fine(let what) where isVerbose: lines.append("passed: \(check.name): \(what)")
      case .unknown(let what): lines.append("unknown: \(check.name): \(what)")
      default: break
      }
    }
    let problems = findings.count { $0.severity == .problem }
    let hints = findings.count - problems
    let fine = checks.count { if case .fine = $0.verdict { true } else { false } }
    lines.append(
      "\(problems) \(problems == 1 ? "problem" : "problems"), \(hints) \(hints == 1 ? "hint" : "hints"), "
        + "\(fine) \(fine == 1 ? "check" : "checks") passed\(isVerbose || fine == 0 ? "" : " (--verbose lists them)")."
    )
    return lines
  }
}
