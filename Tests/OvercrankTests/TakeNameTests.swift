import Capture
import FrameJudge
import Foundation
import Media
import SystemPackage
import Takes
import Testing
import Timebase

@testable import Overcrank

@Suite("The name of a take", .tags(.program), .timeLimit(.minutes(1)))
struct TakeNameTests {
  let folder: TemporaryFolder
  /// A camera with small pictures.
  private let table: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    table = try TemporaryFolder()
    let text = """
      {"card": "Small", "modes": [{"fourcc": "MJPG", "width": 320, "height": 240, "intervals": [[1, 60]]}]}
      """
    try Data(text.utf8).write(to: table.url.appending(path: "small.json"))
  }

  private var camera: CaptureDevice {
    get throws { try CaptureDevice(named: "sim:\(table.path("small.json")),clock=virtual") }
  }

  private func request(_ output: String?) -> RecordRequest {
    RecordRequest(
      plan: SessionPlan(limit: RecordingLimit()),
      output: output.map { FilePath(folder.path($0)) }, folder: FilePath(folder.url.path), clip: nil)
  }

  /// Records until `meanwhile` has been called, during the first take.
  private func record(
    _ request: RecordRequest, meanwhile: (TakeFiles) throws -> Void
  ) async throws -> FinishedRecording {
    let recorder = try TakeRecorder(camera, request)
    let events = recorder.events
    try recorder.start()
    for try await event in events {
      guard case .takeStarted = event.kind else { continue }
      // The master is opened in parallel with the session.
      while !FileManager.default.fileExists(atPath: "\(recorder.files.master).part.journal") { usleep(1000) }
      try meanwhile(recorder.files)
      break
    }
    recorder.stop()
    return try await recorder.finish()
  }

  private func write(_ text: String, _ path: FilePath) throws {
    try Data(text.utf8).write(to: URL(filePath: path.string))
  }

  private func text(_ path: FilePath) throws -> String {
    try String(contentsOfFile: path.string, encoding: .utf8)
  }

  private func expectWhole(_ finished: FinishedTake) throws {
    let take = try #require(try Take.read(from: finished.files.take))
    #expect(take.master == finished.files.master.lastComponent?.string)
    #expect(try Probe(finished.files.master.string).packets.count == Int(take.frames.written))
  }

  @Test(
    "gets the next number, if it was generated and another file took it during the recording",
    arguments: [(nil, 0), (nil, 1), ("{label}x.mp4", 2), ("{n}.mp4", 1)] as [(String?, Int)])
  func generated(_ name: String?, _ file: Int) async throws {
    var mine: TakeFiles?
    let recording = try await record(request(name)) { files in
      mine = files
      try write("theirs", [files.clip, files.master, files.take][file])
    }
    let files = try #require(mine)
    let finished = try #require(recording.takes.first)
    #expect(recording.failure == nil)
    let stem = files.clip.stem ?? ""
    let next = name == "{n}.mp4" ? "2" : "\(stem)-2"
    #expect(finished.files.clip.stem == next)
    let taken = [files.clip, files.master, files.take][file]
    #expect(try text(taken) == "theirs")
    #expect(
      try folder.names.sorted()
        == [taken.lastComponent?.string, "\(next).master.mov", "\(next).take.json"].compactMap(\.self)
        .sorted())
    try expectWhole(finished)
  }

  @Test("has its milliseconds once from the start, because a full disk may leave the first name")
  func prepared() {
    func stem(_ name: String, _ number: Int) -> String {
      let names = TakeNames(
        clip: FilePath(folder.path(name)), isMadeUp: false, isNumbered: false, followsTriggers: true
      ) {
        NameTemplate.Facts(date: Date(), camera: "sim:", rate: nil, label: nil)
      }
      return names.files(number, in: .mov).clip.stem ?? ""
    }
    for number in 1...3 {
      #expect(stem("{time}.{ms}.mp4", number).wholeMatch(of: /[0-9]{6}\.[0-9]{3}/) != nil)
    }
    // Two takes may be of one second.
    #expect(stem("{time}.mp4", 1).wholeMatch(of: /[0-9]{6}/) != nil)
    #expect(stem("{time}.mp4", 2).wholeMatch(of: /[0-9]{6}\.[0-9]{3}/) != nil)
  }

  @Test("is never changed if it was given, and nothing is overwritten or lost")
  func given() async throws {
    let master = FilePath(folder.path("x.master.mov"))
    let recording = try await record(request("x.mp4")) { _ in try write("theirs", master) }
    #expect(recording.takes.isEmpty)
    let failure = try #require(recording.failure)
    #expect("\(failure)".contains("\(master): already exists"), "\(failure)")
    #expect(try text(master) == "theirs")
    #expect(try folder.names == ["x.master.mov", "x.master.mov.part", "x.master.mov.part.journal"])

    try FileManager.default.moveItem(atPath: master.string, toPath: folder.path("theirs"))
    guard case .byJournal(let cutOff) = try Recovery.of(FilePath(folder.path("x.mp4"))) else {
      Issue.record("there is a part with a journal")
      return
    }
    #expect(try cutOff.recover(replacing: false).frames.written > 0)
    #expect(try folder.names == ["theirs", "x.master.mov", "x.take.json"])
  }

  @Test("is the master's if it was given and another file took the take's")
  func givenTake() async throws {
    let take = FilePath(folder.path("x.take.json"))
    let recording = try await record(request("x.mp4")) { _ in try write("theirs", take) }
    #expect(recording.failure.map { "\($0)" }?.contains("\(take): already exists") == true)
    #expect(try text(take) == "theirs")
    try FileManager.default.moveItem(atPath: take.string, toPath: folder.path("theirs"))
    guard case .takeByJournal(let master) = try Recovery.of(FilePath(folder.path("x.mp4"))) else {
      Issue.record("the master is whole, and its journal is there")
      return
    }
    #expect(try master.recover().take.frames.written > 0)
    #expect(try folder.names == ["theirs", "x.master.mov", "x.take.json"])
  }

  @Test("is refused at once if another program's file is in the way of the take's, and none is replaced")
  func foreignPart() throws {
    let part = FilePath(folder.path("x.take.json.part"))
    try write("theirs", part)
    for isReplacing in [true, false] {
      var request = request("x.mp4")
      request.replacesFiles = isReplacing
      let error = #expect(throws: RecordError.self) { try TakeRecorder(camera, request) }
      let failure = error.map(OvercrankError.init)
      #expect(failure?.code == .cannotCreate && failure?.remedy == nil)
      #expect(failure?.description.contains("\(part) is in the way, and was made by another program") == true)
    }
    #expect(try text(part) == "theirs")
    #expect(try folder.names == ["x.take.json.part"])
  }

  @Test(
    "is no reason for a recovery to delete another program's file beside the recording, or to call it a clip")
  func foreignPartBesideMaster() async throws {
    let theirs = ["x.mp4.part", "x.take.json.part", "x.take.json.part.journal"]
    for name in theirs { try write("theirs", FilePath(folder.path(name))) }
    for name in ["x.mp4", "x.master.mov"] {
      #expect(throws: OvercrankError.self) { _ = try Recovery.of(FilePath(folder.path(name))) }
      #expect(try folder.names == theirs)
    }
    for name in theirs { try FileManager.default.removeItem(atPath: folder.path(name)) }
    #expect(try await record(request("x.mp4")) { _ in }.failure == nil)
    for name in theirs { try write("theirs", FilePath(folder.path(name))) }
    let names = try folder.names
    guard case .notNeeded(_, unfinishedClip: nil) = try Recovery.of(FilePath(folder.path("x.master.mov")))
    else {
      Issue.record("the recording is complete, and no clip of ours is unfinished")
      return
    }
    #expect(try folder.names == names)
    // What a killed program of ours left is removed, and only that.
    try FileManager.default.removeItem(atPath: folder.path("x.take.json.part"))
    try folder.leavePart("x.take.json.part")
    _ = try Recovery.of(FilePath(folder.path("x.mp4")))
    #expect(try folder.names == names.filter { $0 != "x.take.json.part" })
  }

  @Test("is reserved when the take begins: two recordings with one template use different ones")
  func reserved() async throws {
    let first = try TakeRecorder(camera, request("{n}.mp4"))
    // Both get the number 1 before either begins.
    let second = try TakeRecorder(camera, request("{n}.mp4"))
    for recorder in [first, second] {
      let events = recorder.events
      try recorder.start()
      for try await event in events { if case .takeStarted = event.kind { break } }
    }
    for recorder in [first, second] { recorder.stop() }
    for recorder in [first, second] { #expect(try await recorder.finish().failure == nil) }
    #expect(try folder.names == ["1.master.mov", "1.take.json", "2.master.mov", "2.take.json"])
  }
}
