import FrameJudge
import Foundation
import Media
import Platform
import Retime
import SystemPackage
import Takes
import Timebase

extension Examination {
  func retime(_ video: String, _ random: inout SplitMix) async throws {
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      let output = path("copy.mkv")
      _ = try await CopyRetimer(FilePath(video), speed: speed(&random) ?? SpeedCurve(Self.quarter)).copy(
        to: OutputFile(FilePath(output)), container: .mkv)
    case 1:
      let changed = path("changed")
      try FileManager.default.copyItem(atPath: video, toPath: changed)
      try InPlaceRetimer(FilePath(changed), speed: speed(&random)?.constant ?? Self.quarter).retime()
    default:
      try await render(ClipSource(FilePath(video)), &random)
    }
  }

  private static let quarter = Speed(Fraction(1, 4)) ?? .normal

  /// Returns a random speed; `nil` for each frame once.
  private func speed(_ random: inout SplitMix) -> SpeedCurve? {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: nil
    case 1: SpeedCurve(.normal)
    case 2: Speed(Fraction(7, 2)).map { SpeedCurve($0) }
    case 3: Speed(Fraction(1, 2)).map { SpeedCurve($0) }
    case 4: try? SpeedCurve(text: "0s:1, 0.05s:1/4, ease 0.2s:2, 0.25s:freeze 0.1s")
    default: SpeedCurve(Self.quarter)
    }
  }

  /// Returns a random spec for a clip.
  private func options(_ random: inout SplitMix) -> RenderSpec {
    let speed = speed(&random)
    var options = RenderSpec(
      speed: speed, fill: Fill.allCases.randomElement(using: &random) ?? .hold,
      stages: .usual.with(random.next() % 3 == 0 ? Deflicker() : nil),
      preset: .ultrafast)
    options.audio = [.stretch, .pitch, nil].randomElement(using: &random) ?? nil
    if random.next() % 4 == 0 {
      options.stages[ClipCrop.self] = ClipCrop.part(
        PictureCrop(
          width: [16, 32, 64].randomElement(using: &random) ?? 16,
          height: [16, 18, 32].randomElement(using: &random) ?? 16,
          x: [0, 0, 2, 16, 32].randomElement(using: &random) ?? 0,
          y: [0, 0, 2, 16].randomElement(using: &random) ?? 0))
    }
    return options
  }

  /// Renders an intact master with a damaged take.
  func renderTimed(_ name: String, _ take: [UInt8], _ random: inout SplitMix) async throws {
    let masterName = name.replacing(".take.json", with: ".master.mov")
    let master = path(masterName)
    try Data(try seeds.bytes(masterName)).write(to: URL(filePath: master))
    guard let beside = TakeFiles.take(besideMaster: FilePath(master)) else {
      throw Wrong(description: "no place for a take")
    }
    try Data(take).write(to: URL(filePath: beside.string))
    guard let take = try Take.read(from: beside) else {
      throw Wrong(description: "a take was not found")
    }
    try await render(ClipSource(FilePath(master), take: take), &random)
  }

  private func render(_ source: ClipSource, _ random: inout SplitMix) async throws {
    var options = options(&random)
    if source.path.lastComponent?.string.hasPrefix("damaged-lamp") == true {
      options.stages[Deflicker.self] = Deflicker()
      options.codec = [.h264, .prores, .mjpeg].randomElement(using: &random) ?? .h264
    }
    let output = path("clip.\(options.codec.usualContainer.fileExtension)")
    let video = try Demuxer(source.path)
    let isLarge = video.track.width * video.track.height > 1 << 18
    if isLarge { options.stages[ClipScale.self] = ClipScale.size(width: 64, height: 32) }
    let report: ClipReport
    do {
      report = try await rendered(
        ClipRenderer(source, spec: options, of: ClipSpan(end: .seconds(1))), to: output)
    } catch {
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
        $0.hasPrefix("clip")
      }
      guard left.isEmpty else { throw Wrong(description: "after \"\(error)\", these files remain: \(left)") }
      throw error
    }
    let count = try packetCount(output)
    guard count == report.outputFrames else {
      throw Wrong(description: "the clip has \(count) frames, and its report states \(report.outputFrames)")
    }
  }

  /// Renders a clip. One without a speed is interrupted, because damaged numbers can make it last for days.
  private func rendered(_ renderer: ClipRenderer, to output: String) async throws -> ClipReport {
    let container = renderer.spec.codec.usualContainer
    let rendering = Task { try await renderer.render(to: OutputFile(FilePath(output)), container: container) }
    guard renderer.spec.speed == nil else { return try await rendering.value }
    let patience = Task {
      try await Task.sleep(for: .seconds(3))
      rendering.cancel()
    }
    defer { patience.cancel() }
    return try await rendering.value
  }

  func packetCount(_ video: String) throws -> Int {
    var demuxer: Demuxer
    do throws(OvercrankError) { demuxer = try Demuxer(FilePath(video)) } catch {
      throw Wrong(description: "the result cannot be read: \(error)")
    }
    var count = 0
    do throws(OvercrankError) { while try demuxer.nextPacket() != nil { count += 1 } } catch {
      throw Wrong(description: "the result cannot be read to its end: \(error)")
    }
    return count
  }
}
