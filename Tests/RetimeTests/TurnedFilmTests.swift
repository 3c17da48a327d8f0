import CameraModel
import FilmJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

/// Films that a player turns and mirrors, as phones make them.
@Suite("Turned films", .tags(.program), .timeLimit(.minutes(1))) struct TurnedFilmTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The terms a, b, c and d of a display matrix.
  static let matrices: [[Int32]] = [
    [1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0], [-1, 0, 0, 1], [1, 0, 0, -1], [0, 1, 1, 0],
    [0, -1, -1, 0],
  ]

  /// Two frames of 96x64 with a display matrix.
  private func film(_ matrix: [Int32]) throws -> String {
    let path = folder.path("film.mov")
    try Program.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=96x64:r=30:d=0.05", "-c:v", "mjpeg", "-q:v", "2", path)
    func bytes(_ matrix: [Int32]) -> Data {
      let terms = [matrix[0] << 16, matrix[1] << 16, 0, matrix[2] << 16, matrix[3] << 16, 0, 0, 0, 1 << 30]
      return Data(terms.flatMap { term in (0..<4).map { UInt8(truncatingIfNeeded: term >> (24 - 8 * $0)) } })
    }
    var movie = try Data(contentsOf: URL(filePath: path))
    // The first is the movie's own, the last the track's.
    let place = try #require(movie.range(of: bytes([1, 0, 0, 1]), options: .backwards))
    movie.replaceSubrange(place, with: bytes(matrix))
    try movie.write(to: URL(filePath: path))
    return path
  }

  /// The first frame as a player shows it, in grey, cut and scaled by ffmpeg's filters.
  private func shown(_ path: String, _ filters: String = "null") throws -> [UInt8] {
    let words = ["-v", "error", "-nostdin", "-i", path, "-frames:v", "1"]
    return [UInt8](
      try Program.run("ffmpeg", words + ["-vf", "\(filters),format=gray", "-f", "rawvideo", "-"]).output)
  }

  @Test("are cropped as they are shown", arguments: matrices)
  func crop(_ matrix: [Int32]) async throws {
    let film = try film(matrix)
    let clip = folder.path("clip.mov")
    let options = RenderSpec(
      speed: SpeedCurve(.normal),
      stages: .usual.with(ClipCrop.part(PictureCrop(width: 48, height: 32, x: 4, y: 10))), codec: .mjpeg,
      quality: 2)
    _ = try await ClipRenderer(ClipSource(FilePath(film)), spec: options).render(
      to: OutputFile(FilePath(clip)), container: .mov)
    let (pixels, due) = (try shown(clip), try shown(film, "crop=48:32:4:10"))
    #expect(pixels.count == 48 * 32)
    let error = zip(pixels, due).map { abs(Int($0) - Int($1)) }.reduce(0, +)
    #expect(Double(error) / Double(due.count) < 3, "another part of the picture")
  }

  /// A turn, and ffmpeg's filters for the same.
  static let turns: [(degrees: Int, isMirrored: Bool, filters: String)] = [
    (90, false, "transpose=clock"), (180, false, "hflip,vflip"), (270, false, "transpose=cclock"),
    (0, true, "hflip"), (90, true, "transpose=clock,hflip"), (180, true, "vflip"),
    (270, true, "transpose=cclock,hflip"),
  ]

  private func difference(_ pixels: [UInt8], _ due: [UInt8]) -> Double {
    guard pixels.count == due.count, !due.isEmpty else { return .infinity }
    return Double(zip(pixels, due).map { abs(Int($0) - Int($1)) }.reduce(0, +)) / Double(due.count)
  }

  @Test(
    "are turned further in their pixels, and cropped as they are shown then", arguments: matrices,
    [0, 1, 2, 3, 4, 5, 6])
  func turnedFurther(_ matrix: [Int32], _ number: Int) async throws {
    let film = try film(matrix)
    let clip = folder.path("clip.mkv")
    let (degrees, isMirrored, filters) = Self.turns[number]
    var options = RenderSpec(speed: SpeedCurve(.normal), codec: .ffv1)
    options.stages[PictureTurn.self] = PictureTurn(degrees: degrees, isMirrored: isMirrored)
    options.stages[ClipCrop.self] = ClipCrop.part(PictureCrop(width: 48, height: 32, x: 4, y: 10))
    let report = try await ClipRenderer(ClipSource(FilePath(film)), spec: options).render(
      to: OutputFile(FilePath(clip)), container: .mkv)
    #expect(!report.losesOrientation)
    let stream = try #require(try Probe(clip).streams.first)
    #expect((stream.width, stream.height) == (48, 32))
    #expect(difference(try shown(clip), try shown(film, "\(filters),crop=48:32:4:10")) < 3)
  }

  @Test("are turned as their take says, unless somebody says otherwise", arguments: [nil, 0, 180])
  func takeSays(_ asked: Int?) async throws {
    let film = try film([1, 0, 0, 1])
    let clip = folder.path("clip.mov")
    var source = ClipSource(FilePath(film))
    source.turn = PictureTurn(degrees: 90)
    var options = RenderSpec(speed: SpeedCurve(.normal), codec: .mjpeg, quality: 2)
    options.stages[PictureTurn.self] = asked.flatMap { PictureTurn(degrees: $0) }
    _ = try await ClipRenderer(source, spec: options).render(
      to: OutputFile(FilePath(clip)), container: .mov)
    let filters = asked == nil ? "transpose=clock" : asked == 0 ? "null" : "hflip,vflip"
    #expect(difference(try shown(clip), try shown(film, filters)) < 3)
  }

  @Test("are copied with a matrix that turns them further", arguments: matrices, [0, 1, 2, 3, 4, 5, 6])
  func copiedFurther(_ matrix: [Int32], _ number: Int) async throws {
    let film = try film(matrix)
    let (degrees, isMirrored, filters) = Self.turns[number]
    let turn = try #require(PictureTurn(degrees: degrees, isMirrored: isMirrored))
    let clip = folder.path("copy.mov")
    let report = try await CopyRetimer(FilePath(film), speed: SpeedCurve(.normal), turn: turn).copy(
      to: OutputFile(FilePath(clip)), container: .mov)
    #expect(!report.losesOrientation)
    #expect(difference(try shown(clip), try shown(film, filters)) == 0)
  }

  @Test("keep the shape of their pixels", arguments: [90, 180])
  func aspect(_ degrees: Int) async throws {
    let film = try film([1, 0, 0, 1])
    let clip = folder.path("clip.mov")
    var options = RenderSpec(speed: SpeedCurve(.normal), codec: .mjpeg)
    options.stages[PictureTurn.self] = PictureTurn(degrees: degrees)
    options.stages[ClipScale.self] = ClipScale.size(width: 64, height: 64)
    _ = try await ClipRenderer(ClipSource(FilePath(film)), spec: options).render(
      to: OutputFile(FilePath(clip)), container: .mov)
    let stream = try #require(try Probe(clip).streams.first)
    #expect((stream.width, stream.height) == (64, 64))
    #expect(stream.sample_aspect_ratio == (degrees == 90 ? "2:3" : "3:2"))
  }

  @Test("lie the same in every container", arguments: matrices, [Container.mkv, .mov, .nut])
  func container(_ matrix: [Int32], _ container: Container) async throws {
    let film = try film(matrix)
    let clip = folder.path("clip.\(container)")
    let options = RenderSpec(speed: SpeedCurve(.normal), codec: .mjpeg, quality: 2)
    let report = try await ClipRenderer(ClipSource(FilePath(film)), spec: options).render(
      to: OutputFile(FilePath(clip)), container: container)
    #expect(!report.losesOrientation)
    #expect(difference(try shown(clip), try shown(film)) < 3)
  }

  @Test("are copied with a word where the container cannot turn them", arguments: [Container.mkv, .mov])
  func copied(_ container: Container) async throws {
    let film = try film([0, 1, -1, 0])
    let report = try await CopyRetimer(FilePath(film), speed: SpeedCurve(.normal)).copy(
      to: OutputFile(FilePath(folder.path("copy.\(container)"))), container: container)
    #expect(report.losesOrientation == (container == .mkv))
  }

  @Test("are scaled as they are shown", arguments: ["32:-1", "-1:48", "32x64", "1/2"])
  func scale(_ size: String) async throws {
    let film = try film([0, 1, -1, 0])
    let clip = folder.path("clip.mov")
    let options = RenderSpec(
      speed: SpeedCurve(.normal), stages: .usual.with(try ClipScale(text: size)), codec: .mjpeg)
    _ = try await ClipRenderer(ClipSource(FilePath(film)), spec: options).render(
      to: OutputFile(FilePath(clip)), container: .mov)
    // 64x96 as it is shown, 96x64 as it lies in the file.
    let stream = try #require(try Probe(clip).streams.first)
    #expect((stream.width, stream.height) == (size == "32x64" ? (64, 32) : (48, 32)))
    #expect(stream.sample_aspect_ratio == (size == "32x64" ? "3:4" : "1:1"))
  }
}
