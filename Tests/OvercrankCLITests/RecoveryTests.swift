import FrameJudge
import Foundation
import SystemPackage
import Takes
import Testing

@Suite("A recording is recovered", .tags(.program), .timeLimit(.minutes(1)))
struct RecoveryTests {
  /// A recording that was killed once its journal had 40 entries; each test has a copy of it. In real time
  /// the journal has all but the newest frames.
  private static let cutOff = Result { () throws -> TemporaryFolder in
    let folder = try TemporaryFolder()
    _ = try OvercrankProgram(
      [
        "record", SmallCamera.inRealTime(), "--duration", "1h", "--no-clip", "-o",
        folder.path("x.mp4"),
      ],
      whileRunning: { process in
        WatchedJournal(path: folder.path("x.master.mov.part.journal")).wait(for: 40, of: process)
        kill(process.processIdentifier, SIGKILL)
      })
    return folder
  }

  /// The result of an undisturbed recovery.
  private static let whole = Result { () throws -> TemporaryFolder in
    let folder = try copy(of: cutOff.get())
    let run = try OvercrankProgram("recover", folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    return folder
  }

  private static func copy(of folder: TemporaryFolder) throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    for name in try folder.names {
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: copy.path(name))
    }
    return copy
  }

  @Test("with those of the other cameras, by the name that they share or by their folder")
  func several() throws {
    let cutOff = try Self.cutOff.get()
    for (name, isArray) in [("y.mp4", true), ("", true), ("y-A.mp4", false)] {
      let folder = try TemporaryFolder()
      for part in parts {
        for camera in ["A", "B"] {
          try FileManager.default.copyItem(
            atPath: cutOff.path(part), toPath: folder.path("y-\(camera)" + part.dropFirst()))
        }
      }
      let run = try OvercrankProgram("recover", folder.path(name), "--json")
      #expect(run.status == 0, "\(run.errors)")
      let names = (isArray ? ["A", "B"] : ["A"]).map { folder.path("y-\($0).take.json") }
      let told = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      let reports = told as? [[String: Any]] ?? [told as? [String: Any] ?? [:]]
      #expect((told is [Any]) == isArray)
      #expect(reports.compactMap { $0["take"] as? String } == names, "\(run.output)")
      for take in names { #expect(FileManager.default.fileExists(atPath: take)) }
      // Once all are recovered, their group file can be written.
      #expect(run.errors.contains("takes align") == isArray, "\(run.errors)")
    }
  }

  private let parts = ["x.master.mov.part", "x.master.mov.part.journal"]
  private let results = ["x.master.mov", "x.take.json"]

  private func isSame(_ name: String, in one: TemporaryFolder, _ other: TemporaryFolder) throws -> Bool {
    try Data(contentsOf: URL(filePath: one.path(name))) == Data(contentsOf: URL(filePath: other.path(name)))
  }

  /// Runs `recover` under strace, which injects a fault at one of its calls.
  private func recover(
    in folder: TemporaryFolder, injecting fault: String, whileRunning: (Process) -> Void = { _ in }
  ) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let call = fault.prefix { $0 != ":" }
    process.arguments = [
      "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
      "inject=\(fault)",
      OvercrankProgram.url.path, "recover", folder.path("x.mp4"),
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    whileRunning(process)
    process.waitUntilExit()
    return process.terminationStatus
  }

  @Test(
    "after a kill at any step, with nothing lost, and after a kill of the recovery itself",
    arguments: [
      "pwrite64:1", "pwrite64:20", "renameat2:1", "fsync:2", "renameat2:2", "fsync:4", "unlink:1", "unlink:2",
    ])
  func killed(step: String) throws {
    let (folder, whole) = (try Self.copy(of: Self.cutOff.get()), try Self.whole.get())
    let (call, number) = (step.prefix { $0 != ":" }, step.drop { $0 != ":" }.dropFirst())
    _ = try recover(in: folder, injecting: "\(call):signal=KILL:when=\(number)")
    let names = try folder.names
    for name in parts where names.contains(name) {
      #expect(try isSame(name, in: folder, Self.cutOff.get()))
    }
    for name in results where names.contains(name) { #expect(try isSame(name, in: folder, whole)) }
    // The part is removed when the other files exist, and the journal last.
    #expect(names.contains(parts[0]) || Set(results).isSubset(of: names), "\(names)")
    #expect(names.contains(parts[1]) || !names.contains(parts[0]), "\(names)")
    let again = try OvercrankProgram("recover", folder.path("x.mp4"))
    #expect(again.status == 0, "\(again.errors)")
    #expect(try folder.names == results)
    for name in results { #expect(try isSame(name, in: folder, whole)) }
  }

  @Test("after a kill that left only the journal, which is then removed")
  func killedLast() throws {
    let folder = try Self.copy(of: Self.whole.get())
    let journal = try Data(contentsOf: URL(filePath: Self.cutOff.get().path(parts[1])))
    // A crash of the machine can leave many frames after a journal's end.
    try journal.dropLast(journal.count / 8).write(to: folder.url.appending(path: parts[1]))
    let run = try OvercrankProgram("recover", folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.names == results)
    for name in results { #expect(try isSame(name, in: folder, Self.whole.get())) }
  }

  @Test(
    "unless a signal stops the recovery: then only the earlier files stay",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func stopped(signal: Int32) throws {
    let folder = try Self.copy(of: Self.cutOff.get())
    // Each frame takes half a second, so the program receives the signal long before the last.
    let status = try recover(in: folder, injecting: "pwrite64:delay_enter=500000:when=8+") { process in
      let pid = process.processIdentifier
      while process.isRunning, (try? folder.names.contains("x.master.mov.recovering")) != true {
        usleep(2000)
      }
      let child = try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
      guard let program = child?.split(separator: " ").first.flatMap({ pid_t($0) }) else { return }
      kill(program, signal)
    }
    #expect(status == 130)
    #expect(try folder.names == parts)
    for name in parts { #expect(try isSame(name, in: folder, Self.cutOff.get())) }
  }

  @Test("and the command that renders its clip is printed")
  func clipCommand() throws {
    let folder = try Self.copy(of: Self.cutOff.get())
    let run = try OvercrankProgram("recover", folder.path("x.mp4"))
    let command = "overcrank retime \(folder.path("x.master.mov")) -o \(folder.path("x.mp4"))"
    #expect(run.errors.contains("Make the clip with\n  \(command)\n"), "\(run.errors)")
    let words = command.split(separator: " ").dropFirst().map(String.init) + ["--preset", "ultrafast"]
    #expect(try OvercrankProgram(words).status == 0)
    #expect(try folder.names == ["x.master.mov", "x.mp4", "x.take.json"])
  }

  @Test(
    "after a kill during the clip: the master is complete, and the command that renders the clip is printed")
  func clipPart() throws {
    let folder = try Self.copy(of: Self.whole.get())
    try folder.leavePart("x.mp4.part")
    for name in ["x.mp4", "x.master.mov", "x.take.json", "x.mp4.part"] {
      let run = try OvercrankProgram("recover", folder.path(name))
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output == "\(folder.path("x.master.mov")): is complete; there is nothing to recover.\n")
      let command = "overcrank retime \(folder.path("x.master.mov")) --force -o \(folder.path("x.mp4"))"
      #expect(
        run.errors.hasSuffix("Make it again, with the clip options that you gave:\n  \(command)\n"),
        "\(run.errors)")
    }
    let run = try OvercrankProgram(
      "retime", folder.path("x.master.mov"), "--force", "-o", folder.path("x.mp4"), "--preset", "ultrafast")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.names == ["x.master.mov", "x.mp4", "x.take.json"])
  }

  @Test(
    "unless a folder has the name of one of its files: it is reported, and nothing changes",
    arguments: ["x.take.json", "x.master.mov"])
  func folderInTheWay(name: String) throws {
    let folder = try Self.copy(of: Self.cutOff.get())
    try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
    for force in [[], ["--force"]] {
      let run = try OvercrankProgram(["recover", folder.path("x.mp4")] + force)
      #expect(run.status == 73)
      #expect(run.errors.contains("\(folder.path(name)): is not a regular file"), "\(run.errors)")
      #expect(try folder.names == ([name] + parts).sorted())
    }
  }

  @Test("even if a folder or an earlier take has the take's name: such a master is not called complete")
  func noTakeOfItsOwn() throws {
    let folder = try Self.copy(of: Self.whole.get())
    // As a kill between the master and its take leaves it, with all frames in the journal.
    let source = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--frames", "5", "--no-clip", "-o", folder.path("other.mp4"))
    #expect(source.status == 0)
    let master = folder.path("x.master.mov")
    let take = try #require(try Take.read(from: FilePath(folder.path("x.take.json"))))
    #expect((take.estimated ?? []).isEmpty || take.frames.written > 0)
    try FileManager.default.removeItem(atPath: folder.path("x.take.json"))
    try FileManager.default.copyItem(
      atPath: Self.cutOff.get().path("x.master.mov.part.journal"), toPath: master + ".part.journal")
    guard (take.estimated ?? []).isEmpty else { return }
    try FileManager.default.createDirectory(
      atPath: folder.path("x.take.json"), withIntermediateDirectories: false)
    let first = try OvercrankProgram("recover", folder.path("x.mp4"))
    #expect(first.status == 73)
    #expect(first.errors.contains("x.take.json: is not a regular file"))
    try FileManager.default.removeItem(atPath: folder.path("x.take.json"))
    try FileManager.default.copyItem(
      atPath: folder.path("other.take.json"), toPath: folder.path("x.take.json"))
    let retime = try OvercrankProgram("retime", master, "--speed", "1/8", "-o", folder.path("y.mp4"))
    #expect(retime.status == 65)
    #expect(retime.errors.contains("belongs to an earlier recording"))
    #expect(try OvercrankProgram("recover", folder.path("x.mp4")).status == 0)
    #expect(try Take.read(from: FilePath(folder.path("x.take.json")))?.sequences == take.sequences)
    #expect(!FileManager.default.fileExists(atPath: master + ".part.journal"))
  }

  @Test("unless its journal has no part or master, or belongs to another recording: both are reported")
  func wrongCompany() throws {
    let folder = try Self.copy(of: Self.cutOff.get())
    let part = folder.path("x.master.mov.part")
    let bytes = try Data(contentsOf: URL(filePath: part))
    try Data(repeating: 7, count: bytes.count).write(to: URL(filePath: part))
    let other = try OvercrankProgram("recover", folder.path("x.mp4"))
    #expect(other.status == 65)
    #expect(other.errors.contains("Perhaps the two do not belong together"), "\(other.errors)")
    #expect(!other.errors.contains("Remove"))
    #expect(try folder.names == parts)
    try FileManager.default.removeItem(atPath: part)
    for name in ["x.mp4", "x.master.mov", "x.master.mov.part.journal"] {
      let run = try OvercrankProgram("recover", folder.path(name))
      #expect(run.status == 66)
      #expect(run.errors.contains("neither its part file nor its master"), "\(run.errors)")
    }
  }

  @Test("without a readable journal, by the option that the message names")
  func rubbishJournal() throws {
    let folder = try Self.copy(of: Self.cutOff.get())
    try Data("rubbish".utf8).write(to: folder.url.appending(path: parts[1]))
    let refused = try OvercrankProgram("recover", folder.path("x.mp4"))
    #expect(refused.status == 65 && refused.errors.contains("--fps RATE"), "\(refused.errors)")
    #expect(try folder.names == parts)
    let run = try OvercrankProgram("recover", folder.path("x.mp4"), "--fps", "240")
    #expect(run.status == 0, "\(run.errors)")
    let numbers = try StripVideo(folder.path("x.master.mov")).numbers
    #expect(numbers.count >= 40 && numbers.first == 0)
  }

  @Test("unless another recording's take has its name: it is reported before anything is written")
  func foreignTake() throws {
    let folder = try Self.copy(of: Self.cutOff.get())
    let source = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--frames", "5", "--no-clip", "-o", folder.path("other.mp4"))
    #expect(source.status == 0)
    let foreign = folder.path("x.take.json")
    try FileManager.default.moveItem(atPath: folder.path("other.take.json"), toPath: foreign)
    let before = try Data(contentsOf: URL(filePath: foreign))
    let names = try folder.names
    // The first write would kill it.
    let status = try recover(in: folder, injecting: "pwrite64:signal=KILL:when=1+")
    #expect(status == 73)
    #expect(try folder.names == names)
    #expect(try Data(contentsOf: URL(filePath: foreign)) == before)
    #expect(try OvercrankProgram("recover", folder.path("x.mp4"), "--force").status == 0)
  }

  @Test(
    "and a part that holds more is left: it is told of with the take, and removed with it or alone",
    arguments: [true, false])
  func leftPart(isWhole: Bool) throws {
    let folder = try Self.copy(of: Self.cutOff.get())
    let file = try FileHandle(forWritingTo: folder.url.appending(path: parts[0]))
    // A frame that no longer matches its entry in the journal.
    try file.seek(toOffset: 20_000)
    try file.write(contentsOf: Data(repeating: 7, count: 64))
    try file.close()
    let all = (results + parts).sorted()
    for isSecond in [false, true] {
      let run = try OvercrankProgram("recover", folder.url.path)
      #expect(run.status == 0 && run.output.contains("was recovered already") == isSecond, "\(run.output)")
      #expect(run.errors.contains("takes remove") && run.errors.contains("bytes of it are"), "\(run.errors)")
      #expect(try folder.names == all)
    }
    let verified = try OvercrankProgram("takes", "verify", folder.path("x.take.json"))
    #expect(verified.status == 0 && verified.errors.contains(parts[0]), "\(verified.errors)")
    let removed = try OvercrankProgram(
      "takes", "remove", "--force", folder.path(isWhole ? "x.take.json" : parts[0]))
    #expect(removed.status == 0 && removed.output.contains(parts[0] + ": deleted"), "\(removed.errors)")
    #expect(try folder.names == (isWhole ? [] : results))
  }

  @Test("but an existing older master is kept unless it may be replaced")
  func older() throws {
    let folder = try Self.copy(of: Self.cutOff.get())
    try Data("newer".utf8).write(to: folder.url.appending(path: "x.master.mov"))
    let run = try OvercrankProgram("recover", folder.path("x.mp4"))
    #expect(run.status == 73)
    #expect(run.errors.contains("already exists"))
    #expect(try folder.names == ["x.master.mov"] + parts)
    #expect(try OvercrankProgram("recover", folder.path("x.mp4"), "--force").status == 0)
    #expect(try isSame("x.master.mov", in: folder, Self.whole.get()))
  }
}
