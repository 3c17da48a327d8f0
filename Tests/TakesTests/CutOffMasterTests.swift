import CameraModel
import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Takes

/// A recording of raw grey frames, each filled with its own bytes, that is cut off.
struct CutOffRecording {
  let folder: TemporaryFolder
  static let frameBytes = 64 * 48
  var path: FilePath { FilePath(master) }
  var master: String { folder.path("x.master.nut") }
  var part: String { master + ".part" }
  var journal: String { master + ".part.journal" }

  static let frames = FrameFormat(
    .grey, width: 64, height: 48, acceptedInterval: FrameInterval(1, 240), clock: .monotonic)

  static let metadata = TakeMetadata(
    camera: CameraIdentity(name: "sim:", table: CameraTable(rows: [])),
    mode: Mode(fourcc: "GREY", width: 64, height: 48, interval: FrameInterval(1, 240)), asked: nil,
    started: Date(timeIntervalSince1970: 0), version: "0")

  /// Records `count` frames, with number 5 lost in the ring and 7 in the driver, and drops the writer.
  init(frames count: UInt32, metadata: TakeMetadata? = Self.metadata, startedAt start: Date? = nil) throws {
    folder = try TemporaryFolder()
    let writer = try MasterWriter(
      to: path, as: #require(MasterFormat(.grey)), of: Self.frames,
      replacing: false, metadata: metadata)
    if let start { writer.noteStart(start) }
    for number in 0..<count where number != 7 {
      if number == 5 {
        writer.noteLost(sequence: 5, count: 1, at: .ring)
      } else {
        let frame = Self.frame(number)
        try frame.withUnsafeBytes {
          try writer.write($0, sequence: number, timestampNanoseconds: Self.time(of: number))
        }
      }
    }
    try writer.checkpoint()
  }

  static func time(of number: UInt32) -> Int64 { 1_000_000_000 + Int64(number) * 4_166_667 }

  static func frame(_ number: UInt32) -> [UInt8] {
    var random = SplitMix(state: UInt64(number))
    return (0..<frameBytes).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  /// The bytes of each frame of the master as libav reads them.
  func packets() throws -> [[UInt8]] { try Self.packets(of: master) }

  static func packets(of master: String) throws -> [[UInt8]] {
    var demuxer = try Demuxer(FilePath(master))
    var frames: [[UInt8]] = []
    while let packet = try demuxer.nextPacket() { frames.append(packet.withBytes { Array($0) }) }
    return frames
  }
}

@Suite("A master that was cut off")
struct CutOffMasterTests {
  private func failure(_ path: String, replacing: Bool = false) -> OvercrankError? {
    do {
      _ = try CutOffMaster(FilePath(path)).recover(replacing: replacing)
      return nil
    } catch {
      return error
    }
  }

  @Test("is completed, bit for bit and with its frame accounting, and no other file stays")
  func whole() throws {
    let recording = try CutOffRecording(frames: 20)
    #expect(try recording.folder.names == ["x.master.nut.part", "x.master.nut.part.journal"])
    let recovered = try CutOffMaster(recording.path).recover(replacing: false)
    #expect(try recording.folder.names == ["x.master.nut", "x.take.json"])
    let numbers = (0..<20 as Range<UInt32>).filter { $0 != 5 && $0 != 7 }
    #expect(try recording.packets() == numbers.map(CutOffRecording.frame))
    let take = try #require(try Take.read(from: FilePath(recording.folder.path("x.take.json"))))
    #expect(take == recovered.take)
    #expect(take.isRecovered)
    #expect(Array(take.sequences) == numbers.map(Int64.init))
    #expect(take.timestamps.map(\.nanoseconds) == numbers.map(CutOffRecording.time))
    #expect(
      take.losses == [Loss(sequence: 5, count: 1, stage: .ring), Loss(sequence: 7, count: 1, stage: .driver)])
    #expect(take.frames.sent == 20)
    #expect(take.camera == CutOffRecording.metadata.camera)
    #expect(take.clock == .monotonic)
    // An unknown value is null.
    let json = try String(contentsOfFile: recording.folder.path("x.take.json"), encoding: .utf8)
    #expect(json.contains("\"recovered\":true"))
    for key in ["ring_bytes", "ring_peak_bytes", "trigger"] { #expect(json.contains("\"\(key)\":null")) }
  }

  @Test("is found by the name of any of its files")
  func names() throws {
    let recording = try CutOffRecording(frames: 3)
    for name in [
      "x.mp4", "x.take.json", "x.master.nut", "x.master.nut.part", "x.master.nut.part.journal",
    ] {
      #expect(CutOffMaster.path(for: FilePath(recording.folder.path(name))) == recording.path)
    }
    #expect(CutOffMaster.path(for: FilePath(recording.folder.path("y.mp4"))) == nil)
  }

  /// Half an hour after the session of the metadata was armed.
  private static let start = Date(timeIntervalSince1970: 1_800.25)

  @Test("has the date of its own start, not that of the session's, also if its recovery was cut off")
  func date() throws {
    let recording = try CutOffRecording(frames: 20, startedAt: Self.start)
    let library = TakeLibrary(FilePath(recording.folder.url.path), version: "0")
    #expect(try library.entriesWaiting().map(\.date) == ["1970-01-01T00:30:00Z"])
    let files = try recording.folder.names.map { name in
      (
        path: recording.folder.path(name),
        bytes: try Data(contentsOf: URL(filePath: recording.folder.path(name)))
      )
    }
    for isSecond in [false, true] {
      for file in files where isSecond {
        try file.bytes.write(to: URL(filePath: file.path))
        // It is older than what the first recovery made.
        try FileManager.default.setAttributes([.modificationDate: Self.start], ofItemAtPath: file.path)
      }
      let recovered = try CutOffMaster(recording.path).recover(replacing: false)
      #expect(recovered.take?.startedAt == "1970-01-01T00:30:00Z")
      #expect(recovered.damagedEntries == 0 && recovered.frames.written == 18 && recovered.frames.sent == 20)
      #expect(recovered.take?.sequences.first == 0 && recovered.keptPart == nil)
    }
  }

  @Test("has the date of the session's start if its journal does not tell another")
  func formerDate() throws {
    for start in [nil, Self.start] {
      let recording = try CutOffRecording(frames: 20, startedAt: start)
      if start != nil {
        // The entry of the start is the first, and there are 19 others.
        var journal = try Data(contentsOf: URL(filePath: recording.journal))
        journal[journal.count - 20 * JournalEntry.size + 24] ^= 1
        try journal.write(to: URL(filePath: recording.journal))
      }
      let recovered = try CutOffMaster(recording.path).recover(replacing: false)
      #expect(recovered.take?.startedAt == "1970-01-01T00:00:00Z")
      #expect(recovered.damagedEntries == (start == nil ? 0 : 1) && recovered.frames.sent == 20)
      #expect(recovered.frames.lost.total == 2 && recovered.frames.lost.disk == 0)
    }
  }

  @Test("whose take could not be written has the date of its own start")
  func takeless() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("x.master.nut"))
    // The writer locks the master as long as it is there.
    do {
      let writer = try MasterWriter(
        to: path, as: #require(MasterFormat(.grey)), of: CutOffRecording.frames, replacing: false,
        metadata: CutOffRecording.metadata, keepingJournal: true)
      writer.noteStart(Self.start)
      for number in UInt32(0)..<3 {
        try CutOffRecording.frame(number).withUnsafeBytes {
          try writer.write($0, sequence: number, timestampNanoseconds: CutOffRecording.time(of: number))
        }
      }
      try writer.finish()
    }
    #expect(try TakelessMaster(path)?.recover().take.startedAt == "1970-01-01T00:30:00Z")
    #expect(try folder.names == ["x.master.nut", "x.take.json"])
  }

  @Test("without metadata is recovered without a take")
  func noMetadata() throws {
    let recording = try CutOffRecording(frames: 9, metadata: nil)
    let recovered = try CutOffMaster(recording.path).recover(replacing: false)
    #expect(recovered.take == nil)
    #expect(recovered.frames.written == 7)
    #expect(try recording.folder.names == ["x.master.nut"])
  }

  @Test("with a part shorter than its journal states keeps the rest; missing frames are lost on the disk")
  func shortPart() throws {
    let recording = try CutOffRecording(frames: 20)
    let bytes = try Data(contentsOf: URL(filePath: recording.part))
    let place = try #require(bytes.firstRange(of: Data(CutOffRecording.frame(18))))
    try #require(truncate(recording.part, place.upperBound - 100) == 0)
    let recovered = try CutOffMaster(recording.path).recover(replacing: false)
    #expect(recovered.frames.written == 16)
    #expect(recovered.frames.lost.disk == 2)
    #expect(recovered.frames.sent == 20)
    #expect(try recording.packets().last == CutOffRecording.frame(17))
  }

  @Test("has damaged frames as lost on the disk")
  func damagedFrame() throws {
    let recording = try CutOffRecording(frames: 20)
    var bytes = try Data(contentsOf: URL(filePath: recording.part))
    let place = try #require(bytes.firstRange(of: Data(CutOffRecording.frame(10))))
    bytes.replaceSubrange(place.lowerBound..<place.lowerBound + 16, with: Data(count: 16))
    try bytes.write(to: URL(filePath: recording.part))
    let recovered = try CutOffMaster(recording.path).recover(replacing: false)
    #expect(recovered.take?.losses.contains(Loss(sequence: 10, count: 1, stage: .disk)) == true)
    #expect(recovered.frames.written == 17)
    #expect(recovered.frames.sent == 20)
    // It is the only remaining copy of that frame.
    #expect(recovered.unknownBytes == Int64(CutOffRecording.frameBytes))
    #expect(try recording.folder.names.contains("x.master.nut.part"))
  }

  @Test(
    "whose part is left by its recovery is one item with its take, which a second recovery does not change")
  func recoveredPart() throws {
    let recording = try CutOffRecording(frames: 20)
    let library = TakeLibrary(FilePath(recording.folder.url.path), version: "0")
    let part = FilePath(recording.part)
    var bytes = try Data(contentsOf: URL(filePath: recording.part))
    let place = try #require(bytes.firstRange(of: Data(CutOffRecording.frame(10))))
    bytes.replaceSubrange(place.lowerBound..<place.lowerBound + 16, with: Data(count: 16))
    try bytes.write(to: URL(filePath: recording.part))
    #expect(library.entry(at: part)?.partState == .cutOff)
    let first = try CutOffMaster(recording.path).recover(replacing: false)
    #expect(!first.wasRecovered && first.keptPart == part)
    let entries = try library.entriesWaiting()
    #expect(entries.map(\.path.name) == ["x.take.json"])
    #expect(entries.map(\.recoveredPart?.name) == ["x.master.nut.part"])
    #expect(entries.first?.problems == [.partLeft("x.master.nut.part")])
    #expect(entries.first?.partFiles.map(\.name) == ["x.master.nut.part", "x.master.nut.part.journal"])
    #expect(library.entry(at: part)?.partState == .recovered)
    // What the user did with the take stays.
    let takePath = try #require(first.takePath)
    var take = try #require(first.take)
    take.label = "the drop"
    try take.write(to: takePath, replacing: true)
    let second = try CutOffMaster(recording.path).recover(replacing: false)
    #expect(second.wasRecovered && second.keptPart == part && second.unknownBytes == first.unknownBytes)
    #expect(try Take.read(from: takePath)?.label == "the drop")
    // A take of another recording does not make this one recovered.
    take.startedAt = "1999-01-01T00:00:00Z"
    try take.write(to: takePath, replacing: true)
    #expect(library.entry(at: part)?.partState == .cutOff)
    #expect(try library.entriesWaiting().count == 2)
  }

  @Test("with a journal that ends anywhere keeps every frame, and reports those not in it")
  func shortJournal() throws {
    let whole = try CutOffRecording(frames: 12)
    let journal = try Data(contentsOf: URL(filePath: whole.journal))
    let part = try Data(contentsOf: URL(filePath: whole.part))
    let numbers: [UInt32] = [0, 1, 2, 3, 4, 6, 8, 9, 10, 11]
    // With the lost one, these are eleven entries.
    let head = journal.count - 11 * JournalEntry.size
    for length in stride(from: 0, through: journal.count, by: 17) {
      let folder = try TemporaryFolder()
      let path = folder.path("x.master.nut")
      try journal.prefix(length).write(to: URL(filePath: path + ".part.journal"))
      try part.write(to: URL(filePath: path + ".part"))
      guard length >= head else {
        #expect(failure(path)?.code == .badData)
        #expect(try folder.names == ["x.master.nut.part", "x.master.nut.part.journal"])
        continue
      }
      let entries = (length - head) / JournalEntry.size
      let told = entries > 5 ? entries - 1 : entries
      let recovered = try CutOffMaster(FilePath(path)).recover(replacing: false)
      #expect(try CutOffRecording.packets(of: path) == numbers.map(CutOffRecording.frame))
      #expect(
        recovered.take.map { Array($0.sequences.prefix(told)) } == Array(numbers.map(Int64.init).prefix(told))
      )
      #expect(recovered.estimated == Int64(10 - told))
      #expect(recovered.take?.estimated?.first?.count ?? 0 == Int64(10 - told))
      #expect(recovered.keptPart == nil)
      #expect(try folder.names == ["x.master.nut", "x.take.json"])
    }
  }

  @Test("with damaged entries keeps their frames, with the free numbers and times between")
  func damagedEntries() throws {
    let recording = try CutOffRecording(frames: 20)
    var journal = try Data(contentsOf: URL(filePath: recording.journal))
    // Entries 10 to 12, from the end: frames 11 to 13.
    let start = journal.count - 9 * JournalEntry.size
    journal[start] ^= 1
    journal[start + JournalEntry.size + 9] ^= 0x80
    journal[start + 2 * JournalEntry.size + 39] ^= 4
    try journal.write(to: URL(filePath: recording.journal))
    let recovered = try CutOffMaster(recording.path).recover(replacing: false)
    let take = try #require(recovered.take)
    #expect(recovered.damagedEntries == 3)
    #expect(take.estimated == [FrameRun(sequence: 11, count: 3)])
    #expect(take.losses.last == Loss(sequence: 7, count: 1, stage: .driver))
    #expect((take.frames.sent, take.frames.written) == (20, 18))
    #expect(Array(take.sequences) == (0..<20).filter { $0 != 5 && $0 != 7 })
    for (number, time) in zip(take.sequences, take.timestamps) {
      #expect(abs(time.nanoseconds - CutOffRecording.time(of: UInt32(number))) <= 3)
    }
    #expect(try recording.packets()[9...11] == [11, 12, 13].map(CutOffRecording.frame)[...])
    #expect(try recording.folder.names == ["x.master.nut", "x.take.json"])
  }

  @Test(
    "with damaged entries before a loss keeps the numbers of their frames and of the loss",
    arguments: [[4], [3, 4], [2, 3, 4]])
  func damagedEntriesBeforeLoss(_ entries: [Int]) throws {
    let recording = try CutOffRecording(frames: 20)
    var journal = try Data(contentsOf: URL(filePath: recording.journal))
    for entry in entries { journal[journal.count - (19 - entry) * JournalEntry.size] ^= 1 }
    try journal.write(to: URL(filePath: recording.journal))
    let recovered = try CutOffMaster(recording.path).recover(replacing: false)
    let take = try #require(recovered.take)
    #expect(recovered.damagedEntries == entries.count && recovered.keptPart == nil)
    #expect(take.estimated == [FrameRun(sequence: Int64(entries[0]), count: Int64(entries.count))])
    #expect(Array(take.sequences) == (0..<20).filter { $0 != 5 && $0 != 7 })
    #expect(
      take.losses == [Loss(sequence: 5, count: 1, stage: .ring), Loss(sequence: 7, count: 1, stage: .driver)])
    for (number, time) in zip(take.sequences, take.timestamps) {
      // At the rate that the camera agreed to, as the time of the next frame is unknown without them.
      #expect(abs(time.nanoseconds - CutOffRecording.time(of: UInt32(number))) <= 3, "\(number)")
    }
    #expect(try recording.packets()[...4] == (0...4).map(CutOffRecording.frame)[...])
  }

  @Test("with damaged entries and frames has these as lost on the disk, and keeps the part")
  func damagedEntriesAndFrames() throws {
    let recording = try CutOffRecording(frames: 20)
    var journal = try Data(contentsOf: URL(filePath: recording.journal))
    for entry in 1...3 { journal[journal.count - entry * JournalEntry.size - 7] ^= 1 }
    try journal.write(to: URL(filePath: recording.journal))
    var bytes = try Data(contentsOf: URL(filePath: recording.part))
    let places = try [16, 17, 18].map { try #require(bytes.firstRange(of: Data(CutOffRecording.frame($0)))) }
    // The marks before the frames are gone, so the start of a frame cannot be found.
    for index in places[0].lowerBound - 40..<places[2].upperBound { bytes[index] ^= 0x55 }
    try bytes.write(to: URL(filePath: recording.part))
    let recovered = try CutOffMaster(recording.path).recover(replacing: false)
    #expect(recovered.keptPart == FilePath(recording.part))
    #expect(recovered.unknownBytes >= 3 * Int64(CutOffRecording.frameBytes))
    #expect(recovered.frames.sent == recovered.frames.written + recovered.frames.lost.total)
    #expect(
      try recording.folder.names == [
        "x.master.nut", "x.master.nut.part", "x.master.nut.part.journal", "x.take.json",
      ])
  }

  @Test("with 1000 damaged journals causes no crash, and yields no entry that was not written")
  func hostileJournals() throws {
    let recording = try CutOffRecording(frames: 40)
    let whole = [UInt8](try Data(contentsOf: URL(filePath: recording.journal)))
    let folder = try TemporaryFolder()
    func journal(_ bytes: [UInt8]) throws -> (header: JournalHeader, lines: [Journal.Line])? {
      try Data(bytes).write(to: URL(filePath: folder.path("journal")))
      guard let journal = try Journal(InputFile(FilePath(folder.path("journal")))) else { return nil }
      var lines: [Journal.Line] = []
      try journal.forEach { (line) throws(OvercrankError) in lines.append(line) }
      return (journal.header, lines)
    }
    let original = try #require(try journal(whole))
    #expect(original.lines.count == 39)
    #expect(!original.lines.contains(.damaged))
    var random = SplitMix(state: 11)
    var readable = 0
    for _ in 0..<1000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes.removeLast(bytes.count - place)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + JournalEntry.size))
        case 2: bytes.insert(contentsOf: whole.suffix(JournalEntry.size), at: min(place, bytes.count))
        default:
          if !bytes.isEmpty { bytes[place] ^= UInt8.random(in: 1...255, using: &random) }
        }
      }
      guard let journal = try journal(bytes) else { continue }
      readable += 1
      #expect(journal.header == original.header)
      let invented = zip(journal.lines.indices, journal.lines).filter { index, line in
        ![.damaged, .blank].contains(line) && (index >= original.lines.count || line != original.lines[index])
      }
      #expect(invented.isEmpty, "\(invented)")
    }
    #expect(readable > 333)
  }

  @Test("with an impossible picture size in its journal is refused", arguments: [-1, 0, 1 << 31, .max])
  func impossibleSize(width: Int) throws {
    let recording = try CutOffRecording(frames: 4)
    let whole = [UInt8](try Data(contentsOf: URL(filePath: recording.journal)))
    var header = try #require(JournalHeader.read(whole)).header
    header.width = width
    let damaged = try header.encoded() + whole.suffix(4 * JournalEntry.size)
    try Data(damaged).write(to: URL(filePath: recording.journal))
    #expect(failure(recording.master)?.code == .unsupported)
    #expect(try recording.folder.names == ["x.master.nut.part", "x.master.nut.part.journal"])
  }

  @Test("with raw frames and no journal is refused, and its part stays")
  func noJournal() throws {
    let recording = try CutOffRecording(frames: 20)
    try FileManager.default.removeItem(atPath: recording.journal)
    let error = try #require(failure(recording.master))
    #expect(error.code == .badData)
    #expect(error.description.contains("no journal"))
    do throws(OvercrankError) {
      _ = try UnindexedMaster(recording.path)?.recover(at: FrameRate(whole: 240), replacing: false)
      Issue.record("raw frames were found")
    } catch {
      #expect(error.code == .badData)
      #expect(error.description.contains("Raw frames"))
    }
    #expect(try recording.folder.names == ["x.master.nut.part"])
  }

  @Test("that is being recorded is left unchanged")
  func busy() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.master.nut")
    let writer = try MasterWriter(
      to: FilePath(path), as: #require(MasterFormat(.grey)), of: CutOffRecording.frames,
      replacing: false)
    try CutOffRecording.frame(0).withUnsafeBytes {
      try writer.write($0, sequence: 0, timestampNanoseconds: 0)
    }
    try writer.checkpoint()
    #expect(failure(path, replacing: true)?.code == .busy)
    try writer.finish()
    #expect(try folder.names == ["x.master.nut"])
  }

  @Test("replaces an older master of the same name only if it may")
  func older() throws {
    let recording = try CutOffRecording(frames: 20)
    try Data("older".utf8).write(to: URL(filePath: recording.master))
    #expect(failure(recording.master)?.code == .cannotCreate)
    #expect(try recording.folder.names.count == 3)
    #expect(failure(recording.master, replacing: true) == nil)
    #expect(try recording.packets().count == 18)
    #expect(try recording.folder.names == ["x.master.nut", "x.take.json"])
  }

  @Test("does not replace a link, whatever its date")
  func link() throws {
    let recording = try CutOffRecording(frames: 20)
    try FileManager.default.createSymbolicLink(
      atPath: recording.master, withDestinationPath: recording.folder.path("elsewhere"))
    let error = failure(recording.master)
    #expect(error?.code == .cannotCreate && error?.remedy == .replace)
    #expect(error?.description.contains("beside a recording that was cut off") == true)
    #expect(try recording.folder.names.count == 3)
    #expect(failure(recording.master, replacing: true) == nil)
    #expect(try recording.folder.names == ["x.master.nut", "x.take.json"])
  }

  @Test("is left unchanged when its recovery is stopped")
  func stopped() async throws {
    let recording = try CutOffRecording(frames: 20)
    let work = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return failure(recording.master)
    }
    #expect(await work.value?.code == .cancelled)
    #expect(try recording.folder.names == ["x.master.nut.part", "x.master.nut.part.journal"])
  }

  @Test("is not mistaken for the part of a clip, which counts only if no master is complete")
  func clipPart() throws {
    let recording = try CutOffRecording(frames: 3)
    let folder = recording.folder
    try Data("half".utf8).write(to: URL(filePath: folder.path("x.mp4.part")))
    #expect(CutOffMaster.path(for: FilePath(folder.path("x.mp4"))) == recording.path)
    #expect(failure(recording.master) == nil)
    #expect(CutOffMaster.path(for: FilePath(folder.path("x.mp4"))) == nil)
    #expect(CutOffMaster.path(for: FilePath(folder.path("x.mp4.part"))) == nil)
    #expect(CutOffMaster.wholeMaster(for: FilePath(folder.path("x.mp4.part"))) == recording.path)
    try FileManager.default.removeItem(atPath: recording.master)
    #expect(CutOffMaster.path(for: FilePath(folder.path("x.mp4")))?.string == folder.path("x.mp4"))
  }

  @Test("is recovered again if a recovery was itself cut off")
  func twice() throws {
    let recording = try CutOffRecording(frames: 20)
    try recording.folder.leavePart("x.master.nut.recovering")
    #expect(failure(recording.master) == nil)
    #expect(try recording.folder.names == ["x.master.nut", "x.take.json"])
  }

  @Test("is not replaced by a new recording, which reports how to recover it")
  func inTheWay() throws {
    let recording = try CutOffRecording(frames: 20)
    let format = try #require(MasterFormat(.grey))
    var failure: OvercrankError?
    do throws(OvercrankError) {
      _ = try MasterWriter(
        to: recording.path, as: format, of: CutOffRecording.frames,
        replacing: false)
    } catch {
      failure = error
    }
    #expect(failure?.remedy == .recoverOrReplace(recording.path))
    #expect(CutOffMaster.path(for: recording.path) != nil)
  }

  @Test("without any frame is removed")
  func empty() throws {
    let folder = try TemporaryFolder()
    do {
      _ = try MasterWriter(
        to: FilePath(folder.path("x.master.nut")), as: #require(MasterFormat(.grey)),
        of: CutOffRecording.frames, replacing: false)
    }
    #expect(try folder.names.isEmpty)
  }
}
