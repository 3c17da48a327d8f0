import FilmJudge
import Foundation
import SystemPackage
import Takes
import Testing

@Suite("A recording is recovered", .tags(.program), .timeLimit(.minutes(1)))
struct RecoveryTests {
  /// A recording that was killed once its journal had 40 entries; each test has a copy of it. In real time the journal
  /// tells of all but the newest frames.
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

  /// What a recovery that nobody disturbs makes of it.
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

  private let parts = ["x.master.mov.part", "x.master.mov.part.journal"]
  private let results = ["x.master.mov", "x.take.json"]

  private func isSame(_ name: String, in one: TemporaryFolder, _ other: TemporaryFolder) throws -> Bool {
    try Data(contentsOf: URL(filePath: one.path(name))) == Data(contentsOf: URL(filePath: other.path(name)))
  }

  /// Runs `recover` under strace, which does something to it at one of its calls.
  private func recover(
    in folder: TemporaryFolder, injecting fault: String, whileRunning: (Process) -> Void = { _ in }
  ) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let call = fault.prefix { $0 != ":" }
    process.arguments = [
      "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(fault)",
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
    "killed at any step, it leaves all there was, and is begun again",
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
    // The part goes when the others are there, and the journal last.
    #expect(names.contains(parts[0]) || Set(results).isSubset(of: names), "\(names)")
    #expect(names.contains(parts[1]) || !names.contains(parts[0]), "\(names)")
    let again = try OvercrankProgram("recover", folder.path("x.mp4"))
    #expect(again.status == 0, "\(again.errors)")
    #expect(try folder.names == results)
    for name in results { #expect(try isSame(name, in: folder, whole)) }
  }

  @Test("killed when only the journal was left to go, it is begun again, and the journal goes")
  func killedLast() throws {
    let folder = try Self.copy(of: Self.whole.get())
    let journal = try Data(contentsOf: URL(filePath: Self.cutOff.get().path(parts[1])))
    // A crash of the machine can leave many frames behind a journal's end.
    try journal.dropLast(journal.count / 8).write(to: folder.url.appending(path: parts[1]))
    let run = try OvercrankProgram("recover", folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.names == results)
    for name in results { #expect(try isSame(name, in: folder, Self.whole.get())) }
  }

  @Test("a signal stops it, and nothing but what was there stays", arguments: [SIGINT, SIGTERM, SIGHUP])
  func stopped(signal: Int32) throws {
    let folder = try Self.copy(of: Self.cutOff.get())
    // Each frame takes half a second, so that the program hears the signal long before the last.
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

  @Test("and the command is told that makes its clip")
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
    "a kill while the clip was made: the master is whole, and the command is told that makes the clip again")
  func clipPart() throws {
    let folder = try Self.copy(of: Self.whole.get())
    try Data("half a clip".utf8).write(to: folder.url.appending(path: "x.mp4.part"))
    for name in ["x.mp4", "x.master.mov", "x.take.json", "x.mp4.part"] {
      let run = try OvercrankProgram("recover", folder.path(name))
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output == "\(folder.path("x.master.mov")): is whole; there is nothing to recover.\n")
      let command = "overcrank retime \(folder.path("x.master.mov")) --force -o \(folder.path("x.mp4"))"
      #expect(
        run.errors.hasSuffix("Make it again, with the clip's options that you gave:\n  \(command)\n"),
        "\(run.errors)")
    }
    let run = try OvercrankProgram(
      "retime", folder.path("x.master.mov"), "--force", "-o", folder.path("x.mp4"), "--preset", "ultrafast")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.names == ["x.master.mov", "x.mp4", "x.take.json"])
  }

  @Test(
    "a folder in the place of a file is named, and nothing changes",
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

  @Test("a master whose take has a folder's name, or is of an earlier recording, is not called whole")
  func noTakeOfItsOwn() throws {
    let folder = try Self.copy(of: Self.whole.get())
    // As a kill between the master and its take leaves it, where all frames were in the journal.
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
    #expect(retime.errors.contains("is of an earlier recording"))
    #expect(try OvercrankProgram("recover", folder.path("x.mp4")).status == 0)
    #expect(try Take.read(from: FilePath(folder.path("x.take.json")))?.sequences == take.sequences)
    #expect(!FileManager.default.fileExists(atPath: master + ".part.journal"))
  }

  @Test("a journal without its part and master says so, and one of another recording is not believed")
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
      #expect(run.errors.contains("neither its part nor its master"), "\(run.errors)")
    }
  }

  @Test(
    "a journal that cannot be read is told with the option that does without, and that recovers the frames")
  func rubbishJournal() throws {
    let folder = try Self.copy(of: Self.cutOff.get())
    try Data("rubbish".utf8).write(to: folder.url.appending(path: parts[1]))
    let refused = try OvercrankProgram("recover", folder.path("x.mp4"))
    #expect(refused.status == 65 && refused.errors.contains("--fps RATE"), "\(refused.errors)")
    #expect(try folder.names == parts)
    let run = try OvercrankProgram("recover", folder.path("x.mp4"), "--fps", "240")
    #expect(run.status == 0, "\(run.errors)")
    let numbers = try StripFilm(folder.path("x.master.mov")).numbers
    #expect(numbers.count >= 40 && numbers.first == 0)
  }

  @Test("a take of another recording in the way is told before anything is written")
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

  @Test("an older master in the way stays unless it may be replaced")
  func older() throws {
    let folder = try Self.copy(of: Self.cutOff.get())
    try Data("newer".utf8).write(to: folder.url.appending(path: "x.master.mov"))
    let run = try OvercrankProgram("recover", folder.path("x.mp4"))
    #expect(run.status == 73)
    #expect(run.errors.contains("exists already"))
    #expect(try folder.names == ["x.master.mov"] + parts)
    #expect(try OvercrankProgram("recover", folder.path("x.mp4"), "--force").status == 0)
    #expect(try isSame("x.master.mov", in: folder, Self.whole.get()))
  }
}
