import FrameJudge
import Foundation
import Testing

@Suite("An export to a disk that fails, or cannot hold a file", .tags(.program), .timeLimit(.minutes(1)))
struct ExportFaultTests {
  let source: TemporaryFolder
  let target: TemporaryFolder

  init() throws {
    source = try TemporaryFolder()
    target = try TemporaryFolder()
    try StagedTake("a").write(to: source.url.path)
  }

  /// `f_type` of FAT, which statfs(2) is made to return.
  private static let isFAT = "statfs:poke_exit=@arg2=444d000000000000"

  /// Moves the take while calls on these files fail.
  private func move(_ take: String = "a.take.json", injecting faults: [String], on paths: [String]) throws
    -> (
      status: Int32, errors: String
    )
  {
    let log = source.path("errors")
    defer { try? FileManager.default.removeItem(atPath: log) }
    let calls = faults.map { $0.prefix { $0 != ":" } }.joined(separator: ",")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    var words = ["strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "trace=\(calls)"]
    for fault in faults { words += ["-e", "inject=\(fault)"] }
    for path in paths { words += ["-P", path] }
    words += [
      OvercrankProgram.url.path, "takes", "export", target.url.path, "--move", "-q", source.path(take),
    ]
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try Data().write(to: URL(filePath: log))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: log))
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOfFile: log, encoding: .utf8))
  }

  @Test(
    "reports the cause, removes nothing, and is completed by the next one",
    arguments: [
      ("openat:error=EROFS", 73, "is mounted read-only"), ("openat:error=ENOSPC", 74, "The disk is full"),
      ("openat:error=ENODEV", 74, "it was unplugged"), ("pwrite64:error=EIO", 74, "or was unplugged"),
      ("pwrite64:error=ENOSPC", 74, "The disk is full"), ("pwrite64:error=ENODEV", 74, "it was unplugged"),
      ("pwrite64:error=EROFS", 74, "has become read-only"), ("fsync:error=EIO", 74, "or was unplugged"),
      ("pread64:error=EIO", 74, "or was unplugged"), ("pread64:error=ENODEV", 74, "cannot be read back"),
      ("renameat2:error=EIO", 74, "or was unplugged"),
    ])
  func faults(_ fault: String, _ status: Int32, _ words: String) throws {
    let before = try source.names
    let run = try move(injecting: [fault], on: [target.path("a.master.mov.copying")])
    #expect(run.status == status && run.errors.contains(words), "\(run)")
    #expect(run.errors.contains(target.path("a.master.mov")), "\(run)")
    #expect(try source.names == before)
    // A file that is complete except for its name may stay beside it.
    #expect(try target.names.filter { !$0.hasSuffix(".copying") } == ["a.mp4"])
    let rest = try OvercrankProgram(
      "takes", "export", target.url.path, "--move", "-q", source.path("a.take.json"))
    #expect(rest.status == 0, "\(rest.errors)")
    #expect(try source.names.isEmpty)
    #expect(try target.names == before)
  }

  @Test("reports a name that FAT does not allow")
  func name() throws {
    let before = try source.names
    let run = try move(
      injecting: ["openat:error=EINVAL", Self.isFAT], on: [target.path("a.mp4.copying"), target.url.path])
    #expect(run.status == 73 && run.errors.contains("FAT or exFAT, allows none of"), "\(run)")
    #expect(try source.names == before)
    #expect(try target.names.isEmpty)
  }

  @Test("reports that FAT cannot hold a file of 4 GiB, before the copy or during it")
  func size() throws {
    let before = try source.names
    let written = try move(
      injecting: ["pwrite64:error=EFBIG", Self.isFAT], on: [target.path("a.mp4.copying"), target.url.path])
    #expect(written.status == 74 && written.errors.contains("FAT, cannot hold a file of 4 GiB"), "\(written)")
    #expect(truncate(source.path("a.master.mov"), 1 << 32) == 0)
    let run = try move(injecting: [Self.isFAT], on: [target.url.path])
    #expect(run.status == 73 && run.errors.contains("cannot hold a file of 4 GiB"), "\(run)")
    #expect(try source.names == before)
    #expect(try target.names == ["a.mp4"])
  }
}
