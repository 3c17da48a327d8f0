import FrameJudge
import Foundation
import Testing

/// The output of `doctor --json`.
private struct Report: Decodable {
  struct Entry: Decodable {
    var check: String
    var what: String
    var remedy: String?
    var severity: String?
  }
  var camera: String?
  var kernel: String?
  var clean: Bool
  var findings: [Entry]
  var fine: [Entry]
  var not_known: [Entry]

  var checks: Set<String> { Set((findings + fine + not_known).map(\.check)) }
}

/// The report of `run`, which must be consistent.
private func report(_ run: OvercrankProgram) throws -> Report {
  let report = try run.json(Report.self)
  #expect(run.status == (report.clean ? 0 : 1), "\(run.errors)")
  #expect(report.clean == !report.findings.contains { $0.severity == "problem" })
  #expect(report.findings.allSatisfy { $0.remedy?.isEmpty == false })
  return report
}

@Suite("The doctor", .tags(.program), .timeLimit(.minutes(1)), .serialized)
struct DoctorCommandTests {
  private static let machineChecks: Set = [
    "real-time scheduling", "memory lock", "free memory", "CPU governor", "disk speed", "disk space",
  ]

  @Test("checks only the machine for a simulated camera, and leaves nothing on the disk")
  func simulated() throws {
    let folder = try TemporaryFolder()
    let report = try report(OvercrankProgram("doctor", "sim:", "-o", folder.url.path, "--json"))
    #expect(report.camera == "sim:")
    #expect(report.checks == Self.machineChecks)
    #expect(try folder.names.isEmpty)
  }

  @Test("checks what several cameras need together")
  func several() throws {
    let report = try report(
      OvercrankProgram("doctor", "sim:", "--with", "sim:,fps=120", "-o", "/dev/shm", "--json"))
    let both: Set = ["memory of all cameras", "disk speed of all cameras", "disk space of all cameras"]
    #expect(report.checks == Self.machineChecks.union(both))
    let memory = (report.fine + report.findings).first { $0.check == "memory of all cameras" }
    #expect(memory?.what.contains("The rings of 2 cameras are") == true, "\(report)")
  }

  @Test(
    "reports a missing camera and still checks the machine",
    arguments: ["/dev/video987", "No Such Name"])
  func missing(_ camera: String) throws {
    let report = try report(OvercrankProgram("doctor", camera, "--json", "-o", "/dev/shm"))
    #expect(!report.clean)
    #expect(report.findings.contains { $0.check == "camera" })
    // How long the space lasts depends on the camera.
    #expect(report.checks.isSuperset(of: Self.machineChecks.subtracting(["disk space"])))
  }

  @Test("reports a folder that cannot be written to, and a rate that the camera does not have")
  func impossible() throws {
    let folder = try report(OvercrankProgram("doctor", "sim:", "-o", "/nowhere", "--json"))
    #expect(folder.findings.contains { $0.check == "disk speed" && $0.what.contains("/nowhere") })
    let rate = try report(OvercrankProgram("doctor", "sim:", "--fps", "960", "--json", "-o", "/dev/shm"))
    #expect(rate.findings.contains { $0.check == "mode" && $0.what.contains("at 240 fps") })
  }

  @Test("prints each finding with its reason and remedy, for people")
  func words() throws {
    let run = try OvercrankProgram("doctor", "/dev/video987", "-o", "/dev/shm")
    #expect(run.status == 1)
    #expect(run.output.contains("problem: /dev/video987: open failed"))
    #expect(run.output.contains("Remedy: "))
    #expect(run.errors.isEmpty)
  }
}

@Suite(
  "The doctor with the kernel's camera", .tags(.kernel), .needs(KernelCameras.vivid), .timeLimit(.minutes(15))
)
struct KernelDoctorTests {
  @Test("finds nothing wrong with it, and names the program that is using it")
  func kernel() throws {
    let node = try #require(KernelCameras.vivid)
    let before = try KernelCameras.settings(of: node)
    let free = try report(OvercrankProgram("doctor", node, "--json", "--fps", "60", "-o", "/dev/shm"))
    #expect(free.fine.contains { $0.check == "in use" })
    #expect(free.fine.contains { $0.check == "controls" })
    #expect(free.findings.allSatisfy { $0.check.hasPrefix("disk ") }, "\(free.findings)")
    let folder = try TemporaryFolder()
    _ = try OvercrankProgram(
      [
        "record", node, "--no-thumbnail", "--fps", "30", "--max-width", "320", "--no-clip", "-o",
        folder.path("x.mp4"),
      ],
      whileRunning: { process in
        folder.waitForVideo(of: process)
        let busy = try report(OvercrankProgram("doctor", node, "--json", "--fps", "60", "-o", "/dev/shm"))
        let use = busy.findings.first { $0.check == "in use" }
        #expect(use?.what.contains("overcrank (process \(process.processIdentifier))") == true)
        kill(process.processIdentifier, SIGINT)
      })
    // The camera was neither taken from its user nor changed.
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
    #expect(try KernelCameras.settings(of: node) == before)
  }
}
