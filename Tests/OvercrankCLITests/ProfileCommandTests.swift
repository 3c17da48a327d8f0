import CameraModel
import FrameJudge
import Foundation
import Testing

@Suite("overcrank profiles", .tags(.program), .timeLimit(.minutes(1)))
struct ProfileCommandTests {
  @Test("lists and shows the profiles")
  func list() throws {
    let list = try OvercrankProgram("profiles", "list")
    #expect(list.status == 0)
    #expect(list.output.contains("logitech-c922"))
    let show = try OvercrankProgram("profiles", "show", "imx219")
    #expect(show.output.hasPrefix("id: imx219\n"))
    struct Shown: Decodable {
      var id: String
      var native: [Int]
    }
    let json = try OvercrankProgram("profiles", "show", "imx219", "--json").json(Shown.self)
    #expect(json.native == [3280, 2464])
    let missing = try OvercrankProgram("profiles", "show", "imx218")
    #expect(missing.status == 69)
    #expect(missing.errors.contains("imx219"))
  }

  @Test("check exits 65 and names file, line and key; all shipped profiles pass")
  func check() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("bad.yaml")
    try Data("id: x\nname: y\nmatch: {card: z}\nsource: z\ncolour: red\n".utf8).write(to: URL(filePath: file))
    let bad = try OvercrankProgram("profiles", "check", file)
    #expect(bad.status == 65)
    #expect(bad.errors.contains("\(file):5: colour:"), "\(bad.errors)")
    #expect(try OvercrankProgram("profiles", "check", folder.path("none.yaml")).status == 66)
    #expect(try OvercrankProgram("profiles", "check").status == 0)
  }

  @Test("a user's invalid profile is a warning for other commands; a valid one is listed")
  func userFolder() throws {
    let folder = try TemporaryFolder()
    let profiles = folder.url.appending(path: "overcrank/profiles")
    try FileManager.default.createDirectory(at: profiles, withIntermediateDirectories: true)
    try Data("id: [".utf8).write(to: profiles.appending(path: "bad.yaml"))
    let mine = "id: mine\nname: y\nmatch: {card: z}\nsource: z\n"
    try Data(mine.utf8).write(to: profiles.appending(path: "mine.yaml"))
    let environment = ["XDG_CONFIG_HOME": folder.url.path]
    let select = try OvercrankProgram(["select", "sim:"], environment: environment)
    #expect(select.status == 0)
    #expect(select.errors.contains("bad.yaml:1:"), "\(select.errors)")
    #expect(try OvercrankProgram(["profiles", "show", "mine"], environment: environment).output == mine)
    #expect(try OvercrankProgram(["profiles", "check"], environment: environment).status == 65)
  }

  @Test("a profile is a simulated camera")
  func simulated() throws {
    struct Selection: Decodable {
      struct Mode: Decodable {
        var width: Int
        var binned: Bool
        var range: String
        var evidence: String
      }
      var mode: Mode
    }
    let run = try OvercrankProgram("select", "sim:iphone-7-plus-back-wide", "--fps", "120", "--json")
    let mode = try run.json(Selection.self).mode
    #expect(mode.width == 1920)
    #expect(mode.binned)
    #expect(mode.range == "full")
    #expect(mode.evidence == "profile")
    let folder = try TemporaryFolder()
    let video = try OvercrankProgram(
      "record", "sim:imx708,clock=virtual", "--fps", "120", "--frames", "5", "--no-clip", "-o",
      folder.path("x.mp4"))
    #expect(video.status == 0, "\(video.errors)")
  }
}
