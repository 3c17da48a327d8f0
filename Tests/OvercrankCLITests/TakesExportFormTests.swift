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
      let numbers = (1...times.count).map(Double.init)
      let seconds = times.map { Double($0) / 1e9 }
      #expect(values == numbers + seconds)
      let rows = try text("miniscope/x/\(letter)/timeStamps.csv").split(separator: "\n").dropFirst()
      let stamps = rows.map { row in Double(row.split(separator: ",")[1]) }
      let milliseconds: [Double?] = times.map { (Double($0) / 1e3).rounded() / 1e3 }
      #expect(stamps == milliseconds)
    }
    let number = try #require(folder.take("x-B").sequences.first)
    let row = "\nB,0,\(number),\(try times("x-B")[0]),"
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

  /// Moves the take `name` to `folder/x.take.json`, with its master.
  private func move(_ name: String, to sub: String) throws {
    try FileManager.default.createDirectory(atPath: folder.path(sub), withIntermediateDirectories: false)
    try FileManager.default.moveItem(
      atPath: folder.path("\(name).master.mov"), toPath: folder.path("\(sub)/x.master.mov"))
    let text = try String(contentsOfFile: folder.path("\(name).take.json"), encoding: .utf8)
    try Data(text.replacing("\(name).master.mov", with: "x.master.mov").utf8)
      .write(to: folder.url.appending(path: "\(sub)/x.take.json"))
    try FileManager.default.removeItem(atPath: folder.path("\(name).take.json"))
  }

  @Test(
    "csv gives masters of one name in several folders their own names, and refuses two recordings of one name"
  )
  func sameNames() throws {
    let numbers = try ["x-A", "x-B"].map { try folder.take($0).sequences.map { UInt32($0) } }
    try move("x-A", to: "a")
    try move("x-B", to: "b")
    let file = folder.path("x.group.json")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try Data(
      text.replacing("x-A.take.json", with: "a/x.take.json").replacing("x-B.take.json", with: "b/x.take.json")
        .utf8
    ).write(to: URL(filePath: file))
    for _ in 1...2 {
      let run = try export("x.group.json", as: "csv")
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try copies.names == ["x-A.master.mov", "x-B.master.mov", "x.frames.csv"])
    for (name, frames) in zip(["x-A", "x-B"], numbers) {
      #expect(try StripVideo(copies.path("\(name).master.mov")).numbers == frames)
    }
    let rows = try self.text("x.frames.csv").split(separator: "\n").dropFirst().map {
      $0.split(separator: ",")
    }
    #expect(rows.allSatisfy { $0[6] == "x-\($0[0]).master.mov" })

    try FileManager.default.removeItem(atPath: file)
    let target = try TemporaryFolder()
    let run = try OvercrankProgram(
      "takes", "export", folder.path("a/x.take.json"), folder.path("b/x.take.json"), "--to", target.url.path,
      "--as", "csv")
    #expect(run.status == 73 && run.errors.contains("has the name x, too"), "\(run.errors)")
    #expect(try target.names == ["x.frames.csv", "x.master.mov"])
    #expect(try StripVideo(target.path("x.master.mov")).numbers == numbers[0])
  }

  /// The files below a folder of exports, with their content, in which the folder has no name.
  private func contents(of folder: String) throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    var base = folder
    while base.hasSuffix("/") { base.removeLast() }
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
        guard name.hasSuffix(".json") else { return (name, bytes) }
        let text = String(decoding: bytes, as: UTF8.self).replacing("\\/", with: "/")
        return (name, Data(text.replacing(base, with: "FOLDER").utf8))
      })
  }

  private static let forms = ["csv", "campy", "anipose", "miniscope"]

  @Test(
    "leaves only whole files on a disk that becomes full", .enabled(if: SmallDisk.isPossible),
    arguments: forms)
  func fullDisk(_ form: String) throws {
    #expect(try export("x.group.json", as: form).status == 0)
    let whole = try contents(of: copies.url.path)
    // The frames of one camera fit.
    let room = try #require(whole.values.map(\.count).max()) * 3 / 2
    let disk = try #require(try SmallDisk(bytes: room))
    let run = try OvercrankProgram(
      "takes", "export", folder.path("x.group.json"), "--to", disk.path(""), "--as", form)
    #expect(run.status == 74 && run.errors.contains("The disk is full"), "\(run.errors)")
    let left = try contents(of: disk.path(""))
    #expect(left.count < whole.count && left.allSatisfy { whole[$0] == $1 }, "\(left.keys.sorted())")
  }

  @Test("of one group twice at once leaves the files of one", arguments: forms)
  func twoAtOnce(_ form: String) throws {
    #expect(try export("x.group.json", as: form).status == 0)
    let target = try TemporaryFolder()
    let arguments = ["takes", "export", folder.path("x.group.json"), "--to", target.url.path, "--as", form]
    var second: OvercrankProgram?
    let first = try OvercrankProgram(
      arguments, whileRunning: { _ in second = try OvercrankProgram(arguments) })
    // One may find that the other is writing the file.
    for run in [first, try #require(second)] where run.status != 0 {
      #expect(
        [73, 75].contains(run.status) && run.errors.contains("another program"), "\(run.status) \(run.errors)"
      )
    }
    #expect(try OvercrankProgram(arguments).status == 0)
    #expect(try contents(of: target.url.path) == contents(of: copies.url.path))
  }

  @Test("leaves no empty folder when it fails, and follows no link out of its destination")
  func folders() throws {
    let file = URL(filePath: folder.path("x-B.take.json"))
    let text = try String(contentsOf: file, encoding: .utf8)
    let whole = try #require(text.firstRange(of: #"],"timestamp_ns""#))
    // A frame that the master does not have: number and time are far behind the last.
    var longer = text
    longer.replaceSubrange(whole, with: #",1000000],"timestamp_ns""#)
    longer = longer.replacing(/\]\}\s*$/, with: ",1000000000000000]}")
    try Data(longer.utf8).write(to: file)
    try FileManager.default.createDirectory(atPath: copies.path("mine"), withIntermediateDirectories: false)
    for form in ["campy", "anipose", "miniscope"] {
      let failed = try export("x-B.take.json", as: form)
      #expect(
        failed.status == 65 && failed.errors.contains("than its take lists"), "\(form): \(failed.errors)")
      #expect(try copies.names == ["mine"], "\(form)")
    }
    let elsewhere = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: copies.path("x"), withDestinationPath: elsewhere.url.path)
    for form in ["campy", "anipose", "miniscope"] {
      let refused = try export("x-A.take.json", as: form)
      #expect(
        refused.status == 73 && refused.errors.contains("is a link to another folder"), "\(refused.errors)")
      #expect(try elsewhere.names.isEmpty, "\(form)")
    }
  }

  @Test("refuses what a form cannot hold, what is missing, and files that it does not copy")
  func refused() throws {
    let move = try OvercrankProgram(
      "takes", "export", folder.path("x.group.json"), "--to", copies.url.path, "--as", "csv", "--move")
    #expect(move.status == 64 && move.errors.contains("leave out --move"), "\(move.errors)")
    let raw = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--format", "raw", "--fps", "240", "--frames", "3", "--no-clip",
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
