import CameraModel
import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Takes

/// A recording of JPEGs that is cut off.
private struct CutOffVideo {
  let folder: TemporaryFolder
  var master: String { folder.path("x.master.mov") }
  var part: String { master + ".part" }
  var journal: String { part + ".journal" }
  private(set) var pictures: [[UInt8]] = []

  /// - Parameter told: the number of frames in the journal.
  init(frames count: UInt32, told: UInt32, timedAtDequeue: Set<UInt32> = []) throws {
    folder = try TemporaryFolder()
    do {
      let writer = try MasterWriter(
        to: FilePath(folder.path("x.master.mov")), as: #require(MasterFormat(.mjpeg)),
        of: FrameFormat(
          .mjpeg, width: 64, height: 48, acceptedInterval: FrameInterval(1, 250), clock: .monotonic),
        replacing: false, metadata: CutOffRecording.metadata)
      for number in 0..<count {
        let picture = Self.picture(number)
        pictures.append(picture)
        try picture.withUnsafeBytes {
          try writer.write(
            $0, sequence: 100 + number, timestampNanoseconds: Int64(number) * 4_000_000,
            isTimedAtDequeue: timedAtDequeue.contains(number))
        }
      }
      try writer.checkpoint()
    }
    // As a kill between the frames and their entries leaves it.
    let whole = try Data(contentsOf: URL(filePath: journal))
    try whole.dropLast(Int(count - told) * JournalEntry.size).write(to: URL(filePath: journal))
  }

  /// SOI, SOF0 of 64x48, a scan with its own bytes, and EOI.
  private static func picture(_ number: UInt32) -> [UInt8] {
    var random = SplitMix(state: UInt64(number))
    let scan = (0..<700 + Int(number)).map { _ in UInt8.random(in: 0..<255, using: &random) }
    return [0xff, 0xd8, 0xff, 0xc0, 0, 9, 8, 0, 48, 0, 64, 1, 0, 0xff, 0xda, 0, 4, 7, 7] + scan + [
      0xff, 0xd9,
    ]
  }

  /// The frames of the master as libav reads them.
  func packets() throws -> [[UInt8]] { try CutOffRecording.packets(of: master) }
}

@Suite("Frames that are not in the journal")
struct PartSearchTests {
  @Test(
    "are found as JPEGs after the journal's end, and marked as estimated", arguments: [1, 2, 19] as [UInt32])
  func behindTheEnd(told: UInt32) throws {
    let video = try CutOffVideo(frames: 20, told: told)
    let recovered = try CutOffMaster(FilePath(video.master)).recover(replacing: false)
    #expect(try video.packets() == video.pictures)
    let take = try #require(recovered.take)
    #expect(Array(take.sequences) == (100..<120).map { $0 })
    #expect(take.estimated == [FrameRun(sequence: Int64(100 + told), count: Int64(20 - told))])
    #expect(take.timestamps.map(\.nanoseconds) == (0..<20).map { $0 * 4_000_000 })
    #expect(take.frames.sent == 20)
    #expect(try video.folder.names == ["x.master.mov", "x.take.json"])
  }

  @Test("count from 0 if it has none, at the rate that the camera agreed to")
  func noneTold() throws {
    let video = try CutOffVideo(frames: 20, told: 0)
    let take = try #require(try CutOffMaster(FilePath(video.master)).recover(replacing: false).take)
    #expect(try video.packets() == video.pictures)
    #expect(Array(take.sequences) == Array(0..<20))
    #expect(take.estimated == [FrameRun(sequence: 0, count: 20)])
    #expect(take.timestamps.map(\.nanoseconds) == (0..<20).map { $0 * 4_000_000 })
  }

  @Test(
    "are found as JPEGs if the journal is lost, at the given rate", arguments: [0, 20])
  func noJournal(_ unknown: Int) throws {
    let video = try CutOffVideo(frames: 20, told: 20)
    try FileManager.default.removeItem(atPath: video.journal)
    let part = try Data(contentsOf: URL(filePath: video.part))
    let place = try #require(part.firstRange(of: Data(video.pictures[15]))).lowerBound
    try (part[..<place] + Data(repeating: 7, count: unknown) + part[place...]).write(
      to: URL(filePath: video.part))
    let rate = FrameRate(whole: 125)
    guard let recovered = try UnindexedMaster(FilePath(video.master))?.recover(at: rate, replacing: false)
    else {
      Issue.record("There is a journal.")
      return
    }
    #expect(recovered.frames == 20 && recovered.unknownBytes == Int64(unknown))
    #expect(try video.packets() == video.pictures)
    var demuxer = try Demuxer(FilePath(video.master))
    var times: [Int64?] = []
    while let packet = try demuxer.nextPacket() { times.append(packet.presentationTimestamp) }
    #expect(times == (0..<20).map { $0 * 8000 })
    #expect((recovered.keptPart == nil) == (unknown == 0))
    #expect(try video.folder.names == ["x.master.mov"] + (unknown == 0 ? [] : ["x.master.mov.part"]))
  }

  @Test("have the rate of the frames whose times are known")
  func rate() throws {
    let video = try CutOffVideo(frames: 20, told: 1)
    #expect(
      try CutOffMaster(FilePath(video.master)).recover(replacing: false).take?.measuredFramesPerSecond == nil)
  }

  @Test("may end with a truncated JPEG, which is reported, and the part is removed")
  func cutOff() throws {
    let video = try CutOffVideo(frames: 20, told: 10)
    let part = try Data(contentsOf: URL(filePath: video.part))
    let last = try #require(part.firstRange(of: Data(video.pictures[19])))
    try part.prefix(last.upperBound - 100).write(to: URL(filePath: video.part))
    let recovered = try CutOffMaster(FilePath(video.master)).recover(replacing: false)
    #expect(recovered.cutOffBytes == Int64(video.pictures[19].count - 100))
    #expect(try video.packets() == video.pictures.dropLast())
    #expect(recovered.keptPart == nil)
  }

  @Test("may have unknown bytes between them, which stay in the part, with the journal")
  func unknown() throws {
    let video = try CutOffVideo(frames: 20, told: 10)
    var part = try Data(contentsOf: URL(filePath: video.part))
    let place = try #require(part.firstRange(of: Data(video.pictures[15])))
    part.replaceSubrange(place.lowerBound..<place.lowerBound + 20, with: Data(repeating: 7, count: 20))
    try part.write(to: URL(filePath: video.part))
    let recovered = try CutOffMaster(FilePath(video.master)).recover(replacing: false)
    #expect(recovered.unknownBytes == Int64(video.pictures[15].count))
    #expect(recovered.keptPart == FilePath(video.part))
    #expect(try video.packets() == Array(video.pictures[..<15] + video.pictures[16...]))
    #expect(try video.folder.names.count == 4)
    #expect(try Data(contentsOf: URL(filePath: video.part)) == part)
  }

  @Test("do not include one with a changed byte, which is lost on the disk, and the part is kept")
  func changedByte() throws {
    let video = try CutOffVideo(frames: 20, told: 20)
    var part = try Data(contentsOf: URL(filePath: video.part))
    let place = try #require(part.firstRange(of: Data(video.pictures[7])))
    part[place.lowerBound + 300] ^= 0x80
    try part.write(to: URL(filePath: video.part))
    let recovered = try CutOffMaster(FilePath(video.master)).recover(replacing: false)
    #expect(recovered.frames.written == 19 && recovered.frames.lost.disk == 1)
    #expect(recovered.keptPart == FilePath(video.part))
    #expect(try video.packets() == Array(video.pictures[..<7] + video.pictures[8...]))
  }

  @Test("do not exist in a part that was cut off at its beginning, and the message says so")
  func beginning() throws {
    let video = try CutOffVideo(frames: 1, told: 0)
    // The type of the file, and the zeros of a page that is not full yet.
    let head = try Data(contentsOf: URL(filePath: video.part)).prefix(20)
    try (head + Data(count: 4076)).write(to: URL(filePath: video.part))
    let error = #expect(throws: OvercrankError.self) {
      _ = try CutOffMaster(FilePath(video.master)).recover(replacing: false)
    }
    #expect(
      error?.code == .badData && error?.description.contains("nothing to recover") == true,
      "\(String(describing: error))")
  }

  @Test("do not include one with a page that the disk lost")
  func forgottenPage() throws {
    let file = try TemporaryFolder()
    let whole = Self.picture(20_000)
    var torn = whole
    for index in 8192 - whole.count % 4096..<16384 where index < torn.count - 2 { torn[index] = 0 }
    try Data(whole + torn).write(to: URL(filePath: file.path("part")))
    var search = PartSearch(
      file: try InputFile(FilePath(file.path("part"))), format: try #require(MasterFormat(.mjpeg)), size: nil)
    let found = try search.frames(in: 0..<Int64(whole.count + torn.count))
    #expect(found.frames == [PartSearch.Frame(offset: 0, byteCount: whole.count)])
    #expect(found.unknown == Int64(torn.count))
  }

  /// A JPEG of 64x48 whose scan has `count` bytes.
  private static func picture(_ count: Int) -> [UInt8] {
    [0xff, 0xd8, 0xff, 0xc0, 0, 9, 8, 0, 48, 0, 64, 1, 0, 0xff, 0xda, 0, 4, 7, 7]
      + [UInt8](repeating: 9, count: count) + [0xff, 0xd9]
  }

  /// The findings in `range` of a part that holds `content`.
  private func findings(
    _ content: [UInt8], in range: Range<Int>? = nil, _ format: PixelFormat = .mjpeg,
    size: (width: Int, height: Int)? = nil
  ) throws -> PartSearch.Findings {
    let folder = try TemporaryFolder()
    try Data(content).write(to: URL(filePath: folder.path("part")))
    var search = PartSearch(
      file: try InputFile(FilePath(folder.path("part"))), format: try #require(MasterFormat(format)),
      size: size)
    let range = range ?? content.indices
    return try search.frames(in: Int64(range.lowerBound)..<Int64(range.upperBound))
  }

  @Test("are found as JPEGs of any size, but only in the searched range")
  func large() throws {
    let sizes = [1000, 700_000, 2_000]
    let pictures = sizes.map(Self.picture)
    let content = pictures.flatMap(\.self)
    let ends = pictures.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    let all = try findings(content)
    #expect(all.frames.map { Int($0.offset) } == Array(ends.dropLast()))
    #expect(all.frames.map { Int($0.end) } == Array(ends.dropFirst()))
    #expect(try findings(content, in: 0..<ends[2] - 1).frames.map { Int($0.end) } == [ends[1]])
    #expect(try findings(content, in: 0..<ends[3] - 1).frames.map { Int($0.end) } == [ends[1], ends[2]])
  }

  @Test("begin with the marker of a JPEG: any other FF between them is not a damaged one")
  func noMarker() throws {
    let picture = Self.picture(100)
    let found = try findings(picture + [1, 2, 0xff, 3] + picture)
    #expect(found.frames.count == 2 && found.unknown == 4 && found.pieces == 0)
  }

  @Test("are no longer searched for when the task is cancelled")
  func cancelled() async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try findings([UInt8](repeating: 7, count: 100))
    }
    let error = await #expect(throws: OvercrankError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test("do not include a raw frame whose last page was lost")
  func lastPage() throws {
    // 6144 bytes each, from the middle of a page on: the first ends where a page does.
    var content = [UInt8](repeating: 7, count: 2048 + 2 * 6144)
    let range = 2048..<content.count
    #expect(try findings(content, in: range, .yuyv, size: (64, 48)).frames.count == 2)
    for place in 4096..<8192 { content[place] = 0 }
    #expect(try findings(content, in: range, .yuyv, size: (64, 48)).frames.isEmpty)
  }

  @Test("are found by their size if they are raw")
  func raw() throws {
    let folder = try TemporaryFolder()
    let master = folder.path("x.master.mov")
    let frames = (0..<9 as Range<UInt8>).map { [UInt8](repeating: $0 + 1, count: 64 * 48 * 2) }
    do {
      let writer = try MasterWriter(
        to: FilePath(master), as: #require(MasterFormat(.yuyv)),
        of: FrameFormat(.yuyv, width: 64, height: 48, acceptedInterval: FrameInterval(1, 250)),
        replacing: false, metadata: CutOffRecording.metadata)
      for (number, frame) in frames.enumerated() {
        try frame.withUnsafeBytes {
          try writer.write(
            $0, sequence: UInt32(number), timestampNanoseconds: Int64(number) * 4_000_000)
        }
      }
      try writer.checkpoint()
    }
    let journal = try Data(contentsOf: URL(filePath: master + ".part.journal"))
    try journal.dropLast(6 * JournalEntry.size).write(to: URL(filePath: master + ".part.journal"))
    let part = try Data(contentsOf: URL(filePath: master + ".part"))
    let last = try #require(part.firstRange(of: Data(frames[8])))
    try part.prefix(last.upperBound - 10).write(to: URL(filePath: master + ".part"))
    let recovered = try CutOffMaster(FilePath(master)).recover(replacing: false)
    #expect(recovered.take?.estimated == [FrameRun(sequence: 3, count: 5)])
    #expect(try CutOffRecording.packets(of: master) == frames.dropLast())
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
  }

  @Test("keep the mark of times taken at receipt in a recovered take")
  func timedAtDequeue() throws {
    let video = try CutOffVideo(frames: 20, told: 20, timedAtDequeue: [3, 4, 9])
    let take = try #require(try CutOffMaster(FilePath(video.master)).recover(replacing: false).take)
    #expect(
      take.timedAtDequeue == [FrameRun(sequence: 103, count: 2), FrameRun(sequence: 109, count: 1)])
    #expect(take.estimated == [])
  }

  @Test("a journal of the former version is read")
  func formerVersion() throws {
    let video = try CutOffVideo(frames: 20, told: 20)
    var journal = try Data(contentsOf: URL(filePath: video.journal))
    #expect(journal.starts(with: "OVCRANK2".utf8))
    journal[7] = UInt8(ascii: "1")
    try journal.write(to: URL(filePath: video.journal))
    #expect(try CutOffMaster(FilePath(video.master)).recover(replacing: false).frames.written == 20)
  }

  @Test(
    "an entry with the wrong place is a frame that was lost on the disk",
    arguments: [0, -1, 1 << 20, .max] as [Int64])
  func elsewhere(_ offset: Int64) throws {
    let video = try CutOffVideo(frames: 20, told: 20)
    let sum = video.pictures[3].withUnsafeBytes { ContentChecksum(of: $0) }
    let entry = JournalEntry(
      sequence: 120,
      .frame(
        offset: offset, byteCount: 16, sum: sum, timestampNanoseconds: 80_000_000, isTimedAtDequeue: false))
    let journal = try Data(contentsOf: URL(filePath: video.journal))
    try (journal + entry.encoded(at: 20)).write(to: URL(filePath: video.journal))
    let recovered = try CutOffMaster(FilePath(video.master)).recover(replacing: false)
    #expect(recovered.frames.written == 20 && recovered.frames.lost.disk == 1)
    // The part's beginning is known.
    #expect(recovered.unknownBytes == (offset == 0 ? 16 : 0))
    #expect((recovered.keptPart == nil) == (offset != 0))
  }

  @Test("an entry that ends beyond the part is a frame that was lost on the disk, whatever is there of it")
  func beyondTheEnd() throws {
    let video = try CutOffVideo(frames: 20, told: 20)
    let part = try Data(contentsOf: URL(filePath: video.part))
    let last = try #require(part.firstRange(of: Data(video.pictures[19])))
    try part.prefix(last.upperBound).write(to: URL(filePath: video.part))
    let entry = JournalEntry(
      sequence: 120,
      .frame(
        offset: Int64(last.lowerBound), byteCount: UInt32(last.count + 1),
        sum: video.pictures[19].withUnsafeBytes { ContentChecksum(of: $0) },
        timestampNanoseconds: 80_000_000, isTimedAtDequeue: false))
    let journal = try Data(contentsOf: URL(filePath: video.journal))
    try (journal + entry.encoded(at: 20)).write(to: URL(filePath: video.journal))
    let recovered = try CutOffMaster(FilePath(video.master)).recover(replacing: false)
    #expect(recovered.frames.written == 20 && recovered.frames.lost.disk == 1)
    #expect(try video.packets() == video.pictures)
  }

  @Test("entries with impossible counts, numbers or times do not stop the program")
  func absurd() throws {
    for entries in [
      [
        JournalEntry(sequence: 1, .lost(count: 0, stage: .ring)),
        JournalEntry(sequence: .max, .lost(count: .max, stage: .ring)),
      ], [JournalEntry(sequence: 0, .lost(count: .max, stage: .driver))],
      [JournalEntry(sequence: 0x7fff_fff0, .lost(count: 1, stage: .driver))],
    ] {
      let video = try CutOffVideo(frames: 20, told: 10)
      var journal = [UInt8](try Data(contentsOf: URL(filePath: video.journal)))
      for (index, entry) in entries.enumerated() { journal += entry.encoded(at: UInt32(10 + index)) }
      try Data(journal).write(to: URL(filePath: video.journal))
      let take = try #require(try CutOffMaster(FilePath(video.master)).recover(replacing: false).take)
      #expect(take.frames.sent == take.frames.written + take.frames.lost.total)
    }
  }
}

@Suite("A complete master without a take")
struct TakelessMasterTests {
  /// Records, and ends as a kill between the master and its take does.
  private func record(_ folder: TemporaryFolder, keepingJournal: Bool = true) throws -> FilePath {
    let path = FilePath(folder.path("x.master.nut"))
    let writer = try MasterWriter(
      to: path, as: #require(MasterFormat(.grey)), of: CutOffRecording.frames, replacing: false,
      metadata: CutOffRecording.metadata, keepingJournal: keepingJournal)
    for number in 0..<20 as Range<UInt32> {
      try CutOffRecording.frame(number).withUnsafeBytes {
        try writer.write($0, sequence: number, timestampNanoseconds: CutOffRecording.time(of: number))
      }
    }
    writer.noteLost(sequence: 20, count: 3, at: .ring)
    try writer.finish()
    return path
  }

  @Test("gets it from its journal")
  func recovery() throws {
    let folder = try TemporaryFolder()
    let path = try record(folder)
    #expect(try folder.names == ["x.master.nut", "x.master.nut.part.journal"])
    #expect(CutOffMaster.path(for: path) == nil)
    let (take, takePath) = try #require(try TakelessMaster(path)).recover()
    #expect(try Take.read(from: takePath) == take)
    #expect(Array(take.sequences) == Array(0..<20))
    #expect(take.timestamps.map(\.nanoseconds) == (0..<20).map { CutOffRecording.time(of: $0) })
    #expect(take.losses == [Loss(sequence: 20, count: 3, stage: .ring)])
    #expect(take.isRecovered)
    #expect(try folder.names == ["x.master.nut", "x.take.json"])
    #expect(try TakelessMaster(path) == nil)
  }

  @Test("has it if a recovery found frames that are not in the journal, and then was cut off")
  func journalOfRecovery() throws {
    let recording = try CutOffRecording(frames: 20)
    let short = try Data(contentsOf: URL(filePath: recording.journal)).dropLast(6 * JournalEntry.size)
    try short.write(to: URL(filePath: recording.journal))
    let recovered = try CutOffMaster(recording.path).recover(replacing: false)
    #expect(recovered.estimated == 6 && recovered.keptPart == nil)
    try short.write(to: URL(filePath: recording.journal))
    let whole = try #require(try TakelessMaster(recording.path))
    #expect(whole.hasItsTake && !whole.hasOtherTake)

    // One frame too few: the two do not match.
    var take = try #require(recovered.take)
    take.frames.written -= 1
    try take.write(to: FilePath(recording.folder.path("x.take.json")), replacing: true)
    #expect(try TakelessMaster(recording.path)?.hasItsTake == false)
  }

  @Test("keeps its journal if that does not list every frame")
  func otherJournal() throws {
    let folder = try TemporaryFolder()
    let path = try record(folder)
    let journal = path.string + ".part.journal"
    let bytes = try Data(contentsOf: URL(filePath: journal))
    try bytes.dropLast(3 * JournalEntry.size).write(to: URL(filePath: journal))
    let master = try #require(try TakelessMaster(path))
    #expect(throws: OvercrankError.self) { try master.recover() }
    #expect(try folder.names == ["x.master.nut", "x.master.nut.part.journal"])
  }

  @Test("keeps its journal if its take cannot be written")
  func takeInTheWay() throws {
    let folder = try TemporaryFolder()
    let path = try record(folder)
    let master = try #require(try TakelessMaster(path))
    try Data("another program's".utf8).write(to: URL(filePath: folder.path("x.take.json")))
    let error = #expect(throws: OvercrankError.self) { try master.recover() }
    #expect(error?.code == .cannotCreate)
    #expect(try folder.names == ["x.master.nut", "x.master.nut.part.journal", "x.take.json"])
  }

  @Test("has no journal unless this is requested")
  func noJournal() throws {
    let folder = try TemporaryFolder()
    #expect(try TakelessMaster(record(folder, keepingJournal: false)) == nil)
    #expect(try folder.names == ["x.master.nut"])
  }
}

@Suite("Files of the wrong kind")
struct NoPartTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func failure(_ name: String) -> OvercrankError? {
    do {
      _ = try CutOffMaster(FilePath(folder.path(name))).recover(replacing: false)
      return nil
    } catch {
      return error
    }
  }

  @Test("are refused at once as a part: a pipe, a folder", .timeLimit(.minutes(1)))
  func part() throws {
    #expect(mkfifo(folder.path("pipe.master.mov.part"), 0o600) == 0)
    try FileManager.default.createDirectory(
      atPath: folder.path("folder.master.mov.part"), withIntermediateDirectories: false)
    for name in ["pipe", "folder"] { #expect(failure("\(name).master.mov")?.code == .noInput) }
  }

  @Test("are refused at once as a journal: a pipe, a folder", .timeLimit(.minutes(1)))
  func journal() throws {
    for name in ["pipe", "folder"] {
      try Data(count: 100).write(to: URL(filePath: folder.path("\(name).master.mov.part")))
    }
    #expect(mkfifo(folder.path("pipe.master.mov.part.journal"), 0o600) == 0)
    try FileManager.default.createDirectory(
      atPath: folder.path("folder.master.mov.part.journal"), withIntermediateDirectories: false)
    for name in ["pipe", "folder"] { #expect(failure("\(name).master.mov")?.code == .noInput) }
    #expect(try folder.names.count == 4)
  }

  @Test("are refused as a take with the reason", .timeLimit(.minutes(1)))
  func take() throws {
    #expect(mkfifo(folder.path("pipe.take.json"), 0o600) == 0)
    for (name, text) in [("half", "{"), ("empty", "{}"), ("list", "[]"), ("number", #"{"overcrank": 1}"#)] {
      try Data(text.utf8).write(to: URL(filePath: folder.path("\(name).take.json")))
    }
    for (name, words) in [
      ("half", "it is not valid JSON"), ("empty", "it lacks \"overcrank\""),
      ("number", "\"overcrank\" has a value of the wrong type"), ("pipe", "is not a regular file"),
      ("list", "it has a value of the wrong type"),
    ] {
      do throws(OvercrankError) {
        _ = try Take.read(from: FilePath(folder.path("\(name).take.json")))
        Issue.record("\(name) was read")
      } catch {
        #expect(error.description.contains(words), "\(error)")
      }
    }
    #expect(try Take.read(from: FilePath(folder.path("missing.take.json"))) == nil)
  }
}
