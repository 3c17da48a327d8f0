import CameraModel
import Capture
import FrameJudge
import Foundation
import Media
import Overcrank
import Retime
import SystemPackage
import Takes
import Testing
import Timebase

@Suite("A recording whose clip zooms in", .tags(.program), .timeLimit(.minutes(1)))
struct ZoomedRecordingTests {
  /// The 32 cells of the frame strip: the number, and its CRC-8.
  private func strip(_ number: UInt32) -> [Bool] {
    var check: UInt8 = 0
    for byte in [UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)] {
      check ^= byte
      for _ in 0..<8 { check = check & 0x80 != 0 ? check << 1 ^ 7 : check << 1 }
    }
    let bits = number << 8 | UInt32(check)
    return (0..<32).map { bits >> (31 - UInt32($0)) & 1 == 1 }
  }

  @Test("shows the strip's edges where the curve places them, and keeps the whole picture in the master")
  func edges() async throws {
    let folder = try TemporaryFolder()
    var options = RenderSpec(
      speed: try SpeedCurve(text: "1/8"), outputRate: FrameRate(whole: 30),
      stages: .usual.with(ClipZoom(try ZoomCurve(text: "0s:1, 0.1s:2"), at: try ZoomPath(text: "0.55,0@0s"))),
      preset: .ultrafast)
    options.quality = 0
    let recorder = try TakeRecorder(
      CaptureDevice(named: "sim:,clock=virtual"),
      RecordRequest(
        rate: .rate(FrameRate(whole: 240)), criteria: .init(maxWidth: 640),
        plan: SessionPlan(limit: RecordingLimit(frames: 48)),
        output: FilePath(folder.path("drop.mp4")), clip: ClipSpec(options)))
    try recorder.start()
    let recording = try await recorder.finish()
    #expect(recording.failure == nil)
    let take = try #require(recording.takes.first)

    // The master has whole frames.
    let master = try #require(try Probe(take.files.master.string).streams.first)
    #expect((master.width, master.height) == (640, 480))
    let numbers = try StripVideo(take.files.master.string).numbers
    let first = try #require(numbers.first ?? nil)

    let (width, height, cell) = (640, 480, 16.0)
    let row = 5
    let output = try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-i", take.files.clip.string, "-fps_mode", "passthrough", "-vf",
        "extractplanes=y,crop=\(width):1:0:\(row)", "-f", "rawvideo", "-",
      ]
    ).output
    let lines = stride(from: 0, to: output.count, by: width).map {
      [UInt8](output.dropFirst($0).prefix(width))
    }
    #expect(try #require(try Probe(take.files.clip.string).streams.first).height == height)
    #expect(lines.count >= 48)
    var compared = 0
    for (place, line) in lines.enumerated() {
      // A lost frame is held, and the zoom continues.
      guard let shown = numbers.compactMap({ $0 }).last(where: { $0 <= first + UInt32(place) }) else {
        continue
      }
      let factor = min(2, 1 + Double(place) / 24)
      let part = Double(width) / factor
      let start = min(max(0.55 * Double(width) - part / 2, 0), Double(width) - part)
      let found = (1..<width).compactMap { x -> Double? in
        let (one, next) = (Double(line[x - 1]), Double(line[x]))
        guard (one < 125.5) != (next < 125.5) else { return nil }
        return Double(x) - 0.5 + (125.5 - one) / (next - one)
      }
      let cells = strip(shown)
      for index in 1..<32 where cells[index] != cells[index - 1] {
        let due = (cell * Double(index) - start) * factor
        guard (4..<Double(width) - 4).contains(due) else { continue }
        compared += 1
        let distance = found.map { abs($0 + 0.5 - due) }.min() ?? .infinity
        #expect(distance < 1.5, "frame \(place): an edge due at \(due), found at \(found)")
      }
    }
    #expect(compared > 100)
  }
}
