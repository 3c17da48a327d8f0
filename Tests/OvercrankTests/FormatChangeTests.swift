import CameraModel
import Capture
import FrameJudge
import Foundation
import Overcrank
import SystemPackage
import Takes
import Testing
import Timebase

@Suite("A recorder whose format changes during its session", .tags(.program), .timeLimit(.minutes(1)))
struct FormatChangeTests {
  @Test("names each take after its own container, and enters its mode")
  func containers() async throws {
    let folder = try TemporaryFolder()
    let table = CameraTable(rows: [
      ModeRow(fourcc: "MJPG", size: .discrete(width: 320, height: 240), intervals: [FrameInterval(1, 120)]),
      ModeRow(fourcc: "NV12", size: .discrete(width: 256, height: 64), intervals: [FrameInterval(1, 120)]),
    ])
    try JSONEncoder().encode(table).write(to: URL(filePath: folder.path("table.json")))
    let raw = try #require(table.rows[1].mode(at: FrameRate(whole: 120)))
    let container = try #require(raw.pixelFormat.flatMap(MasterFormat.init)).container
    try #require(container != .mov)

    let recorder = try TakeRecorder(
      CaptureDevice(named: "sim:\(folder.path("table.json")),clock=virtual"),
      RecordRequest(
        rate: .rate(FrameRate(whole: 120)),
        plan: SessionPlan(preRoll: .zero, limit: RecordingLimit(frames: 10), takeCount: 2),
        output: FilePath(folder.path("x.mp4")), numbersTakes: true, clip: nil))
    let jpeg = recorder.mode
    #expect(jpeg.fourcc == "MJPG")
    var events = recorder.events.makeAsyncIterator()
    try recorder.start()
    // The last event comes once the test waits for the recording.
    let recorded = Task { await recorder.recorded() }
    // The first take was prepared for JPEGs; neither has any now.
    recorder.session.configure { $0.mode = raw }
    recorder.trigger()
    while let event = try await events.next() {
      guard case .takeEnded(1, _) = event.kind else { continue }
      recorder.session.configure { $0.mode = jpeg }
      recorder.trigger()
    }
    let recording = await recorded.value
    #expect(recording.failure == nil)
    let names = ["x-1.master.\(container.fileExtension)", "x-2.master.mov"]
    #expect(recording.takes.map(\.take.master) == names)
    #expect(recording.takes.map(\.take.mode) == [raw, jpeg])
    #expect(recording.takes.map(\.take.frames.written) == [10, 10])
    #expect(try folder.names == ["table.json", names[0], "x-1.take.json", names[1], "x-2.take.json"])
    #expect(try Probe(folder.path(names[0])).streams.first?.width == 256)
    #expect(try Probe(folder.path(names[1])).streams.first?.width == 320)
  }
}
