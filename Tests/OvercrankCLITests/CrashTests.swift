import Capture
import FilmJudge
import Foundation
import Media
import Testing

/// Recordings that are killed at a moment that a seed chooses.
private final class KilledRecording: @unchecked Sendable {
  let folder: TemporaryFolder
  let format: String
  /// How many frames the progress on the terminal told, each time it was drawn.
  private(set) var told: [Int] = []
  private let terminal: Terminal
  private let process = Process()
  private let delay: Int64
  private var deadline: Int64?
  private var text = ""

  /// Starts a recording to be killed `delay` nanoseconds after its first sign of life.
  init(_ camera: String, format: String, delay: Int64) throws {
    self.format = format
    self.delay = delay
    (folder, terminal) = (try TemporaryFolder(), try Terminal())
    process.executableURL = OvercrankProgram.url
    process.arguments = ["record", camera, "--format", format, "--no-clip", "-o", folder.path("x.mp4")]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = terminal.program
    try process.run()
  }

  /// Looks at what it tells, and kills it once it is time; `false` once it is dead.
  func watch(at now: Int64) -> Bool {
    listen()
    if !told.isEmpty, deadline == nil { deadline = now + delay }
    guard process.isRunning else { return false }
    guard let deadline, now >= deadline else { return true }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    listen()
    return false
  }

  private func listen() {
    text += terminal.read()
    told = text.split(separator: "\r").compactMap { line in
      guard let end = line.range(of: " frames") else { return nil }
      return Int(line[..<end.lowerBound].split(separator: " ").last ?? "")
    }
  }

  /// The frames that the recording promised to keep.
  ///
  /// What was told had left the ring. The next telling, about 100 ms later, waits until the journal has that. So this is
  /// sound however the machine schedules the two, and as two tellings take 200 ms, it is all that had left the ring 250 ms
  /// before the kill, unless the machine kept the recording from running meanwhile.
  var promised: Int { told.dropLast().last ?? 0 }

  var wasKilled: Bool { process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL }
}

@Suite("A recording that is cut off")
struct CrashTests {
  private static func now() -> Int64 { Int64(DispatchTime.now().uptimeNanoseconds) }

  /// A small picture, so that many films can be made at once.
  private static let table = """
    {"card": "Small", "modes": [
      {"fourcc": "MJPG", "width": 320, "height": 240, "intervals": [[1, 60]]},
      {"fourcc": "YUYV", "width": 320, "height": 240, "intervals": [[1, 60]]},
      {"fourcc": "GREY", "width": 320, "height": 240, "intervals": [[1, 60]]}]}
    """

  @Test("100 kills at random moments: every frame that was promised is there, in a file that others open")
  func kills() throws {
    let folder = try TemporaryFolder()
    try Data(Self.table.utf8).write(to: folder.url.appending(path: "small.json"))
    var chance = SplitMix(state: 9)
    var kept = 0
    for _ in 0..<5 {
      let recordings = try (0..<20).map { index in
        try KilledRecording(
          "sim:\(folder.path("small.json"))", format: ["MJPG", "YUYV", "GREY"][index % 3],
          delay: Int64.random(in: 0..<500_000_000, using: &chance))
      }
      var living = recordings
      while !living.isEmpty {
        living.removeAll { !$0.watch(at: Self.now()) }
        usleep(5000)
      }
      let found = Collected<Int>()
      DispatchQueue.concurrentPerform(iterations: recordings.count) { index in
        // The program takes most of its time to start, in a debug build; every fourth shows that it does the same.
        do { found.append(try judge(recordings[index], byProgram: index % 4 == 0)) } catch {
          Issue.record("\(error)")
        }
      }
      kept += found.all.reduce(0, +)
    }
    // The kills came in the midst of filming.
    #expect(kept > 100)
  }

  /// Recovers what was left of `recording`, holds it against what was promised, and counts its frames.
  private func judge(_ recording: KilledRecording, byProgram: Bool) throws -> Int {
    let (folder, told) = (recording.folder, recording.told)
    #expect(recording.wasKilled)
    if let failure = try failure(toRecover: folder.path("x.mp4"), byProgram: byProgram) {
      // Nothing had come yet.
      #expect(failure.contains("not one whole frame"), "\(failure)")
      #expect(recording.promised == 0, "\(told)")
      return 0
    }
    let suffix = recording.format == "GREY" ? "nut" : "mov"
    #expect(try folder.names == ["x.master.\(suffix)", "x.take.json"])
    let take = try #require(try Take.read(from: folder.path("x.take.json")))
    #expect(take.isRecovered)
    #expect(take.mode.fourcc == recording.format)
    #expect(take.frames.written >= recording.promised, "\(take.frames) of \(told)")
    #expect(take.frames.sent == take.frames.written + take.frames.lost.total)
    let lost = Set(take.losses.flatMap { Array($0.sequence..<$0.sequence + $0.count) })
    let first = min(take.sequences.first ?? 0, lost.min() ?? .max)
    #expect(Set(take.sequences).union(lost) == Set(first..<first + take.frames.sent))
    #expect(zip(take.timestamps, take.timestamps.dropFirst()).allSatisfy { $0 < $1 })
    let film = try StripFilm(folder.path("x.master.\(suffix)"), width: 320)
    #expect(film.numbers == take.sequences.map { UInt32($0) })
    #expect(film.complaints.isEmpty)
    return film.numbers.count
  }

  /// Recovers the recording that `clip` names; why it cannot be, if it has nothing to recover.
  private func failure(toRecover clip: String, byProgram: Bool) throws -> String? {
    if byProgram {
      let run = try OvercrankProgram("recover", clip)
      #expect(run.status == 0 || run.status == 65)
      return run.status == 0 ? nil : run.errors
    }
    do {
      _ = try CutOffMaster(#require(CutOffMaster.path(for: clip))).recover(replacing: false)
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
