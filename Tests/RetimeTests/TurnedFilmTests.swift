import FilmJudge
import Foundation
import Media
import Platform
import SystemPackage
import Testing
import Timebase

@testable import Retime

/// Films that a player turns and mirrors, as phones make them.
@Suite("Turned films") struct TurnedFilmTests {
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
    let options = ClipOptions(
      speed: SpeedCurve(.normal), crop: .part(PictureCrop(width: 48, height: 32, x: 4, y: 10)), codec: .mjpeg,
      quality: 2)
    _ = try await ClipRenderer(ClipSource(FilePath(film)), options: options).render(
      to: OutputFile(FilePath(clip)), container: .mov)
    let (pixels, due) = (try shown(clip), try shown(film, "crop=48:32:4:10"))
    #expect(pixels.count == 48 * 32)
    let error = zip(pixels, due).map { abs(Int($0) - Int($1)) }.reduce(0, +)
    #expect(Double(error) / Double(due.count) < 3, "another part of the picture")
  }

  @Test("are told of where the container cannot turn them", arguments: [Container.mkv, .mov])
  func container(_ container: Container) async throws {
    let film = try film([0, 1, -1, 0])
    let options = ClipOptions(speed: SpeedCurve(.normal), codec: .mjpeg)
    let report = try await ClipRenderer(ClipSource(FilePath(film)), options: options).render(
      to: OutputFile(FilePath(folder.path("clip.\(container)"))), container: container)
    #expect(report.losesOrientation == (container == .mkv))
  }

  @Test("are scaled as they are shown", arguments: ["32:-1", "-1:48", "32x64", "1/2"])
  func scale(_ size: String) async throws {
    let film = try film([0, 1, -1, 0])
    let clip = folder.path("clip.mov")
    let options = ClipOptions(speed: SpeedCurve(.normal), scale: try ClipScale(text: size), codec: .mjpeg)
    _ = try await ClipRenderer(ClipSource(FilePath(film)), options: options).render(
      to: OutputFile(FilePath(clip)), container: .mov)
    // 64x96 as it is shown, 96x64 as it lies in the file.
    let stream = try #require(try Probe(clip).streams.first)
    #expect((stream.width, stream.height) == (size == "32x64" ? (64, 32) : (48, 32)))
    #expect(stream.sample_aspect_ratio == (size == "32x64" ? "3:4" : "1:1"))
  }
}
