import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

/// The statements of a MOV's or MP4's index about the frames shown, and their duration.
@Suite("Edit lists and long last frames", .tags(.program), .timeLimit(.minutes(1))) struct EditedSourceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Twenty frames at 25 a second, coded with the options `codec`.
  func source(_ codec: String, _ name: String = "whole.mp4") throws -> String {
    let path = folder.path(name)
    try Program.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.8"]
        + codec.split(separator: " ").map(String.init) + [path])
    return path
  }

  /// The video at `path` from `start` on, with an edit list that hides the part before, and all but `shown`
  /// of the rest.
  func edited(_ path: String, from start: String, showing shown: Double?) throws -> String {
    let edited = folder.path("edited.\(FilePath(path).extension ?? "")")
    try Program.run("ffmpeg", ["-v", "error", "-ss", start, "-i", path, "-c", "copy", edited])
    guard let shown else { return edited }
    var data = try Data(contentsOf: URL(filePath: edited))
    let list = try #require(data.firstRange(of: Data("elst".utf8)))
    // A length in milliseconds, after version and flags and the number of entries.
    try #require(data[list.upperBound..<list.upperBound + 8] == Data([0, 0, 0, 0, 0, 0, 0, 1]))
    let length = UInt32(shown * 1000)
    for place in 0..<4 {
      data[list.upperBound + 8 + place] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * place))
    }
    try data.write(to: URL(filePath: edited))
    return edited
  }

  /// The video at `path`, with an edit list that shows `parts` one after another: first frame, or `nil` for nothing, and
  /// number of frames.
  func joined(_ path: String, showing parts: [(first: Int?, count: Int)]) throws -> String {
    func number(_ value: Int) -> Data {
      Data((0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) })
    }
    func value(_ data: Data, _ place: Int) -> Int { data[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    var data = try Data(contentsOf: URL(filePath: path))
    let list = try #require(data.firstRange(of: Data("elst".utf8)))
    try #require(data[list.upperBound..<list.upperBound + 8] == Data([0, 0, 0, 0, 0, 0, 0, 1]))
    // The time of the first frame in ticks of the track, 12800 a second; a length is in milliseconds.
    let start = value(data, list.upperBound + 12)
    let entries = parts.map { part in
      number(part.count * 40) + number(part.first.map { start + $0 * 512 } ?? -1) + number(0x1_0000)
    }
    data.replaceSubrange(
      list.upperBound + 4..<list.upperBound + 20, with: entries.reduce(number(parts.count), +))
    // The index is at the end, so that no frame moves.
    for type in ["moov", "trak", "edts", "elst"] {
      let name = try #require(data.firstRange(of: Data(type.utf8)))
      let size = value(data, name.lowerBound - 4) + 12 * (parts.count - 1)
      data.replaceSubrange(name.lowerBound - 4..<name.lowerBound, with: number(size))
    }
    let joined = folder.path("joined.mp4")
    try data.write(to: URL(filePath: joined))
    return joined
  }

  func copy(
    _ path: String, _ speed: SpeedCurve, to container: Container, _ span: ClipSpan = .whole
  ) async throws -> String {
    let target = folder.path("clip.\(container.fileExtension)")
    _ = try await CopyRetimer(FilePath(path), speed: speed, span: span).copy(
      to: OutputFile(FilePath(target)), container: container)
    return target
  }

  @Test(
    "a copy shows what its source shows",
    arguments: [
      ("-c:v libx264 -bf 2 -g 250 -pix_fmt yuv420p", "0.3", nil),
      ("-c:v libx264 -bf 2 -g 250 -pix_fmt yuv420p", "0.3", 0.28),
      ("-c:v libx264 -bf 2 -g 6 -pix_fmt yuv420p", "0.3", 0.28),
      ("-c:v libx264 -bf 0 -g 250 -pix_fmt yuv420p", "0", 0.4), ("-c:v prores_ks", "0", 0.4),
    ] as [(String, String, Double?)], [Container.mov, .mp4])
  func hidden(_ sample: (codec: String, start: String, shown: Double?), _ container: Container) async throws {
    guard container == .mov || !sample.codec.contains("prores") else { return }
    let path = try edited(source(sample.codec, "whole.mov"), from: sample.start, showing: sample.shown)
    let before = try FrameHashes(path)
    try #require(before.hashes.count < 20)
    let half = SpeedCurve(try #require(Speed(Fraction(1, 2))))
    let clip = try await copy(path, half, to: container)
    let after = try FrameHashes(clip)
    #expect(after.hashes == before.hashes)
    for (time, should) in zip(after.times, before.times) { #expect(abs(time - 2 * should) < 0.001) }
    let length = try #require(Double(try Probe(clip).format.duration ?? ""))
    #expect(abs(length - 2 * (sample.shown ?? Double(before.hashes.count) * 0.04)) < 0.081)
  }

  @Test(
    "parts that were cut between keyframes follow one another, as decoders return them",
    arguments: [
      [(0, 7), (9, 7), (4, 6)], [(2, 4), (7, 3), (11, 5)], (0..<8).map { (2 * $0 + 1, 1) },
    ] as [[(Int, Int)]])
  func parts(_ parts: [(Int, Int)]) async throws {
    let path = try joined(
      source("-c:v libx264 -bf 2 -b_strategy 0 -g 6 -sc_threshold 0 -pix_fmt yuv420p"), showing: parts)
    let clip = folder.path("clip.mkv")
    let report = try await ClipRenderer(ClipSource(FilePath(path)), spec: RenderSpec(codec: .ffv1))
      .render(to: OutputFile(FilePath(clip)), container: .mkv)
    #expect(report.skipped == 0 && report.restartCount == 0 && !report.hasContradictoryTimes)
    // Where a part ends early, its last frame is held.
    func distinct(_ path: String) throws -> [String] {
      try FrameHashes(path).hashes.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
    #expect(try distinct(clip) == distinct(path))
    #expect(try Demuxer(FilePath(path)).usualRate?.framesPerSecond == Fraction(25))
    await #expect {
      _ = try await copy(path, SpeedCurve(.normal), to: .mp4)
    } throws: {
      ($0 as? OvercrankError)?.remedy == .encode
    }
  }

  @Test(
    "a part that begins later shows its last frame no longer than players do", arguments: [5, 30],
    ["-c:v libx264 -bf 2 -b_strategy 0 -pix_fmt yuv420p", "-c:v prores_ks"])
  func late(_ lead: Int, _ codec: String) async throws {
    let path = try joined(source(codec, "whole.mov"), showing: [(nil, lead), (9, 7)])
    let clip = folder.path("clip.mkv")
    let spec = RenderSpec(
      speed: SpeedCurve(.normal), outputRate: FrameRate(whole: 25), codec: .ffv1)
    _ = try await ClipRenderer(ClipSource(FilePath(path)), spec: spec)
      .render(to: OutputFile(FilePath(clip)), container: .mkv)
    let hashes = try FrameHashes(clip).hashes
    #expect(hashes.count == 7)
    // ProRes has more bits.
    #expect(try codec.contains("prores") || hashes == FrameHashes(path).hashes)
    let copy = try await copy(path, SpeedCurve(.normal), to: .mov)
    #expect(try FrameHashes(copy).hashes.count == 7)
    #expect(try Double(Probe(copy).format.duration ?? "").map { abs($0 - 0.28) < 0.041 } == true)
  }

  @Test("a container without edit lists is refused if frames must be hidden, and the message has the remedy")
  func refusal() async throws {
    let path = try edited(
      source("-c:v libx264 -bf 2 -g 250 -pix_fmt yuv420p"), from: "0.3", showing: nil)
    let error = await #expect(throws: OvercrankError.self) {
      _ = try await copy(path, SpeedCurve(.normal), to: .mkv)
    }
    #expect(error?.code == .unsupported)
    #expect(error?.remedy == .encode)
    #expect(error.map { "\($0)".contains("MKV cannot hide any") } == true)
    // If each frame is a keyframe, none has to be hidden.
    let alone = try edited(source("-c:v prores_ks", "alone.mov"), from: "0", showing: 0.4)
    let clip = try await copy(alone, SpeedCurve(.normal), to: .mkv)
    #expect(try FrameHashes(clip).hashes == FrameHashes(alone).hashes)
  }

  @Test(
    "a part ends with the frames shown before its last keyframe",
    arguments: [(Container.mp4, 16), (.mkv, 17)])
  func openGroups(_ container: Container, _ count: Int) async throws {
    let path = try source(
      "-c:v libx265 -x265-params log-level=none:bframes=4:keyint=8:open-gop=1 -pix_fmt yuv420p")
    let half = SpeedCurve(try #require(Speed(Fraction(1, 2))))
    let span = ClipSpan(start: .zero, end: .milliseconds(600))
    let clip = try FrameHashes(await copy(path, half, to: container, span))
    #expect(try clip.hashes == Array(FrameHashes(path).hashes.prefix(count)))
    for (number, time) in clip.times.enumerated() { #expect(abs(time - 0.08 * Double(number)) < 0.002) }
  }

  @Test("a copy keeps the colours of a palette")
  func palette() async throws {
    let path = try source(
      "-filter_complex split[a][b];[a]palettegen[p];[b][p]paletteuse -c:v smc", "palette.mov")
    let clip = try await copy(path, SpeedCurve(.normal), to: .mov)
    #expect(try FrameHashes(clip).hashes == FrameHashes(path).hashes)
  }

  @Test(
    "a last frame that begins where the index ends is shown",
    arguments: ["not(eq(mod(n\\,5)\\,3))", "not(between(n\\,9\\,18))"], [Container.mp4, .mov])
  func lastBehindGap(_ selection: String, _ container: Container) async throws {
    let path = try source(
      "-vf select=\(selection) -fps_mode vfr -c:v libx264 -bf 2 -b_strategy 0 -pix_fmt yuv420p",
      "gap.\(container.fileExtension)")
    let half = SpeedCurve(try #require(Speed(Fraction(1, 2))))
    let before = try FrameHashes(path)
    let clip = try await copy(path, half, to: container)
    #expect(try FrameHashes(clip).hashes == before.hashes)
    let length = try #require(Double(try Probe(clip).format.duration ?? ""))
    #expect(abs(length - 1.6) < 0.002)
  }

  @Test("a last frame is as long as the index states", arguments: ["1/2", "0s:1, 0.5s:1/2"])
  func longLast(_ speed: String) async throws {
    let whole = try source("-c:v libx264 -bf 2 -g 250 -pix_fmt yuv420p")
    let path = folder.path("long.mp4")
    try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-i", whole, "-c", "copy", "-bsf:v",
        "setts=duration=if(eq(N\\,19)\\,25600\\,DURATION)",
        path,
      ])
    let length = try #require(Double(try Probe(path).format.duration ?? ""))
    try #require(length > 2.5)
    let curve = try SpeedCurve(text: speed)
    // From 0.5 s on, the curve plays at half the speed; before, it slows down to that.
    let expected = curve.constant == nil ? log(2) + (length - 0.5) * 2 : length * 2
    let rendered = folder.path("rendered.mp4")
    let report = try await ClipRenderer(
      ClipSource(FilePath(path)), spec: RenderSpec(speed: curve, preset: .ultrafast)
    ).render(to: OutputFile(FilePath(rendered)))
    #expect(abs(report.duration.doubleValue - expected) < 0.05)
    for container in [Container.mp4, .mov] {
      let clip = try await copy(path, curve, to: container)
      let length = try #require(Double(try Probe(clip).format.duration ?? ""))
      #expect(abs(length - expected) < 0.01, "\(container)")
    }
  }
}
