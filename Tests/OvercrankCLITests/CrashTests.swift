import FilmJudge
import Foundation
import Media
import Platform
import SystemPackage
import Takes
import Testing

/// A recording that is killed at a moment that a seed chose.
private final class KilledRecording: @unchecked Sendable {
  /// How often one looks at it, in nanoseconds.
  static let interval: Int64 = 10_000_000

  let folder: TemporaryFolder
  let format: String
  /// How many frames the progress on the terminal told, each time it was drawn.
  private(set) var told: [Int] = []
  /// When it was killed, in nanoseconds of `CLOCK_MONOTONIC`, which is also the clock of its frames.
  private(set) var end: Int64?
  /// How long the machine kept it from going on.
  private(set) var imposed: ImposedWait
  private let terminal: Terminal
  private let process = Process()
  private var text = ""

  init(_ camera: String, format: String) throws {
    self.format = format
    (folder, terminal) = (try TemporaryFolder(), try Terminal())
    process.executableURL = OvercrankProgram.url
    process.arguments = ["record", camera, "--format", format, "--no-clip", "-o", folder.path("x.mp4")]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = terminal.program
    try process.run()
    // The thread that has the disk keep what a kill does not endanger.
    imposed = ImposedWait(
      of: process.processIdentifier, interval: Self.interval, unexcused: ["overcrank-sync"])
  }

  /// Looks at what it does and tells.
  func look() {
    imposed.look(at: MonotonicClock.now.nanoseconds)
    listen()
  }

  var isRunning: Bool { process.isRunning }

  func killNow() {
    look()
    end = MonotonicClock.now.nanoseconds
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    listen()
  }

  private func listen() {
    text += terminal.read()
    told = text.split(separator: "\r").compactMap { line in
      guard let end = line.range(of: " frames") else { return nil }
      return Int(line[..<end.lowerBound].split(separator: " ").last ?? "")
    }
  }

  /// The frames that it must have kept, whatever the machine did.
  ///
  /// What was told had left the ring. The next telling, about 100 ms later, waits until the journal has that.
  var promised: Int { told.dropLast().last ?? 0 }

  var wasKilled: Bool { process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL }
}

@Suite("A recording that is cut off")
struct CrashTests {
  /// A small picture, so that many films can be made at once.
  private static let table = """
    {"card": "Small", "modes": [
      {"fourcc": "MJPG", "width": 320, "height": 240, "intervals": [[1, 60]]},
      {"fourcc": "YUYV", "width": 320, "height": 240, "intervals": [[1, 60]]},
      {"fourcc": "GREY", "width": 320, "height": 240, "intervals": [[1, 60]]}]}
    """

  /// What became of a recording that was killed.
  private struct Remains {
    var frameCount: Int
    /// How long before the kill the first frame was captured that is missing, in nanoseconds.
    var age: Int64
  }

  /// What a kill may cost, in nanoseconds.
  private static let promise: Int64 = 250_000_000

  @Test("100 kills at random moments: every frame older than 250 ms is there, in a file that others open")
  func kills() throws {
    let tables = try TemporaryFolder()
    try Data(Self.table.utf8).write(to: tables.url.appending(path: "small.json"))
    var chance = SplitMix(state: 9)
    let remains = Collected<Remains>()
    for _ in 0..<10 {
      let recordings = try (0..<10).map { index in
        try KilledRecording(
          "sim:\(tables.path("small.json"))", format: ["MJPG", "YUYV", "GREY"][index % 3])
      }
      try killAll(recordings, using: &chance)
      DispatchQueue.concurrentPerform(iterations: recordings.count) { index in
        // The program takes most of its time to start, in a debug build; every fourth shows that it does the same.
        do { remains.append(try judge(recordings[index], byProgram: index % 4 == 0)) } catch {
          Issue.record("\(error)")
        }
      }
    }
    let all = remains.all
    #expect(all.count == 100)
    // The kills came in the midst of filming.
    #expect(all.reduce(0) { $0 + $1.frameCount } > 1000)
    let ages = all.map { $0.age / 1_000_000 }.sorted()
    let inTime = all.count { $0.age <= Self.promise }
    print("100 kills cost \(ages[50]) ms in the median, \(ages[99]) ms at most; \(inTime) at most 250 ms.")
    #expect(inTime >= 50, "the machine is too busy to show anything: \(ages)")
  }

  /// Kills each at a moment of its own, within half a second after all have been filming for a while.
  private func killAll(_ recordings: [KilledRecording], using chance: inout SplitMix) throws {
    func watch(while isGoingOn: () throws -> Bool) rethrows {
      while try isGoingOn() {
        for recording in recordings where recording.end == nil { recording.look() }
        usleep(UInt32(KilledRecording.interval / 1000))
      }
    }
    try watch {
      for recording in recordings { try #require(recording.isRunning) }
      return recordings.contains { $0.told.count < 3 }
    }
    let start = MonotonicClock.now.nanoseconds
    let delays = recordings.map { _ in Int64.random(in: 0..<500_000_000, using: &chance) }
    watch {
      for (recording, delay) in zip(recordings, delays)
      where recording.end == nil && MonotonicClock.now.nanoseconds - start >= delay {
        recording.killNow()
      }
      return recordings.contains { $0.end == nil }
    }
  }

  /// Recovers what was left of `recording` and holds it against what was promised.
  private func judge(_ recording: KilledRecording, byProgram: Bool) throws -> Remains {
    let (folder, told) = (recording.folder, recording.told)
    #expect(recording.wasKilled)
    if let failure = try failure(toRecover: folder.path("x.mp4"), byProgram: byProgram) {
      Issue.record("\(failure) \(told)")
    }
    let suffix = recording.format == "GREY" ? "nut" : "mov"
    #expect(try folder.names == ["x.master.\(suffix)", "x.take.json"])
    let take = try #require(try Take.read(from: FilePath(folder.path("x.take.json"))))
    #expect(take.isRecovered)
    #expect(take.mode.fourcc == recording.format)
    #expect(take.frames.written >= recording.promised, "\(take.frames) of \(told)")
    #expect(take.frames.sent == take.frames.written + take.frames.lost.total)
    let lost = Set(take.losses.flatMap { Array($0.sequence..<$0.sequence + $0.count) })
    let first = min(take.sequences.first ?? 0, lost.min() ?? .max)
    #expect(Set(take.sequences).union(lost) == Set(first..<first + take.frames.sent))
    #expect(zip(take.timestamps, take.timestamps.dropFirst()).allSatisfy { $0 < $1 })
    let film = try StripFilm(folder.path("x.master.\(suffix)"), width: 320)
    // Frames that came behind the journal's last entry have estimated numbers: none is missing between.
    let estimated = Set((take.estimated ?? []).flatMap { Array($0.sequence..<$0.sequence + $0.count) })
    #expect(film.numbers.count == take.sequences.count)
    for (shown, told) in zip(film.numbers, take.sequences) {
      #expect(shown.map { estimated.contains(told) ? $0 >= told : $0 == told } == true)
    }
    #expect(film.complaints.isEmpty)

    // The sensor exposes at 60 fps, whatever becomes of its frames.
    #expect(take.clock == .monotonic)
    let (number, time) = (try #require(take.sequences.first), try #require(take.timestamps.first))
    let missing = time.nanoseconds + (first + take.frames.sent - number) * 1_000_000_000 / 60
    let end = try #require(recording.end)
    let imposed = recording.imposed.duration(from: missing, to: end)
    #expect(
      end - missing <= Self.promise + imposed,
      "a frame \((end - missing) / 1_000_000) ms old is missing; the machine took \(imposed / 1_000_000) ms")
    return Remains(frameCount: film.numbers.count, age: end - missing)
  }

  /// Recovers the recording that `clip` names; why it cannot be, if it has nothing to recover.
  private func failure(toRecover clip: String, byProgram: Bool) throws -> String? {
    if byProgram {
      let run = try OvercrankProgram("recover", clip)
      #expect(run.status == 0 || run.status == 65)
      return run.status == 0 ? nil : run.errors
    }
    do {
      _ = try CutOffMaster(#require(CutOffMaster.path(for: FilePath(clip)))).recover(replacing: false)
      return nil
    } catch let error as MediaError where error.code == .badData {
      return error.description
    }
  }

  @Test("whose journal is lost: every JPEG is found by itself, with nominal times and no take")
  func lostJournal() throws {
    let (tables, folder) = (try TemporaryFolder(), try TemporaryFolder())
    try Data(Self.table.utf8).write(to: tables.url.appending(path: "small.json"))
    let part = folder.path("x.master.mov.part")
    _ = try OvercrankProgram(
      [
        "record", "sim:\(tables.path("small.json"))", "--format", "mjpeg", "--duration", "1h", "--no-clip",
        "-o",
        folder.path("x.mp4"),
      ],
      whileRunning: { process in
        while process.isRunning, (try? Data(contentsOf: URL(filePath: part)).count) ?? 0 < 1 << 18 {
          usleep(20_000)
        }
        kill(process.processIdentifier, SIGKILL)
      })
    // With its journal it tells what there was.
    let copy = try TemporaryFolder()
    for name in try folder.names {
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: copy.path(name))
    }
    #expect(try OvercrankProgram("recover", copy.path("x.mp4")).status == 0)
    let before = try StripFilm(copy.path("x.master.mov")).numbers

    try FileManager.default.removeItem(atPath: part + ".journal")
    let unknown = try OvercrankProgram("recover", folder.path("x.mp4"))
    #expect(unknown.status == 65)
    #expect(unknown.errors.contains("--fps RATE"))
    let run = try OvercrankProgram("recover", folder.path("x.mp4"), "--fps", "60")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("their times are nominal, 60 fps"))
    #expect(try folder.names == ["x.master.mov"])
    let film = try StripFilm(folder.path("x.master.mov"))
    // Perhaps some more, which had reached the disk before the journal told of them.
    #expect(before.count > 5 && film.numbers.starts(with: before))
    #expect(!film.numbers.contains(nil) && film.complaints.isEmpty)
    let probe = try Probe(folder.path("x.master.mov"))
    #expect(
      probe.packets.map(\.pts) == film.numbers.indices.map { (Int64($0) * 1_000_000_000 + 30) / 60 / 1000 })
    #expect(probe.format.tags?["comment"]?.contains("nominal times") == true)
  }

  @Test("what is whole is left as it is, by whichever name")
  func whole() throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", "sim:", "--frames", "5", "--no-clip", "-o", folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    let before = try Data(contentsOf: URL(filePath: folder.path("x.master.mov")))
    for name in ["x.mp4", "x.take.json", "x.master.mov"] {
      let recovery = try OvercrankProgram("recover", folder.path(name))
      #expect(recovery.status == 0)
      #expect(recovery.output == "\(folder.path("x.master.mov")): is whole; there is nothing to recover.\n")
    }
    #expect(try Data(contentsOf: URL(filePath: folder.path("x.master.mov"))) == before)
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
  }
}
