import CameraModel
import FrameJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

/// Videos that a player rotates and mirrors, as phones write them.
@Suite("Rotated sources", .tags(.program), .timeLimit(.minutes(1))) struct TurnedVideoTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The terms a, b, c and d of a display matrix.
  static let matrices: [[Int32]] = [
    [1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0], [-1, 0, 0, 1], [1, 0, 0, -1], [0, 1, 1, 0],
    [0, -1, -1, 0],
  ]

  /// Two frames of 96x64, without rotation.
  private static let upright = Result { () throws -> Data in
    let folder = try TemporaryFolder()
    let path = folder.path("film.mov")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=96x64:r=30:d=0.05", "-c:v", "mjpeg", "-q:v", "2", path)
    return try Data(contentsOf: URL(filePath: path))
  }

  /// The same with a display matrix.
  private func video(_ matrix: [Int32]) throws -> String {
    let path = folder.path("film.mov")
    func bytes(_ matrix: [Int32]) -> Data {
      let terms = [matrix[0] << 16, matrix[1] << 16, 0, matrix[2] << 16, matrix[3] << 16, 0, 0, 0, 1 << 30]
      return Data(terms.flatMap { term in (0..<4).map { UInt8(truncatingIfNeeded: term >> (24 - 8 * $0)) } })
    }
    var movie = try Self.upright.get()
    // The first is the movie's own, the last the track's.
    let place = try #require(movie.range(of: bytes([1, 0, 0, 1]), options: .backwards))
    movie.replaceSubrange(place, with: bytes(matrix))
    try movie.write(to: URL(filePath: path))
    return path
  }

  /// The first frame of each video as a player shows it, in grey, cropped and rotated by ffmpeg's filters.
  private func shown(_ videos: [(path: String, filters: String)]) throws -> [[UInt8]] {
    let pictures = videos.indices.map { folder.path("shown\($0).raw") }
    var words = ["-v", "error", "-nostdin", "-y"]
    for video in videos { words += ["-i", video.path] }
    for (number, picture) in zip(videos.indices, pictures) {
      words += ["-map", "\(number):v", "-frames:v", "1", "-vf", "\(videos[number].filters),format=gray"]
      words += ["-f", "rawvideo", picture]
    }
    try Program.run("ffmpeg", words)
    return try pictures.map { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
  }

  @Test("are cropped as shown", arguments: matrices)
  func crop(_ matrix: [Int32]) async throws {
    let video = try video(matrix)
    let clip = folder.path("clip.mov")
    let options = RenderSpec(
      speed: SpeedCurve(.normal),
      stages: .usual.with(ClipCrop.part(PictureCrop(width: 48, height: 32, x: 4, y: 10))), codec: .mjpeg,
      quality: 2)
    _ = try await ClipRenderer(ClipSource(FilePath(video)), spec: options).render(
      to: OutputFile(FilePath(clip)), container: .mov)
    let pictures = try shown([(clip, "null"), (video, "crop=48:32:4:10")])
    #expect(pictures[0].count == 48 * 32)
    #expect(difference(pictures[0], pictures[1]) < 3, "another part of the picture")
  }

  /// A rotation, and ffmpeg's filters for the same.
  static let turns: [(degrees: Int, isMirrored: Bool, filters: String)] = [
    (90, false, "transpose=clock"), (180, false, "hflip,vflip"), (270, false, "transpose=cclock"),
    (0, true, "hflip"), (90, true, "transpose=clock,hflip"), (180, true, "vflip"),
    (270, true, "transpose=cclock,hflip"),
  ]

  /// Writes two JPEGs with these orientations in their EXIF data, and returns the same picture without one.
  private func images(_ orientations: [UInt8]) throws -> String {
    let plain = folder.path("plain.jpg")
    try Program.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=96x64:r=30", "-frames:v", "1", "-q:v", "2", plain)
    let picture = try Data(contentsOf: URL(filePath: plain))
    for (index, orientation) in orientations.enumerated() {
      let directory: [UInt8] = [0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
      let exif = Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8] + directory
      let segment = [0xff, 0xe1, 0, UInt8(exif.count + 2)] + exif
      try (picture.prefix(2) + segment + picture.dropFirst(2))
        .write(to: URL(filePath: folder.path("image\(index).jpg")))
    }
    return plain
  }

  /// ffmpeg's filters for the orientations in EXIF data, from 1 on.
  static let imageTurns = [
    "null", "hflip", "hflip,vflip", "vflip", "transpose=cclock_flip", "transpose=clock",
    "transpose=clock_flip",
    "transpose=cclock",
  ]

  @Test("that are numbered JPEGs are turned by their EXIF data", arguments: UInt8(1)...8)
  func images(_ orientation: UInt8) async throws {
    let plain = try images([orientation, orientation])
    let clip = folder.path("clip.mkv")
    _ = try await ClipRenderer(
      ClipSource(FilePath(folder.path("image%d.jpg"))), spec: RenderSpec(codec: .ffv1)
    )
    .render(to: OutputFile(FilePath(clip)), container: .mkv)
    let pictures = try shown([(clip, "null"), (plain, Self.imageTurns[Int(orientation) - 1])])
    #expect(difference(pictures[0], pictures[1]) < 3)
    let track = try Demuxer(FilePath(clip)).track
    #expect(track.width == (orientation > 4 ? 64 : 96))
  }

  @Test("that are numbered JPEGs of different orientations are refused")
  func mixedImages() async throws {
    _ = try images([1, 6])
    await #expect {
      _ = try await ClipRenderer(
        ClipSource(FilePath(folder.path("image%d.jpg"))), spec: RenderSpec(codec: .ffv1)
      )
      .render(to: OutputFile(FilePath(folder.path("clip.mkv"))), container: .mkv)
    } throws: { error in
      (error as? OvercrankError)?.code == .badData && "\(error)".contains("image1.jpg")
    }
  }

  private func difference(_ pixels: [UInt8], _ due: [UInt8]) -> Double {
    guard pixels.count == due.count, !due.isEmpty else { return .infinity }
    return Double(zip(pixels, due).map { abs(Int($0) - Int($1)) }.reduce(0, +)) / Double(due.count)
  }

  /// Expects each clip to have the same picture as `video` with the filters of its rotation.
  private func expectTurned(_ clips: [String], _ video: String, cut: String = "", tolerance: Double) throws {
    let pictures = try shown(
      zip(clips, Self.turns).flatMap { clip, turn in [(clip, "null"), (video, turn.filters + cut)] })
    for (number, turn) in Self.turns.enumerated() {
      let difference = difference(pictures[2 * number], pictures[2 * number + 1])
      #expect(difference <= tolerance, "\(turn)")
    }
  }

  @Test("are rotated further in their pixels, and cropped as shown then", arguments: matrices)
  func turnedFurther(_ matrix: [Int32]) async throws {
    let video = try video(matrix)
    var clips: [String] = []
    for (number, (degrees, isMirrored, _)) in Self.turns.enumerated() {
      var options = RenderSpec(speed: SpeedCurve(.normal), codec: .ffv1)
      options.stages[PictureTurn.self] = PictureTurn(degrees: degrees, isMirrored: isMirrored)
      options.stages[ClipCrop.self] = ClipCrop.part(PictureCrop(width: 48, height: 32, x: 4, y: 10))
      clips.append(folder.path("clip\(number).mkv"))
      let report = try await ClipRenderer(ClipSource(FilePath(video)), spec: options).render(
        to: OutputFile(FilePath(clips[number])), container: .mkv)
      #expect(!report.losesOrientation)
    }
    try expectTurned(clips, video, cut: ",crop=48:32:4:10", tolerance: 3)
  }

  @Test("are rotated as their take states, unless an option says otherwise", arguments: [nil, 0, 180])
  func takeSays(_ asked: Int?) async throws {
    let video = try video([1, 0, 0, 1])
    let clip = folder.path("clip.mov")
    var source = ClipSource(FilePath(video))
    source.turn = PictureTurn(degrees: 90)
    var options = RenderSpec(speed: SpeedCurve(.normal), codec: .mjpeg, quality: 2)
    options.stages[PictureTurn.self] = asked.flatMap { PictureTurn(degrees: $0) }
    _ = try await ClipRenderer(source, spec: options).render(
      to: OutputFile(FilePath(clip)), container: .mov)
    let filters = asked == nil ? "transpose=clock" : asked == 0 ? "null" : "hflip,vflip"
    let pictures = try shown([(clip, "null"), (video, filters)])
    #expect(difference(pictures[0], pictures[1]) < 3)
  }

  @Test("are copied with a matrix that rotates them further", arguments: matrices)
  func copiedFurther(_ matrix: [Int32]) async throws {
    let video = try video(matrix)
    var clips: [String] = []
    for (number, (degrees, isMirrored, _)) in Self.turns.enumerated() {
      let turn = try #require(PictureTurn(degrees: degrees, isMirrored: isMirrored))
      clips.append(folder.path("copy\(number).mov"))
      let report = try await CopyRetimer(FilePath(video), speed: SpeedCurve(.normal), turn: turn).copy(
        to: OutputFile(FilePath(clips[number])), container: .mov)
      #expect(!report.losesOrientation)
    }
    try expectTurned(clips, video, tolerance: 0)
  }

  @Test("keep the shape of their pixels", arguments: [90, 180])
  func aspect(_ degrees: Int) async throws {
    let video = try video([1, 0, 0, 1])
    let clip = folder.path("clip.mov")
    var options = RenderSpec(speed: SpeedCurve(.normal), codec: .mjpeg)
    options.stages[PictureTurn.self] = PictureTurn(degrees: degrees)
    options.stages[ClipScale.self] = ClipScale.size(width: 64, height: 64)
    _ = try await ClipRenderer(ClipSource(FilePath(video)), spec: options).render(
      to: OutputFile(FilePath(clip)), container: .mov)
    let stream = try #require(try Probe(clip).streams.first)
    #expect((stream.width, stream.height) == (64, 64))
    #expect(stream.sample_aspect_ratio == (degrees == 90 ? "2:3" : "3:2"))
  }

  @Test("look the same in every container", arguments: matrices)
  func container(_ matrix: [Int32]) async throws {
    let video = try video(matrix)
    let clips = [Container.mkv, .mov, .nut].map { ($0, folder.path("clip.\($0)")) }
    for (container, clip) in clips {
      let options = RenderSpec(speed: SpeedCurve(.normal), codec: .mjpeg, quality: 2)
      let report = try await ClipRenderer(ClipSource(FilePath(video)), spec: options).render(
        to: OutputFile(FilePath(clip)), container: container)
      #expect(!report.losesOrientation)
    }
    let pictures = try shown([(video, "null")] + clips.map { ($0.1, "null") })
    for (clip, picture) in zip(clips, pictures.dropFirst()) {
      #expect(difference(picture, pictures[0]) < 3, "\(clip.0)")
    }
  }

  @Test("are copied with a warning if the container cannot rotate them", arguments: [Container.mkv, .mov])
  func copied(_ container: Container) async throws {
    let video = try video([0, 1, -1, 0])
    let report = try await CopyRetimer(FilePath(video), speed: SpeedCurve(.normal)).copy(
      to: OutputFile(FilePath(folder.path("copy.\(container)"))), container: container)
    #expect(report.losesOrientation == (container == .mkv))
  }

  @Test("are scaled as shown", arguments: ["32:-1", "-1:48", "32x64", "1/2"])
  func scale(_ size: String) async throws {
    let video = try video([0, 1, -1, 0])
    let clip = folder.path("clip.mov")
    let options = RenderSpec(
      speed: SpeedCurve(.normal), stages: .usual.with(try ClipScale(text: size)), codec: .mjpeg)
    _ = try await ClipRenderer(ClipSource(FilePath(video)), spec: options).render(
      to: OutputFile(FilePath(clip)), container: .mov)
    // 64x96 as shown, 96x64 in the file.
    let stream = try #require(try Probe(clip).streams.first)
    #expect((stream.width, stream.height) == (size == "32x64" ? (64, 32) : (48, 32)))
    #expect(stream.sample_aspect_ratio == (size == "32x64" ? "3:4" : "1:1"))
  }
}
