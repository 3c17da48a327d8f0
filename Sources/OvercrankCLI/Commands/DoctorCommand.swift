import ArgumentParser
import CameraModel
import Cameras
import Capture
import Diagnostics
import Foundation
import Overcrank
import Simulator
import SystemPackage

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Finds what limits the frame rate here, and how to fix it.",
    discussion: """
      Checks permissions, other programs that use the camera, USB, controls, disk, memory and this user's limits. \
      Writes to the disk for about a second and leaves nothing there. Exits with 1 if there is a problem; hints do \
      not count.
      """)

  @OptionGroup var mode: ModeOptions

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The folder for takes, whose disk is checked. (default: the library folder)", valueName: "folder"),
    completion: .directory)
  var output: String?

  @OptionGroup var words: OutputOptions

  func run() throws {
    let patient = try Patient(mode, words)
    let load = patient.mode.map(ModeLoad.init)
    let machine = MachineFacts()
    var diagnosis = Diagnosis(checks: patient.checks)
    if let facts = patient.facts { diagnosis.checks += facts.checks(for: load) }
    // Where no mode is known, the ring is the smallest that a recording makes.
    diagnosis.checks += machine.checks(ringBytes: load?.ringBytes ?? 32 << 20)
    diagnosis.checks.append(DiskFacts(measuring: folder).check(for: load))

    if words.json {
      try Console.sayJSON(
        DoctorReport(
          camera: patient.name, driver: patient.facts?.driver, kernel: machine.kernel, mode: patient.mode,
          diagnosis: diagnosis))
    } else {
      Console.say(patient.line(kernel: machine.kernel))
      for line in diagnosis.lines(isVerbose: words.verbose) { Console.say(line) }
    }
    if !diagnosis.isClean { throw ExitCode(ExitStatus.problemsFound) }
  }

  /// The folder of takes, or the nearest above it that exists.
  private var folder: FilePath {
    if let output { return FilePath(output) }
    var path = FilePath(LibraryFolder.path)
    while !FileManager.default.fileExists(atPath: path.string), path.removeLastComponent() {}
    return path.isEmpty ? "." : path
  }
}

/// The camera that is looked at, if there is one, and the mode it would film in.
private struct Patient {
  var name: String?
  var facts: CameraFacts?
  var mode: Mode?
  var checks: [Diagnosis.Check] = []

  init(_ options: ModeOptions, _ words: OutputOptions) throws {
    let profiles = ProfileLibrary(for: words)
    let camera: CaptureDevice
    do throws(CameraError) {
      camera = try CaptureDevice(named: options.camera, profiles: profiles)
    } catch {
      // No camera is what a doctor is asked about; a simulated one by a wrong name is a slip of the pen.
      guard error.code == .noCamera || error.code == .noPermission,
        options.camera?.hasPrefix(SimulatedCameraAddress.prefix) != true
      else { throw error }
      checks = [.noCamera(error)]
      return
    }
    name = camera.name
    if case .camera(let device) = camera {
      let facts = CameraFacts(lookingAt: device.path)
      self.facts = facts
      guard facts.failure == nil else { return }
    }
    let choice = options.choices(from: try camera.table(profiles: profiles))[0]
    mode = choice.mode
    if choice.mode == nil { checks = [.noMode(choice, of: camera.name)] }
  }

  func line(kernel: String?) -> String {
    let camera = [name ?? "No camera", facts?.card, facts?.driver.map { "(\($0))" }].compactMap { $0 }
    return [camera.joined(separator: " "), mode?.description, kernel.map { "Linux \($0)" }].compactMap { $0 }
      .joined(separator: "; ")
  }
}

extension Diagnosis {
  /// The findings with reason and remedy, then what is not known; what is fine only where much is to be said.
  fileprivate func lines(isVerbose: Bool) -> [String] {
    var lines: [String] = []
    for finding in findings {
      lines.append("\(finding.severity.rawValue): \(finding.what)")
      lines.append("    \(finding.why)")
      lines.append("    Remedy: \(finding.remedy)")
    }
    for check in checks {
      switch check.verdict {
      case .fine(let what) where isVerbose: lines.append("fine: \(check.name): \(what)")
      case .unknown(let what): lines.append("not known: \(check.name): \(what)")
      default: break
      }
    }
    let problems = findings.count { $0.severity == .problem }
    let hints = findings.count - problems
    lines.append(
      "\(problems) \(problems == 1 ? "problem" : "problems"), \(hints) \(hints == 1 ? "hint" : "hints").")
    return lines
  }
}

/// What `doctor --json` prints.
private struct DoctorReport: Encodable {
  var camera: String?
  var driver: String?
  var kernel: String?
  var mode: Mode?
  var diagnosis: Diagnosis

  enum CodingKeys: String, CodingKey {
    case camera, driver, kernel, mode
  }

  func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(camera, forKey: .camera)
    try keys.encode(driver, forKey: .driver)
    try keys.encode(kernel, forKey: .kernel)
    try keys.encode(mode, forKey: .mode)
    try diagnosis.encode(to: encoder)
  }
}
