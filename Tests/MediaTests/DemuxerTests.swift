import Platform
import FrameJudge
import Foundation
import SystemPackage
import Testing
import Timebase

@testable import Media

@Suite(.tags(.program), .timeLimit(.minutes(1))) struct DemuxerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func failure(_ path: String) -> OvercrankError? {
    do {
      _ = try Demuxer(FilePath(path))
      return nil
    } catch {
      return error
    }
  }

  /// Makes a video of ffmpeg's test picture.
  func video(_ name: String, _ options: String...) throws -> String {
    let path = folder.path(name)
    try Program.run(
      "ffmpeg",
      ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=240:d=0.25"] + options + [path])
    return path
  }

  @Test(arguments: ["mov", "mkv", "nut", "avi"]) func everyPacketHasItsTimeAndBytes(kind: String) throws {
    let path = try video(
      "a.\(kind)", "-c:v", "mjpeg", "-pix_fmt", "yuvj422p", "-video_track_timescale", "240000")
    var demuxer = try Demuxer(FilePath(path))
    #expect(demuxer.track.codec == .mjpeg)
    #expect((demuxer.track.width, demuxer.track.height) == (64, 48))
    var times: [Int64?] = []
    var sizes: [Int] = []
    while let packet = try demuxer.nextPacket() {
      times.append(packet.presentationTimestamp)
      packet.withBytes { sizes.append($0.count) }
      #expect(packet.isKeyframe)
    }
    let probe = try Probe(path)
    #expect(times == probe.packets.map(\.pts))
    #expect(sizes == probe.packets.compactMap { Int($0.size) })
    #expect(demuxer.timeBase.description == probe.streams.first?.time_base)
  }

  @Test func movTellsItsTimesWithoutBeingRead() throws {
    let path = try video(
      "a.mov", "-c:v", "mjpeg", "-pix_fmt", "yuvj422p", "-video_track_timescale", "1000000")
    let demuxer = try Demuxer(FilePath(path))
    let packets = try Probe(path).packets
    #expect(demuxer.indexedTimes()?.map(\.timestamp) == packets.map(\.pts))
    #expect(demuxer.indexedTimes()?.last?.duration == packets.last?.duration)
    #expect(demuxer.frameCount == 60)
    #expect(demuxer.averageRate?.framesPerSecond == Fraction(240))
  }

  @Test func sourcesWithBFramesHaveNoIndexInTheOrderShown() throws {
    let path = try video("a.mp4", "-c:v", "libx264", "-bf", "3")
    #expect(try Demuxer(FilePath(path)).indexedTimes() == nil)
  }

  @Test func onlyTheVideoIsRead() throws {
    let path = try video(
      "a.mkv", "-f", "lavfi", "-i", "sine", "-map", "1:a", "-map", "0:v", "-c:v", "libx264", "-c:a", "aac",
      "-shortest")
    var demuxer = try Demuxer(FilePath(path))
    var count = 0
    while try demuxer.nextPacket() != nil { count += 1 }
    #expect(count == 60)
  }

  @Test func rotationAndPixelShapeAreSeen() throws {
    let upright = try video("a.mp4", "-c:v", "libx264", "-vf", "setsar=4/3")
    let turned = folder.path("b.mp4")
    try Program.ffmpeg("-i", upright, "-c", "copy", "-metadata:s:v", "rotate=90", turned)
    #expect(try Demuxer(FilePath(upright)).track.rotation == 0)
    let track = try Demuxer(FilePath(turned)).track
    #expect(abs(track.rotation) == 90)
    #expect(track.pixelAspectRatio == Fraction(4, 3))
    #expect(track.obliqueRotation == nil && track.orientation.isTurned)
  }

  @Test(arguments: [
    (46341, 46341, 45), (46341, -46341, 315), (65_536, 600, nil), (0, -65_536, nil), (0, 0, nil),
  ])
  func rotationsBetweenQuarterTurnsAreSeen(_ cosine: Int32, _ sine: Int32, _ degrees: Double?) {
    var track = VideoTrack(codec: .mjpeg, width: 64, height: 48)
    track.displayMatrix = DisplayMatrix(terms: [cosine, sine, 0, -sine, cosine, 0, 0, 0, 1 << 30])
    #expect(track.obliqueRotation?.rounded() == degrees)
  }

  @Test(
    "a list of other files is refused, and none of them is opened",
    arguments: ["a.ffconcat", "a.mp4", "a.m3u8"])
  func lists(name: String) throws {
    // A program that opened the pipe would wait for a writer.
    mkfifo(folder.path("pipe.ts"), 0o600)
    let text =
      name == "a.m3u8"
      ? "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:2,\npipe.ts\n#EXT-X-ENDLIST\n"
      : "ffconcat version 1.0\nfile pipe.ts\n"
    try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
    #expect(failure(folder.path(name))?.code == .badData)
  }

  @Test func missingFileIsNoInput() throws {
    let error = try #require(failure(folder.path("none.mov")))
    #expect(error.code == .noInput)
    #expect(error.description.contains("No such file"))
  }

  @Test func folderIsNoInput() throws {
    #expect(failure(folder.url.path)?.code == .noInput)
  }

  @Test func emptyFileIsBadData() throws {
    try Data().write(to: URL(filePath: folder.path("a.mov")))
    let error = try #require(failure(folder.path("a.mov")))
    #expect(error.code == .badData)
    #expect(error.description.contains("is empty"))
  }

  @Test(arguments: ["a.mov", "a.txt", "a"]) func textIsBadData(name: String) throws {
    try "All work and no play makes Jack a dull boy.\n".write(
      toFile: folder.path(name), atomically: false, encoding: .utf8)
    #expect(failure(folder.path(name))?.code == .badData)
  }

  @Test func audioAloneIsBadData() throws {
    let path = folder.path("a.m4a")
    try Program.ffmpeg("-f", "lavfi", "-i", "sine=d=0.1", path)
    let error = try #require(failure(path))
    #expect(error.code == .badData)
    #expect(error.description.contains("no video"))
  }

  @Test(arguments: [0.9, 0.5, 0.02]) func movWithoutItsIndexIsCutOff(part: Double) throws {
    let path = try video("a.mov", "-c:v", "mjpeg", "-pix_fmt", "yuvj422p")
    let whole = try Data(contentsOf: URL(filePath: path))
    try whole.prefix(Int(Double(whole.count) * part)).write(to: URL(filePath: path))
    let error = try #require(failure(path))
    #expect(error.code == .badData)
    #expect(error.description.contains("is cut off"))
  }

  @Test(arguments: ["5000", "200"]) func damageInMatroskaEndsItOrIsReportedAtTheEnd(clusterTime: String)
    throws
  {
    let path = folder.path("a.mkv")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=2,noise=alls=20", "-c:v", "libx264",
      "-cluster_time_limit", clusterTime, path)
    func read() throws(OvercrankError) -> Int {
      var file = try Demuxer(FilePath(path))
      var count = 0
      while try file.nextPacket() != nil { count += 1 }
      return count
    }
    #expect(try read() == 60)
    var bytes = try Data(contentsOf: URL(filePath: path))
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 9000, with: Data(count: 9000))
    try bytes.write(to: URL(filePath: path))
    let error = #expect(throws: OvercrankError.self) { _ = try read() }
    #expect(error?.code == .badData && error?.description.contains("is damaged at byte") == true)
    let isSkipped = clusterTime == "200"
    #expect(error?.description.contains("its frames there are missing") == isSkipped)
  }

  @Test func colonInTheNameIsNoProtocol() throws {
    let path = try video("a.mov", "-c:v", "mjpeg", "-pix_fmt", "yuvj422p")
    let odd = folder.path("http:12:00.mov")
    try FileManager.default.moveItem(atPath: path, toPath: odd)
    #expect(failure(odd) == nil)
  }

  @Test(arguments: [
    (Errno.permissionDenied, OvercrankError.Code.noPermission), (.noSuchFileOrDirectory, .noInput),
    (.isDirectory, .noInput), (.ioError, .inputOutput), (.notDirectory, .noInput),
  ])
  func eachErrnoOfOpeningHasItsCode(errno: Errno, code: OvercrankError.Code) {
    let error = OvercrankError.opening("/films/a.mov", errno)
    #expect(error.code == code)
    #expect(error.description.hasPrefix("/films/a.mov: "))
  }

  @Test(arguments: [
    (Errno.permissionDenied, OvercrankError.Code.noPermission, "may not write"),
    (.readOnlyFileSystem, .cannotCreate, "/films is mounted read-only"),
    (.isDirectory, .noInput, "It is a folder"),
  ])
  func eachErrnoOfChangingHasItsRemedy(errno: Errno, code: OvercrankError.Code, remedy: String) {
    let error = OvercrankError.changing("/films/a.mov", errno)
    #expect(error.code == code)
    #expect(error.description.contains(remedy))
  }
}
