import FrameJudge
import Foundation
import SystemPackage
import Takes
import Testing
import Timebase

@Suite("takes export --as", .tags(.program), .timeLimit(.minutes(1)))
struct TakesExportFormTests {
  let folder: TemporaryFolder
  let copies: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    copies = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime("phase=1ms,drop=5-6"), "--with",
      SmallCamera.inVirtualTime("phase=3ms"), "--fps", "240", "--frames", "24", "--no-clip", "--no-thumbnail",
      "-o",
      folder.path("x.mp4"))
    try #require(run.status == 0, "\(run.errors)")
  }

  private func export(_ item: String, as form: String) throws -> OvercrankProgram {
    try OvercrankProgram("takes", "export", folder.path(item), "--to", copies.url.path, "--as", form)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: URL(filePath: copies.path(name)), encoding: .utf8)
  }

  /// Expects the videos to show the frames of a take, one after the other.
  private func expect(_ videos: String..., show name: String) throws {
    let shown = try videos.flatMap { try StripVideo(copies.path($0)).numbers }
    #expect(shown == (try folder.take(name)).sequences.map { UInt32($0) }, "\(videos)")
  }

  /// The frames' times of a take on the clock of the group, in nanoseconds.
  private func times(_ name: String) throws -> [Int64] {
    let group = try TakeGroup.read(from: FilePath(folder.path("x.group.json")))
    let camera = try #require(group.cameras.first { $0.take == "\(name).take.json" })
    let take = try folder.take(name)
    let first = try #require(take.timestamps.first)
    return take.timestamps.map { camera.place(of: $0 - first).wholeNanoseconds }
  }

  @Test("csv copies the masters, and has a row for each of their frames")
  func csv() throws {
    let run = try export("x.group.json", as: "csv")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try copies.names == ["x-A.master.mov", "x-B.master.mov", "x.frames.csv"])
    let rows = try text("x.frames.csv").split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
    for (camera, name) in [("A", "x-A"), ("B", "x-B")] {
      let own = rows.filter { $0[0] == camera }
      let take = try folder.take(name)
      #expect(own.map { Int64($0[2]) } == take.sequences.map { $0 })
      #expect(own.map { Int64($0[3]) } == (try times(name)))
      #expect(own.allSatisfy { $0[6] == "\(name).master.mov" })
      try expect("\(name).master.mov", show: name)
    }
    #expect(rows.map { $0[5] }.filter { $0 != "0" } == ["2"])
    // Again, it finds what is there; and a file that differs is not replaced.
    #expect(try export("x.group.json", as: "csv").status == 0)
    try Data("mine".utf8).write(to: URL(filePath: copies.path("x.frames.csv")))
    let refused = try export("x.group.json", as: "csv")
    #expect(
      refused.status == 73 && refused.errors.contains("differs from what is exported"), "\(refused.errors)")
    #expect(try text("x.frames.csv") == "mine")
    #expect(try copies.names.count == 3)
  }

  @Test("campy, anipose and miniscope write videos whose frame n has time n")
  func programs() throws {
    for form in ["campy", "anipose", "miniscope"] {
      let target = copies.path(form)
      try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
      for _ in 1...2 {
        let run = try OvercrankProgram(
          "takes", "export", folder.path("x.group.json"), "--to", target, "--as", form)
        #expect(run.status == 0, "\(form): \(run.errors)")
        #expect(
          run.errors.contains("of camera B was captured") == (form == "anipose"), "\(run.errors)")
      }
    }
    for (number, name) in ["x-A", "x-B"].enumerated() {
      let letter = ["A", "B"][number]
      try expect("campy/x/Camera\(number + 1)/0.mp4", show: name)
      try expect("anipose/x/videos-raw/x-cam\(letter).mp4", show: name)
      try expect("miniscope/x/\(letter)/0.avi", show: name)
      let times = try times(name)
      let array = try Data(
        contentsOf: URL(filePath: copies.path("campy/x/Camera\(number + 1)/frametimes.npy")))
      let values = array.dropFirst(128).withUnsafeBytes { bytes in
        (0..<2 * times.count).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
      }
      #expect(values == (1...times.count).map { Double($0) } + times.map { Double($0) / 1e9 })
      let rows = try text("miniscope/x/\(letter)/timeStamps.csv").split(separator: "\n").dropFirst()
      #expect(
        rows.map { $0.split(separator: ",").map { Double($0) ?? .nan }[1] }
          == times.map { (Double($0) / 1e3).rounded() / 1e3 })
    }
    let row = "\nB,0,\(try #require(folder.take("x-B").sequences.first)),\(try times("x-B")[0]),"
    #expect(try text("anipose/x/frames.csv").contains(row))
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: copies.url.path).filter { $0.hasSuffix("ing") }
        == [])
  }

  @Test("exports a lone take on its own clock, and a take of a group on that of the group")
  func lone() throws {
    #expect(try export("x-B.take.json", as: "miniscope").status == 0)
    let offset = try times("x-B")[0]
    #expect(offset != 0)
    let row = try text("x/B/timeStamps.csv").split(separator: "\n")[1].split(separator: ",")
    #expect(Double(row[1]) == (Double(offset) / 1e3).rounded() / 1e3)
    try FileManager.default.removeItem(atPath: folder.path("x.group.json"))
    #expect(try export("x-B.take.json", as: "miniscope").status == 0)
    #expect(try text("x-B/A/timeStamps.csv").contains("\n0,0,0\n"))
  }

  @Test("refuses what a form cannot hold, what is missing, and files that it does not copy")
  func refused() throws {
    let move = try OvercrankProgram(
      "takes", "export", folder.path("x.group.json"), "--to", copies.url.path, "--as", "csv", "--move")
    #expect(move.status == 64 && move.errors.contains("leave out --move"), "\(move.errors)")
    let raw = try OvercrankProgram(
      "record", "sim:,clock=virtual", "--format", "raw", "--fps", "240", "--frames", "3", "--no-clip",
      "--no-thumbnail", "-o", folder.path("raw.mp4"))
    #expect(raw.status == 0, "\(raw.errors)")
    let avi = try export("raw.take.json", as: "miniscope")
    #expect(avi.status == 69 && avi.errors.contains("is not Motion JPEG"), "\(avi.status) \(avi.errors)")
    #expect(try export("raw.take.json", as: "campy").status == 0)
    try expect("raw/Camera1/0.mov", show: "raw")
    try FileManager.default.removeItem(atPath: folder.path("x-B.master.mov"))
    let missing = try export("x.group.json", as: "campy")
    #expect(missing.status == 66 && missing.errors.contains("its master is missing"), "\(missing.errors)")
    #expect(try !copies.names.contains("x"))
  }
}
