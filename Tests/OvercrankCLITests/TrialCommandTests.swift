import CameraModel
import FrameJudge
import Foundation
import Testing
import Timebase

@Suite(
  "select --verify and record use only a mode that the driver gives",
  .tags(.program), .timeLimit(.minutes(1)))
struct TrialCommandTests {
  struct Answer: Decodable {
    struct Mode: Decodable {
      var width: Int
      var fps: Double
    }
    struct Refusal: Decodable {
      var mode: Mode
      var got: Mode
    }
    struct Near: Decodable {
      var width: Int
      var command: String?
    }
    var mode: Mode?
    var verified: Bool?
    var accepted: Mode?
    var refused: [Refusal]?
    var nearest: [Near]?
  }

  private static let refusing = "sim:,accept=60@1920x1080"

  @Test("if the driver gives less, the next mode is used, and this is reported")
  func next() throws {
    let run = try OvercrankProgram("select", Self.refusing, "--fps", "120", "--verify", "--json")
    #expect(run.status == 0)
    let answer = try run.json(Answer.self)
    #expect(answer.mode?.width == 1280)
    #expect(answer.verified == true)
    #expect(answer.accepted?.fps == 120)
    #expect(answer.refused?.map(\.mode.width) == [1920])
    #expect(answer.refused?.map(\.got.fps) == [60])
    #expect(run.errors.contains("gave 1920x1080 MJPG at 60 fps"))
    // Without --verify, the driver's table is trusted.
    let believed = try OvercrankProgram("select", Self.refusing, "--fps", "120", "--json").json(Answer.self)
    #expect(believed.mode?.width == 1920)
    #expect(believed.verified == nil)
  }

  @Test(
    "if no mode remains, it exits 69 with the driver's answer for each", arguments: ["select", "record"])
  func none(_ command: String) throws {
    let run = try OvercrankProgram(
      [command, "sim:,accept=60", "--fps", "120"] + (command == "select" ? ["--verify"] : ["--frames", "5"]))
    #expect(run.status == 69)
    #expect(run.errors.split(separator: "\n").count { $0.contains("at 60 fps") } == 3)
    #expect(run.output.isEmpty)
  }

  @Test("and reports this in JSON")
  func noneJSON() throws {
    let run = try OvercrankProgram("select", "sim:,accept=60", "--fps", "120", "--verify", "--json")
    #expect(run.status == 69)
    let answer = try run.json(Answer.self)
    #expect(answer.mode == nil)
    #expect(answer.verified == false)
    #expect(answer.refused?.count == 3)
  }

  @Test("a table from a file has no driver to ask")
  func file() throws {
    let run = try OvercrankProgram("select", "--from", "x.json", "--verify")
    #expect(run.status == 64)
    #expect(run.errors.contains("--from reads its table from a file"))
  }

  @Test("a take names the requested mode and the refused ones")
  func take() throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", Self.refusing, "--fps", "120", "--frames", "5", "--no-clip", "-o", folder.path("x.mp4"))
    #expect(run.status == 0, "\(run.errors)")
    let take = try folder.take()
    #expect(take.mode.width == 1280)
    #expect(take.requestedMode?.width == 1920)
    #expect(take.refusedModes?.map(\.got?.interval) == [FrameInterval(1, 60)])
  }

  @Test("without a rate, the next lower usual rate is tried")
  func preferred() throws {
    let run = try OvercrankProgram("select", "sim:,accept=130", "--verify", "--json")
    #expect(try run.json(Answer.self).mode?.width == 1920)
  }

  @Test("if no mode qualifies, each of the nearest is shown with its command")
  func commands() throws {
    let run = try OvercrankProgram("select", "sim:,seed=3", "--fps", "500", "--json")
    #expect(run.status == 69)
    let nearest = try #require(try run.json(Answer.self).nearest)
    #expect(nearest.map(\.width) == [1280, 640, 1920])
    for near in nearest {
      let words = try #require(near.command).split(separator: " ").map(String.init)
      #expect(words.prefix(3) == ["overcrank", "record", "sim:,seed=3"])
      let again = try OvercrankProgram(["select"] + words.dropFirst(2) + ["--json"]).json(Answer.self)
      #expect(again.mode?.width == near.width)
    }
  }
}
