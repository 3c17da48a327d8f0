import FrameJudge
import Foundation
import Testing

/// A recording to a folder where another file takes its first name meanwhile, so that master and journal get
/// other names when they are saved; strace kills it there.
private struct KilledAtItsName {
  let folder: String
  private static let table = """
    {"card": "Small", "modes": [{"fourcc": "MJPG", "width": 320, "height": 240, "intervals": [[1, 30]]}]}
    """

  /// - Parameter faults: how calls fail; one of them kills the recording.
  init(in folder: String, injecting faults: [String]) throws {
    self.folder = folder
    let tables = try TemporaryFolder()
    try Data(Self.table.utf8).write(to: tables.url.appending(path: "small.json"))
    let calls = faults.map { $0.prefix { $0 != ":" } }.joined(separator: ",")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(calls)"]
      + faults.flatMap { ["-e", "inject=\($0)"] }
      + [
        OvercrankProgram.url.path, "record", "sim:\(tables.path("small.json"))", "--fps", "30", "--frames",
        "60",
        "--no-clip", "--no-thumbnail", "-q", "-o", "\(folder)/x-{n}.mp4",
      ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, !FileManager.default.fileExists(atPath: "\(folder)/x-1.master.mov.part") {
      usleep(2000)
    }
    try Data("somebody else's".utf8).write(to: URL(filePath: "\(folder)/x-1.master.mov"))
    process.waitUntilExit()
    #expect(process.terminationStatus != 0)
  }

  /// Expects a master whose take `recover` writes from its journal.
  func checkIsRecovered() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names.contains("x-2.master.mov") && !names.contains("x-2.take.json"), "\(names)")
    let list = try OvercrankProgram("takes", "list", folder)
    #expect(list.output.contains("x-2 (a master without a take)"), "\(list.output)")
    let run = try OvercrankProgram("recover", "\(folder)/x-2.master.mov")
    #expect(run.status == 0, "\(run.errors)")
    let check = try OvercrankProgram("takes", "verify", "\(folder)/x-2.take.json")
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    #expect(
      try String(contentsOfFile: "\(folder)/x-1.master.mov", encoding: .utf8) == "somebody else's")
  }
}

@Suite("On a file system without links, such as FAT,", .tags(.program), .timeLimit(.minutes(1)))
struct NoLinkTests {
  @Test("a recording that is killed between naming its master and its take is recovered")
  func killed() throws {
    let folder = try TemporaryFolder()
    // The first rename gives the master its name, the second the take.
    try KilledAtItsName(
      in: folder.url.path, injecting: ["link:error=EPERM", "renameat2:signal=KILL:when=2"]
    ).checkIsRecovered()
    #expect(try !folder.names.contains { $0.hasSuffix(".journal") })
  }
}

@Suite(
  "A disk with FAT", .serialized, .tags(.kernel), .timeLimit(.minutes(15)),
  .enabled(if: FreezableDisk.isPossibleWithFAT || KernelCameras.areExpected))
struct FATDiskTests {
  let source: TemporaryFolder

  init() throws { source = try TemporaryFolder() }

  private func disk(_ bytes: Int = 64 << 20) throws -> FreezableDisk {
    try #require(try FreezableDisk(bytes: bytes, .fat))
  }

  private func export(_ take: String, to disk: FreezableDisk, _ options: String...) throws -> OvercrankProgram
  {
    try OvercrankProgram(["takes", "export", disk.path(""), "-q", source.path(take)] + options)
  }

  @Test("holds what fits, and returns it unchanged")
  func whole() throws {
    let disk = try disk()
    try StagedTake("a").write(to: source.url.path)
    let files = try source.names.map { try Data(contentsOf: URL(filePath: source.path($0))) }
    let run = try export("a.take.json", to: disk, "--move")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try source.names.isEmpty)
    #expect(
      try disk.names.map { try Data(contentsOf: URL(filePath: disk.path($0))) } == files)
    // A second export finds that everything exists.
    let back = try OvercrankProgram("takes", "export", source.url.path, "-q", disk.path("a.take.json"))
    #expect(back.status == 0, "\(back.errors)")
    #expect(try export("a.take.json", to: disk, "--move").status == 0)
  }

  @Test("is reported to refuse an invalid name")
  func name() throws {
    let disk = try disk()
    let names = ["a:b", "what?", "a\"b"]
    for name in names {
      try StagedTake(name).write(to: source.url.path)
      let before = try source.names
      let run = try export("\(name).take.json", to: disk, "--move")
      #expect(run.status == 73 && run.errors.contains("FAT or exFAT, allows none of"), "\(run.errors)")
      #expect(try source.names == before)
      #expect(try disk.names.isEmpty)
    }
    // Nor for a recording.
    let record = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--frames", "2", "--no-clip", "--no-thumbnail", "-o",
      disk.path("\(names[0]).mp4"))
    #expect(record.status == 73 && record.errors.contains("FAT or exFAT, allows none of"), "\(record.errors)")
    #expect(try disk.names.isEmpty)
  }

  @Test("is reported to refuse a file of 4 GiB, before the copy")
  func size() throws {
    let disk = try disk()
    try StagedTake("a").write(to: source.url.path)
    // Sparse: it needs no space, and would not fit.
    #expect(truncate(source.path("a.master.mov"), 1 << 32) == 0)
    let before = try source.names
    let run = try export("a.take.json", to: disk, "--move")
    #expect(run.status == 73 && run.errors.contains("cannot hold a file of 4 GiB"), "\(run.errors)")
    #expect(try source.names == before)
    #expect(try disk.names == ["a.mp4"])
  }

  @Test("is reported as full, the original is kept, and the rest is copied once there is room")
  func full() throws {
    let disk = try disk(40 << 20)
    let filler = Data(count: 1 << 20)
    var count = 0
    while (try? filler.write(to: URL(filePath: disk.path("filler-\(count)")))) != nil { count += 1 }
    #expect(count > 30)
    for number in 0..<2 { try FileManager.default.removeItem(atPath: disk.path("filler-\(number)")) }
    var take = StagedTake("a")
    take.master = 4 << 20
    try take.write(to: source.url.path)
    let before = try source.names
    let run = try export("a.take.json", to: disk, "--move")
    #expect(run.status == 74 && run.errors.contains("The disk is full"), "\(run.errors)")
    #expect(try source.names == before)
    #expect(try disk.names.filter { !$0.hasPrefix("filler") } == ["a.mp4"])
    for number in 2..<8 { try FileManager.default.removeItem(atPath: disk.path("filler-\(number)")) }
    let rest = try export("a.take.json", to: disk, "--move")
    #expect(rest.status == 0, "\(rest.errors)")
    #expect(try source.names.isEmpty)
    #expect(try disk.names.filter { !$0.hasPrefix("filler") } == before)
  }

  @Test("loses no take if the recording is killed while its files are named")
  func killed() throws {
    let disk = try disk()
    try KilledAtItsName(
      in: disk.path(""), injecting: ["renameat2:signal=KILL:when=2"]
    ).checkIsRecovered()
    #expect(try !disk.names.contains { $0.hasSuffix(".journal") })
  }
}
