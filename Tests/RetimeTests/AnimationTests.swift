import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

@Suite("Animated images", .tags(.program), .timeLimit(.minutes(1))) struct AnimationTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Two seconds of 60 frames a second, 640x360.
  private func source(size: String = "640x360", filter: String = "null") throws -> ClipSource {
    let path = folder.path("source.mov")
    try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=60:d=2,\(filter)", "-c:v", "mjpeg", "-q:v",
        "2",
        path,
      ])
    return ClipSource(FilePath(path))
  }

  private func make(_ spec: RenderSpec, of source: ClipSource) async throws -> (
    path: String, report: ClipReport
  ) {
    let container = spec.codec.usualContainer
    let path = folder.path("clip.\(container.fileExtension)")
    let file = try OutputFile(FilePath(path), replacing: true)
    return (path, try await ClipRenderer(source, spec: spec).render(to: file, container: container))
  }

  @Test("a GIF's times never add up to an error, and it has the size and rate that keep it small")
  func gif() async throws {
    let speed = try #require(Speed(Fraction(2, 5)))
    // 60 frames a second at 2/5 are 24, in a file that counts hundredths.
    let (path, report) = try await make(
      RenderSpec(speed: SpeedCurve(speed), codec: .gif, playCount: 3), of: try source())
    #expect(report.size == ClipReport.Size(width: 480, height: 270))
    #expect(report.outputFrames == 120 && report.framesPerSecond == Fraction(24))
    let times = try Probe(path).packets.compactMap(\.pts)
    let due = (0..<120).map { (frame: Int) in Int64((Double(frame) * 100 / 24).rounded()) }
    #expect(times == due)
    let bytes = try Data(contentsOf: URL(filePath: path))
    let loop = try #require(bytes.firstRange(of: Data("NETSCAPE2.0".utf8)))
    #expect(Array(bytes[loop.upperBound..<loop.upperBound + 5]) == [3, 1, 2, 0, 0])
  }

  @Test(
    "of a source whose pixels are not square has square ones, because viewers know no others",
    arguments: [
      (VideoEncoder.Kind.gif, "4/3", nil, 426, 240), (.apng, "3/4", nil, 320, 320),
      (.gif, "2", nil, 480, 180),
      (.gif, "4/3", ClipScale.width(160), 160, 90), (.apng, "4/3", .height(120), 214, 120),
    ])
  func square(codec: VideoEncoder.Kind, pixel: String, scale: ClipScale?, width: Int, height: Int)
    async throws
  {
    var spec = RenderSpec(outputRate: FrameRate(whole: 15), codec: codec)
    spec.stages[ClipScale.self] = scale
    let (path, _) = try await make(
      spec, of: try source(size: "320x240", filter: "trim=end=0.2,setsar=\(pixel)"))
    let stream = try #require(try Probe(path).streams.first)
    #expect((stream.width, stream.height) == (width, height))
    #expect(["1:1", nil].contains(stream.sample_aspect_ratio))
  }

  /// The delays of a GIF's frames, in hundredths of a second.
  private static func delays(_ path: String) throws -> [Int] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    func table(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 * (2 << Int(flags & 7)) }
    var (place, delays) = (13 + table(bytes[10]), [Int]())
    while place < bytes.count, bytes[place] != 0x3b {
      if bytes[place] == 0x21 {
        if bytes[place + 1] == 0xf9 { delays.append(Int(bytes[place + 4]) | Int(bytes[place + 5]) << 8) }
        place += 2
      } else {
        place += 11 + table(bytes[place + 9])
      }
      while bytes[place] > 0 { place += Int(bytes[place]) + 1 }
      place += 1
    }
    return delays
  }

  @Test("a GIF lasts as long as its clip", arguments: [1, 2, 119, 120])
  func length(frames: Int) async throws {
    let source = try source(size: "64x48")
    let part = ClipSpan(end: .microseconds(frames * 1_000_000 / 60 - 1000))
    let path = folder.path("clip.gif")
    let report = try await ClipRenderer(
      source, spec: RenderSpec(outputRate: FrameRate(whole: 15), codec: .gif), of: part
    )
    .render(to: OutputFile(FilePath(path), replacing: true), container: .gif)
    let delays = try Self.delays(path)
    // Fifteen a second: most last 6 or 7 hundredths.
    #expect(report.outputFrames == frames && delays.count == frames)
    #expect(delays.reduce(0, +) == Int((Double(frames) * 100 / 15).rounded()))
  }

  @Test(
    "a lower rate than a video has leaves frames out",
    arguments: [(VideoEncoder.Kind.gif, 60), (.webp, 120), (.apng, 60)])
  func sameLength(codec: VideoEncoder.Kind, frames: Int) async throws {
    // The video shows the 120 frames at 30 a second.
    let (path, report) = try await make(RenderSpec(codec: codec), of: try source(size: "64x48"))
    #expect(report.outputFrames == frames && report.framesPerSecond == Fraction(Int64(frames), 4))
    if codec == .gif { #expect(try Self.delays(path).reduce(0, +) == 400) }
  }

  @Test("a GIF shows what its source shows, and its colours are those of the whole clip")
  func colours() async throws {
    let (path, _) = try await make(
      RenderSpec(outputRate: FrameRate(whole: 15), codec: .gif), of: try source(size: "320x180"))
    let answer = try Program.run(
      "ffmpeg",
      [
        "-v", "info", "-nostdin", "-i", path, "-i", folder.path("source.mov"), "-lavfi",
        "[0:v]settb=1/25,setpts=N,format=rgb24[a];[1:v]settb=1/25,setpts=N,format=rgb24[b];[a][b]psnr", "-f",
        "null", "-",
      ])
    let words = answer.errors
    let found = try #require(words.firstMatch(of: /average:([0-9.]+)/))
    let decibels = try #require(Double(found.output.1))
    #expect(decibels > 25)
  }

  @Test("a GIF that gives up half its rate for its size is as long as before")
  func halvedRate() async throws {
    let source = try source(size: "240x136")
    let rate = FrameRate(whole: 25)
    var spec = RenderSpec(outputRate: rate, codec: .gif)
    let (path, whole) = try await make(spec, of: source)
    let bytes = try Int64(Data(contentsOf: URL(filePath: path)).count)
    spec.largestSize = bytes / 6
    let report = try await ClipRenderer(source, spec: spec).reduced(from: bytes, frames: bytes, in: .gif) {
      renderer throws(OvercrankError) in
      try await renderer.render(
        to: OutputFile(FilePath(folder.path("small.gif")), replacing: true), container: .gif)
    }
    #expect(report.reduction?.rate == FrameRate(Fraction(25, 2)))
    #expect(report.outputFrames == 60 && report.duration == whole.duration)
  }

  @Test("a WebP has all frames at their times, and plays as often as requested")
  func webp() async throws {
    let (path, report) = try await make(
      RenderSpec(speed: SpeedCurve(try #require(Speed(Fraction(1, 2)))), codec: .webp, playCount: 2),
      of: try source(size: "320x180"))
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
    }
    #expect(number(4, 4) + 8 == bytes.count)
    var (place, durations, loops) = (12, [Int](), 0)
    while place + 8 <= bytes.count {
      let name = String(decoding: bytes[place..<place + 4], as: UTF8.self)
      if name == "ANIM" { loops = number(place + 12, 2) }
      // The duration follows the place and the size of the part that changed.
      if name == "ANMF" { durations.append(number(place + 20, 3)) }
      place += 8 + (number(place + 4, 4) + 1) / 2 * 2
    }
    #expect(loops == 2)
    // libavcodec cannot decode it, which is not damage.
    let error = #expect(throws: OvercrankError.self) { _ = try Demuxer(FilePath(path)) }
    #expect(error?.code == .unsupported && !Demuxer.isCutOff(FilePath(path)))
    let part = folder.path("part.webp")
    try Data(bytes.dropLast(100)).write(to: URL(filePath: part))
    #expect(Demuxer.isCutOff(FilePath(part)))
    #expect(report.outputFrames == 120 && durations.count == 120)
    let times = durations.indices.map { (frame: Int) -> Int in durations[..<frame].reduce(0, +) }
    let due = (0..<120).map { (frame: Int) -> Int in (frame * 100 + 1) / 3 }
    #expect(times == due)
    #expect((3999...4000).contains(durations.reduce(0, +)))
  }

  /// Returns the first frame of an animated WebP as a still, which libavcodec decodes, and its columns.
  private static func firstFrame(of animation: Data) throws -> (still: Data, left: Int, width: Int) {
    let start = try #require(animation.firstRange(of: Data("ANMF".utf8))).upperBound
    let size = (0..<4).reduce(0) { $0 | Int(animation[start + $1]) << (8 * $1) }
    // Its place, size, duration and flags precede its chunks.
    let frame = animation[start + 4..<start + 4 + size]
    func number(_ place: Int) -> Int {
      (0..<3).reduce(0) { $0 | Int(frame[frame.startIndex + place + $1]) << (8 * $1) }
    }
    let (shape, chunks) = (frame.dropFirst(6).prefix(6), frame.dropFirst(16))
    let header = Data("WEBPVP8X".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0] + shape
    let length = withUnsafeBytes(of: UInt32(header.count + chunks.count).littleEndian) { Data($0) }
    return (Data("RIFF".utf8) + length + header + chunks, 2 * number(0), number(6) + 1)
  }

  @Test("a WebP of a transparent source is transparent, but for what is written on it")
  func transparency() async throws {
    let path = folder.path("half.mov")
    try Program.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i",
        "color=red:s=192x96:r=30:d=0.1,format=rgba,geq=r=255:g=0:b=0:a='255*gte(X,96)'", "-c:v", "png", path,
      ])
    let text = try ClipText(text: "MMMM@0.25,0.5")
    let spec = RenderSpec(stages: .usual.with(text), codec: .webp)
    let clip = try await make(spec, of: ClipSource(FilePath(path))).path
    let photo = folder.path("still.webp")
    let frame = try Self.firstFrame(of: Data(contentsOf: URL(filePath: clip)))
    try frame.still.write(to: URL(filePath: photo))
    let still = folder.path("still.rgba")
    try Program.run("ffmpeg", ["-v", "error", "-i", photo, "-f", "rawvideo", "-pix_fmt", "rgba", still])
    let pixels = [UInt8](try Data(contentsOf: URL(filePath: still)))
    // The encoder leaves out transparent borders, here on the left.
    try #require(frame.left + frame.width == 192 && pixels.count == frame.width * 96 * 4)
    func alpha(_ x: Int, _ y: Int) -> UInt8 {
      x < frame.left ? 0 : pixels[4 * (y * frame.width + x - frame.left) + 3]
    }
    #expect(alpha(8, 8) == 0 && alpha(180, 8) == 255)
    let written = (0..<96).flatMap { y in (0..<92).map { alpha($0, y) } }
    #expect(written.contains(255) && written.contains(0))
  }

  @Test("are made of frames at uneven times too")
  func uneven() async throws {
    let uneven = folder.path("uneven.gif")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=100,setpts='(N*10+3*mod(N*N\\,7))/100/TB'", "-frames:v", "12",
      "-vsync", "0", uneven)
    let (path, report) = try await make(RenderSpec(codec: .gif), of: ClipSource(FilePath(uneven)))
    #expect(try FrameHashes(path).hashes.count == report.outputFrames)
  }

  @Test("there and back is one animation", arguments: [VideoEncoder.Kind.gif, .webp, .apng])
  func bounce(codec: VideoEncoder.Kind) async throws {
    var spec = RenderSpec(
      outputRate: FrameRate(whole: 12), stages: PictureStages(PlaybackOrder.bounce), codec: codec)
    let source = try source(size: "64x48")
    let part = ClipSpan(end: .milliseconds(500))
    let container = codec.usualContainer
    let path = FilePath(folder.path("bounce.\(container.fileExtension)"))
    let report = try await ClipRenderer(source, spec: spec, of: part)
      .render(to: OutputFile(path), container: container)
    spec.stages[PlaybackOrder.self] = nil
    let there = FilePath(folder.path("there.\(container.fileExtension)"))
    let forward = try await ClipRenderer(source, spec: spec, of: part)
      .render(to: OutputFile(there), container: container)
    #expect(report.outputFrames == 2 * forward.outputFrames - 2)
    #expect(report.shown == forward.shown && forward.outputFrames > 2)
    let bytes = try Data(contentsOf: URL(filePath: path.string))
    let start = codec == .gif ? Data("GIF89a".utf8) : codec == .webp ? Data("RIFF".utf8) : Data("acTL".utf8)
    #expect(bytes.ranges(of: start).count == 1)
    guard codec != .webp else {
      // libavcodec cannot decode it, and libwebp joins frames that look the same.
      let length = (0..<4).reduce(0) { $0 | Int(bytes[4 + $1]) << (8 * $1) }
      #expect(length + 8 == bytes.count)
      return
    }
    let hashes = try FrameHashes(path.string).hashes
    #expect(hashes.count == report.outputFrames)
    // The way back is the mirror image of the way there, without the frames at which it turns.
    if codec == .apng {
      #expect(
        hashes == Array(hashes.prefix(forward.outputFrames))
          + hashes.prefix(forward.outputFrames).dropFirst().dropLast().reversed())
    }
  }

  @Test("an APNG is complete, and plays forever by default")
  func apng() async throws {
    let (path, report) = try await make(RenderSpec(codec: .apng), of: try source(size: "160x90"))
    let bytes = try Data(contentsOf: URL(filePath: path))
    let control = try #require(bytes.firstRange(of: Data("acTL".utf8))).upperBound
    let values = Array(bytes[control..<control + 8])
    #expect(values == [0, 0, 0, UInt8(report.outputFrames), 0, 0, 0, 0])
    #expect(try FrameHashes(path).hashes.count == report.outputFrames)
  }

  @Test("state how often they play only if they can, and have no audio")
  func refused() {
    #expect(throws: OvercrankError.self) { try RenderSpec(codec: .h264, playCount: 2).check() }
    #expect(throws: OvercrankError.self) { try RenderSpec(codec: .gif, audio: .pitch).check() }
    #expect(throws: OvercrankError.self) {
      try RenderSpec(outputRate: FrameRate(whole: 60), codec: .gif).check()
    }
    #expect(throws: OvercrankError.self) { try RenderSpec(codec: .prores, largestSize: 1000).check() }
  }
}
