import FrameJudge
import Foundation
import Media
import Overcrank
import Platform
import Retime
import SystemPackage
import Takes
import Testing

/// A recording that is killed once its journal has a given number of frames.
private final class KilledRecording {
  let folder: TemporaryFolder
  let format: String
  /// The least number of entries in the journal when it is killed.
  let aim: Int
  /// The least number of entries in the journal when it was killed; `nil` before.
  private(set) var told: Int?
  private let journal: WatchedJournal
  private let process = Process()

  init(format: String, aim: Int) throws {
    (self.format, self.aim) = (format, aim)
    folder = try TemporaryFolder()
    journal = WatchedJournal(path: folder.path("x.master.\(format == "GREY" ? "nut" : "mov").part.journal"))
    process.executableURL = OvercrankProgram.url
    process.environment = OvercrankProgram.environment
    process.arguments = [
      "record", SmallCamera.inVirtualTime(), "--format", format, "--no-clip", "-o", folder.path("x.mp4"),
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Kills it if the journal has enough entries. Returns whether it has ended.
  func look() -> Bool {
    guard told == nil, process.isRunning else { return true }
    let count = journal.count
    guard count >= aim else { return false }
    told = count
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return true
  }

  var wasKilled: Bool { process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL }
}

@Suite("A recording that is cut off", .tags(.program), .timeLimit(.minutes(1)))
struct CrashTests {
  @Test(
    "keeps every frame in the journal after each of 12 kills, in a file that other programs can open",
    arguments: 0..<4)
  func kills(_ seed: UInt64) throws {
    var chance = SplitMix(state: seed)
    let recordings = try ["MJPG", "YUYV", "GREY"].map { format in
      try KilledRecording(format: format, aim: Int.random(in: 1...150, using: &chance))
    }
    while recordings.contains(where: { !$0.look() }) { usleep(2000) }
    for (index, recording) in recordings.enumerated() {
      // A debug build takes most of its time to start; every third run is enough to compare it.
      try judge(recording, byProgram: index == Int(seed) % 3)
    }
  }

  /// Recovers the rest of `recording` and checks it against the promises.
  private func judge(_ recording: KilledRecording, byProgram: Bool) throws {
    let folder = recording.folder
    #expect(recording.wasKilled)
    let told = try #require(recording.told)
    #expect(told >= recording.aim)
    try recover(folder.path("x.mp4"), byProgram: byProgram)
    let suffix = recording.format == "GREY" ? "nut" : "mov"
    #expect(try folder.names == ["x.master.\(suffix)", "x.take.json"])
    let take = try #require(try Take.read(from: FilePath(folder.path("x.take.json"))))
    #expect(take.isRecovered)
    #expect(take.mode.fourcc == recording.format)
    // An entry is a frame, or a run of lost ones.
    #expect(take.frames.sent >= Int64(told), "\(take.frames)")
    #expect(take.frames.sent == take.frames.written + take.frames.lost.total)
    let lost = Set(take.losses.flatMap { Array($0.sequence..<$0.sequence + $0.count) })
    let first = min(take.sequences.first ?? 0, lost.min() ?? .max)
    #expect(Set(take.sequences).union(lost) == Set(first..<first + take.frames.sent))
    #expect(zip(take.timestamps, take.timestamps.dropFirst()).allSatisfy { $0 < $1 })
    #expect(take.frames.lost.disk == 0)
    let video = try StripVideo(folder.path("x.master.\(suffix)"))
    // Frames after the journal's last entry have estimated numbers: none is missing between.
    let estimated = Set((take.estimated ?? []).flatMap { Array($0.sequence..<$0.sequence + $0.count) })
    #expect(video.numbers.count == take.sequences.count)
    for (shown, told) in zip(video.numbers, take.sequences) {
      #expect(shown.map { estimated.contains(told) ? $0 >= told : $0 == told } == true)
    }
    #expect(video.complaints.isEmpty)
  }

  /// Recovers the recording that `clip` names.
  private func recover(_ clip: String, byProgram: Bool) throws {
    guard byProgram else {
      _ = try CutOffMaster(#require(CutOffMaster.path(for: FilePath(clip)))).recover(replacing: false)
      return
    }
    let run = try OvercrankProgram("recover", clip)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("is recovered with the command that makes the requested clip")
  func laterClip() throws {
    let folder = try TemporaryFolder()
    let journal = WatchedJournal(path: folder.path("x.master.mov.part.journal"))
    _ = try OvercrankProgram(
      [
        "record", SmallCamera.inVirtualTime(), "--format", "mjpeg", "--duration", "1h", "--speed",
        "1/16",
        "--preset=ultrafast", "--force", "-o", folder.path("x.mp4"),
      ],
      whileRunning: { process in
        while process.isRunning, journal.count < 5 { usleep(2000) }
        kill(process.processIdentifier, SIGKILL)
      })
    let run = try OvercrankProgram("recover", folder.path("x.mp4"))
    #expect(run.status == 0)
    let clip =
      "overcrank retime \(folder.path("x.master.mov")) --speed 1/16 --preset ultrafast -o \(folder.path("x.mp4"))"
    #expect(run.errors.contains("\(clip)\n"), "\(run.errors)")
    let wanted = try #require(try folder.take().wantedClip)
    #expect(ClipSpec(wanted)?.render?.preset == .ultrafast)
  }

  @Test("never overwrites a file that has taken its name, and can be recovered when that file is gone")
  func takenName() throws {
    for (name, isNewer) in [("x.master.mov", true), ("x.master.mov", false), ("x.take.json", false)] {
      let recording = try KilledRecording(format: "MJPG", aim: 5)
      while !recording.look() { usleep(2000) }
      #expect(recording.wasKilled)
      let folder = recording.folder
      let before = try folder.names
      try Data("theirs".utf8).write(to: URL(filePath: folder.path(name)))
      let date = Date(timeIntervalSinceNow: isNewer ? 3600 : -3600)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path(name))
      let refused = try OvercrankProgram("recover", folder.path("x.mp4"))
      #expect(refused.status == 73, "\(refused.errors)")
      #expect(refused.errors.contains("\(folder.path(name)): already exists"), "\(refused.errors)")
      #expect(try folder.names == (before + [name]).sorted())
      #expect(try Data(contentsOf: URL(filePath: folder.path(name))) == Data("theirs".utf8))

      try FileManager.default.removeItem(atPath: folder.path(name))
      let run = try OvercrankProgram("recover", folder.path("x.mp4"))
      #expect(run.status == 0, "\(run.errors)")
      #expect(try folder.names == ["x.master.mov", "x.take.json"])
    }
  }

  @Test("is recovered without its journal: every JPEG, with nominal times and no take")
  func lostJournal() throws {
    let folder = try TemporaryFolder()
    let part = folder.path("x.master.mov.part")
    _ = try OvercrankProgram(
      [
        "record", SmallCamera.inVirtualTime(), "--format", "mjpeg", "--duration", "1h", "--no-clip",
        "-o",
        folder.path("x.mp4"),
      ],
      whileRunning: { process in
        while process.isRunning, (try? Data(contentsOf: URL(filePath: part)).count) ?? 0 < 1 << 18 {
          usleep(20_000)
        }
        kill(process.processIdentifier, SIGKILL)
      })
    // With its journal, it reports what the recording contained.
    let copy = try TemporaryFolder()
    for name in try folder.names {
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: copy.path(name))
    }
    #expect(try OvercrankProgram("recover", copy.path("x.mp4")).status == 0)
    let before = try StripVideo(copy.path("x.master.mov")).numbers

    try FileManager.default.removeItem(atPath: part + ".journal")
    let unknown = try OvercrankProgram("recover", folder.path("x.mp4"))
    #expect(unknown.status == 65)
    #expect(unknown.errors.contains("--fps RATE"))
    let run = try OvercrankProgram("recover", folder.path("x.mp4"), "--fps", "60")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("their times are nominal, 60 fps"))
    #expect(try folder.names == ["x.master.mov"])
    let video = try StripVideo(folder.path("x.master.mov"))
    // Perhaps some more, which reached the disk before their journal entries did.
    #expect(before.count > 5 && video.numbers.starts(with: before))
    #expect(!video.numbers.contains(nil) && video.complaints.isEmpty)
    let probe = try Probe(folder.path("x.master.mov"))
    #expect(
      probe.packets.map(\.pts) == video.numbers.indices.map { (Int64($0) * 1_000_000_000 + 30) / 60 / 1000 })
    #expect(probe.format.tags?["comment"]?.contains("nominal times") == true)
  }

  @Test("is left unchanged if it is complete, by whichever name it is given")
  func whole() throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--frames", "5", "--no-clip", "-o", folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    let before = try Data(contentsOf: URL(filePath: folder.path("x.master.mov")))
    for name in ["x.mp4", "x.take.json", "x.master.mov"] {
      let recovery = try OvercrankProgram("recover", folder.path(name))
      #expect(recovery.status == 0)
      #expect(
        recovery.output == "\(folder.path("x.master.mov")): is complete; there is nothing to recover.\n")
    }
    #expect(try Data(contentsOf: URL(filePath: folder.path("x.master.mov"))) == before)
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
  }
}
