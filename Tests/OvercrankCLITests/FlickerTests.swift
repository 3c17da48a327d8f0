import FrameJudge
import Foundation
import Media
import Platform
import Retime
import Simulator
import SystemPackage
import Takes
import Testing
import Timebase

@testable import Simulator

@Suite("The flicker of lamps in clips", .tags(.program), .timeLimit(.minutes(1)))
struct FlickerTests {
  static let (width, height, rate) = (320, 180, 240)
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A second of the simulated camera's pictures, each in its own light.
  private func video(_ name: String, _ brightness: [Double]) throws -> String {
    let path = folder.path(name)
    var picture = try SimulatedPicture(
      format: .mjpeg, width: Self.width, height: Self.height,
      conditions: SceneConditions(brightness: brightness))
    var muxer = try Muxer(
      to: OutputFile(FilePath(path)), container: .mov,
      video: VideoTrack(codec: .mjpeg, width: Self.width, height: Self.height), timescale: 240_000,
      index: .end, metadata: [:])
    for number in 0..<240 {
      let bytes = picture.compose(UInt32(number), white: [])
      try muxer.write(bytes, timestamp: Int64(number) * 1000, duration: 1000)
    }
    try muxer.finish()
    return path
  }

  private func lamp(_ hertz: Int64) -> [Double] {
    let cycle = Lamp(hertz: Fraction(hertz)).brightness(interval: Fraction(1, Int64(Self.rate)))
    return (0..<240).map { cycle[$0 % cycle.count] }
  }

  private func clip(of video: String, evened: Bool) async throws -> (path: String, report: ClipReport) {
    let path = video + (evened ? ".evened.mp4" : ".mp4")
    let options = RenderSpec(
      stages: .usual.with(evened ? Deflicker() : nil), preset: .ultrafast, quality: 12)
    let report = try await ClipRenderer(ClipSource(FilePath(video)), spec: options)
      .render(to: OutputFile(FilePath(path)))
    return (path, report)
  }

  /// The light of each frame below its strip, as ffmpeg decodes it after the filter `filter`.
  private func light(_ path: String, filter: String = "null") throws -> [Double] {
    let shape = "crop=iw:ih-8:0:8,format=gray,scale=16:8:flags=area,format=gray"
    let decoded = try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-i", path, "-vsync", "passthrough", "-vf", "\(filter),\(shape)", "-f",
        "rawvideo", "-",
      ])
    let luma = [UInt8](decoded.output)
    return stride(from: 0, to: luma.count - 127, by: 128).map { start in
      Double(luma[start..<start + 128].reduce(0) { $0 + Int($1) }) / 128
    }
  }

  /// The swing of `light` at `hertz`, as a fraction of its mean: a windowed Fourier sum.
  private func swing(_ light: [Double], _ hertz: Int) -> Double {
    let mean = light.reduce(0, +) / Double(light.count)
    var (cosine, sine, weight) = (0.0, 0.0, 0.0)
    for (frame, value) in light.enumerated() {
      let window = pow(sin(.pi * (Double(frame) + 0.5) / Double(light.count)), 2)
      let angle = 2 * Double.pi * Double(hertz) * Double(frame) / Double(Self.rate)
      cosine += window * (value / mean - 1) * cos(angle)
      sine += window * (value / mean - 1) * sin(angle)
      weight += window
    }
    return hypot(cosine, sine) / weight * (2 * hertz == Self.rate ? 1 : 2)
  }

  @Test(
    "is reduced at 240 fps to less than a twentieth, and better than by libavfilter",
    arguments: [100, 120])
  func evened(hertz: Int) async throws {
    let video = try video("lamp.mov", lamp(Int64(hertz)))
    let plain = try await clip(of: video, evened: false)
    let (path, report) = try await clip(of: video, evened: true)
    #expect(try StripVideo(path).numbers == Array(0..<240))
    guard case .evened(hertz, let before, let after?) = report.flicker else {
      Issue.record("\(String(describing: report.flicker))")
      return
    }
    let (seen, left) = (try light(plain.path), try light(path))
    let filtered = try [5, 24].map { try swing(light(video, filter: "deflicker=size=\($0)"), hertz) }
    #expect(swing(seen, hertz) > 0.15)
    #expect(before > 0.15 && before < 0.25 && after < 0.01)
    #expect(swing(left, hertz) < swing(seen, hertz) / 20)
    for filtered in filtered { #expect(swing(left, hertz) < filtered) }
    let means = [seen, left].map { $0.reduce(0, +) / Double($0.count) }
    #expect(abs(means[1] / means[0] - 1) < 0.01)
  }

  @Test("is removed from a fade, which stays unchanged")
  func fade() async throws {
    let fade = (0..<240).map { 1 - 0.6 * Double($0) / 240 }
    let lit = zip(lamp(100), fade).map { $0 * $1 }
    let (path, report) = try await clip(of: try video("lit.mov", lit), evened: true)
    let (still, _) = try await clip(of: try video("still.mov", fade), evened: false)
    guard case .evened(100, _, _) = report.flicker else {
      Issue.record("\(String(describing: report.flicker))")
      return
    }
    // The same fade in steady light: the two differ only by the lamp's mean brightness.
    let ratios = zip(try light(path), try light(still)).map { $0 / $1 }
    let mean = ratios.reduce(0, +) / Double(ratios.count)
    #expect(ratios.count == 240)
    // Over each whole cycle of the lamp, the fade is kept. Single frames keep some of its swing of 20 %,
    // and the darker the scene, the more.
    let cycles = stride(from: 0, to: ratios.count, by: 12).map { start in
      ratios[start..<start + 12].reduce(0, +) / 12
    }
    #expect(cycles.allSatisfy { abs($0 / mean - 1) < 0.02 }, "\(cycles)")
    #expect(ratios.allSatisfy { abs($0 / mean - 1) < 0.06 }, "\(ratios)")
  }

  @Test("is not found in steady light: the clip stays the same, byte for byte")
  func steady() async throws {
    let video = try video("steady.mov", [])
    let plain = try await clip(of: video, evened: false)
    let (path, report) = try await clip(of: video, evened: true)
    #expect(plain.report.flicker == nil)
    #expect(report.flicker == ClipReport.Flicker.none)
    #expect(
      try Data(contentsOf: URL(filePath: path)) == Data(contentsOf: URL(filePath: plain.path)))
  }

  @Test("is reported by retime in JSON, and in a line for people")
  func told() throws {
    let video = try video("lamp.mov", lamp(100))
    let arguments = [
      "retime", video, "--deflicker", "--preset", "ultrafast", "--force", "-o", folder.path("x.mp4"),
    ]
    let run = try OvercrankProgram(arguments + ["--json"])
    #expect(run.status == 0, "\(run.errors)")
    let flicker = try #require(try run.json([Take.Clip].self).first?.flicker)
    #expect(flicker.hertz == 100)
    #expect(try #require(flicker.depthPercent) > 15)
    #expect(try #require(flicker.depthAfterPercent) < 1)
    #expect(try OvercrankProgram(arguments).output.contains("flicker of 100 Hz reduced from"))
  }

  @Test("is measured during a recording, and the take says so", arguments: ["MJPG", "YUYV"])
  func recorded(format: String) throws {
    let table = """
      {"card": "Small", "modes": [{"fourcc": "\(format)", "width": 320, "height": 180, "intervals": [[1, 240]]}]}
      """
    try Data(table.utf8).write(to: folder.url.appending(path: "small.json"))
    let run = try OvercrankProgram(
      "record", "sim:\(folder.path("small.json")),clock=virtual,flicker=100", "--frames", "30", "--deflicker",
      "--preset", "ultrafast", "-o", folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take()
    // A busy machine may lose frames, and then the flicker cannot be measured: only the attempt counts here.
    #expect(take.clips.first?.flicker != nil)
    #expect(try !StripVideo(folder.path("x.mp4")).numbers.contains(nil))
  }
}
