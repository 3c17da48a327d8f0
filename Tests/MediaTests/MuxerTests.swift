import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing

@testable import Media

@Suite struct MuxerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Capture times of a jittering 240 fps camera, in microseconds.
  static let jittered: [Int64] = (0..<50).map { $0 * 4167 + ($0 * 7919) % 600 }

  @Test(.tags(.program), .timeLimit(.minutes(1))) func masterKeepsTheTimeOfEveryFrameToTheMicrosecond() throws
  {
    let jpeg = try Samples.jpeg(width: 64, height: 48)
    let path = folder.path("a.mov")
    var muxer = try Muxer(
      to: OutputFile(FilePath(path)), container: .mov,
      video: VideoTrack(codec: .mjpeg, width: 64, height: 48, color: .jpeg), timescale: 1_000_000,
      metadata: ["comment": "a take", "creation_time": "2019-01-01T12:59:00Z"])
    let times = Self.jittered
    for (index, time) in times.enumerated() {
      let duration = index + 1 < times.count ? times[index + 1] - time : 4321
      try muxer.write(jpeg, timestamp: time, duration: duration)
    }
    #expect(try folder.names == ["a.mov.part"])
    try muxer.finish()
    #expect(try folder.names == ["a.mov"])

    let probe = try Probe(path)
    #expect(probe.packets.map(\.pts) == times)
    #expect(probe.packets.last?.duration == 4321)
    let stream = try #require(probe.streams.first)
    #expect(stream.time_base == "1/1000000")
    #expect(stream.duration_ts == (times.last ?? 0) + 4321)
    #expect(stream.codec_name == "mjpeg")
    #expect((stream.width, stream.height) == (64, 48))
    #expect(probe.format.tags?["comment"] == "a take")
    #expect(probe.format.tags?["creation_time"] == "2019-01-01T12:59:00.000000Z")
    #expect(try boxes(of: path).suffix(2) == ["mdat", "moov"])
  }

  @Test(
    .tags(.program), .timeLimit(.minutes(1)),
    arguments: [
      PixelLayout.yuyv422, .uyvy422, .nv12, .yuv420p, .yuv422p, .yuv444p, .rgb24, .bgr24, .gray,
    ])
  func rawMasterIsReadBackBitForBit(layout: PixelLayout) throws {
    let (width, height) = (70, 50)
    let container = Container.forMaster(.raw(layout))
    let path = folder.path("a.\(container.fileExtension)")
    var muxer = try Muxer(
      to: OutputFile(FilePath(path)), container: container,
      video: VideoTrack(codec: .raw(layout), width: width, height: height), timescale: 1_000_000)
    let size = try #require(layout.byteCount(width: width, height: height))
    var written: [UInt8] = []
    for (index, time) in Self.jittered.prefix(5).enumerated() {
      let frame = noise(size, seed: index)
      written += frame
      try muxer.write(frame, timestamp: time, duration: 4167)
    }
    try muxer.finish()
    let probe = try Probe(path)
    #expect(probe.packets.map(\.pts) == Array(Self.jittered.prefix(5)))
    #expect(probe.streams.first?.time_base == "1/1000000")
    #expect(probe.streams.first?.pix_fmt == layout.description)
    let raw = folder.path("raw")
    try Program.ffmpeg("-i", path, "-f", "rawvideo", "-fps_mode", "passthrough", raw)
    #expect(try Data(contentsOf: URL(filePath: raw)) == Data(written))
  }

  @Test(.tags(.program), .timeLimit(.minutes(1)), arguments: [Container.mov, .mp4])
  func indexGoesInFrontWhereAsked(container: Container) throws {
    let path = folder.path("a")
    let jpeg = try Samples.jpeg(width: 64, height: 48)
    var muxer = try Muxer(
      to: OutputFile(FilePath(path)), container: container,
      video: VideoTrack(codec: .mjpeg, width: 64, height: 48), timescale: 30_000,
      index: .front(frameCount: 300))
    for index in 0..<300 {
      try muxer.write(jpeg, timestamp: Int64(index) * 1001, duration: 1001)
    }
    try muxer.finish()
    let boxes = try boxes(of: path)
    let moov = try #require(boxes.firstIndex(of: "moov"))
    let mdat = try #require(boxes.firstIndex(of: "mdat"))
    #expect(moov < mdat)
    // What the index does not need is cut out.
    let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    #expect(size - 300 * jpeg.count < 8_000)
    let frames = folder.path("frames")
    try Program.ffmpeg("-i", path, "-c", "copy", "-f", "mjpeg", frames)
    #expect(try Data(contentsOf: URL(filePath: frames)) == Data((0..<300).flatMap { _ in jpeg }))
    let probe = try Probe(path)
    #expect(probe.packets.map(\.pts) == (0..<300).map { $0 * 1001 })
    #expect(probe.streams.first?.avg_frame_rate == "30000/1001")
  }

  @Test func timesThatDoNotRiseAreRefused() throws {
    var muxer = try Muxer(
      to: OutputFile(FilePath(folder.path("a.mov"))), container: .mov,
      video: VideoTrack(codec: .mjpeg, width: 64, height: 48), timescale: 1000)
    let bytes: [UInt8] = [1, 2, 3]
    try muxer.write(bytes, timestamp: 5, duration: 1)
    var code: OvercrankError.Code?
    do {
      try muxer.write(bytes, timestamp: 5, duration: 1)
    } catch {
      code = error.code
    }
    #expect(code == .badData)
  }

  @Test func nothingIsLeftOfAFileThatIsNotFinished() throws {
    do {
      var muxer = try Muxer(
        to: OutputFile(FilePath(folder.path("a.mov"))), container: .mov,
        video: VideoTrack(codec: .mjpeg, width: 64, height: 48), timescale: 1000)
      let bytes: [UInt8] = [1, 2, 3]
      try muxer.write(bytes, timestamp: 5, duration: 1)
      #expect(muxer.bytesWritten > 3)
    }
    #expect(try folder.names.isEmpty)
  }

  @Test func containerThatCannotHoldTheFramesNamesThoseThatCan() throws {
    let error = #expect(throws: OvercrankError.self) {
      _ = try Muxer(
        to: OutputFile(FilePath(folder.path("a.mp4"))), container: .mp4,
        video: VideoTrack(codec: .raw(.yuyv422), width: 64, height: 48), timescale: 1000)
    }
    #expect(error?.code == .unsupported)
    let words = try #require(error?.description)
    #expect(words.contains("MP4 cannot hold rawvideo yuyv422. Use one that can: MOV, NUT."))
    #expect(try folder.names.isEmpty)
  }

  @Test(
    "a gap that the index cannot hold is refused, and the file is complete up to it", .tags(.program),
    .timeLimit(.minutes(1)), arguments: [Container.mov, .mp4])
  func longGap(container: Container) throws {
    let jpeg = try Samples.jpeg(width: 64, height: 48)
    let path = folder.path("a.\(container.fileExtension)")
    var muxer = try Muxer(
      to: OutputFile(FilePath(path)), container: container,
      video: VideoTrack(codec: .mjpeg, width: 64, height: 48, color: .jpeg), timescale: 1_000_000)
    let longest = Int64(Int32.max) - 1
    try muxer.write(jpeg, timestamp: 0, duration: 1)
    try muxer.write(jpeg, timestamp: longest, duration: 1)
    #expect(throws: OvercrankError.self) { try muxer.write(jpeg, timestamp: 2 * longest + 1, duration: 1) }
    try muxer.finish()
    var video = try Demuxer(FilePath(path))
    var times: [Int64?] = []
    while let packet = try video.nextPacket() { times.append(packet.presentationTimestamp) }
    #expect(times == [0, longest])
  }
}
