import FrameJudge
import Foundation
import SystemPackage
import Takes
import Testing
import Timebase

@Suite("Takes triggered by motion, from the command line", .tags(.program), .timeLimit(.minutes(1)))
struct MotionProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The picture below strip and number, which always move.
  private static let region = "640x392+0+88"

  @Test("hold the whole first moving frame, and the number and score of the frame that triggered")
  func take() throws {
    let run = try OvercrankProgram(
      "record", "sim:,clock=virtual,rest=2s,noise=4,flicker=100", "--fps", "120", "--max-width", "640",
      "--no-clip", "-o", folder.path("x.mp4"), "--trigger", "motion=region:\(Self.region)", "--pre", "100ms",
      "--post", "200ms", "--events", folder.path("e.ndjson"))
    #expect(run.status == 0, "\(run.errors)")
    let take = try #require(try Take.read(from: FilePath(folder.path("x.take.json"))))
    let trigger = try #require(take.trigger)
    #expect(trigger.kind == "motion")
    let sequence = try #require(trigger.sequence)
    // Two seconds at 120 frames a second.
    #expect(sequence >= 240)
    let numbers = take.sequences.map { Int64($0) }
    #expect(numbers.contains(240) && numbers.contains(Int64(sequence)))
    #expect(try #require(trigger.score) >= 0.02)
    let index = try #require(numbers.firstIndex(of: Int64(sequence)))
    #expect(Array(take.timestamps)[index] == trigger.frameTime)
    #expect(take.frames.lost.total == 0)
    let strips = try StripVideo(folder.path("x.master.mov")).numbers
    #expect(strips == take.sequences.map { UInt32($0) })
    let events = try String(contentsOfFile: folder.path("e.ndjson"), encoding: .utf8)
    #expect(events.contains(#""event":"triggered""#) && events.contains(#""sequence":\#(sequence)"#))
  }

  @Test(
    "are refused with unsuitable settings, and the message gives the reason",
    arguments: [
      ("motion=region:640x480+0+2", 64, "640x480+0+0"), ("motion=mask:none.png", 66, "none.png"),
    ])
  func refusals(_ trigger: String, _ status: Int32, _ words: String) throws {
    let run = try OvercrankProgram(
      "record", "sim:,clock=virtual", "--fps", "120", "--max-width", "640", "-o", folder.path("x.mp4"),
      "--trigger", trigger
    )
    #expect(run.status == status)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(try folder.names.isEmpty)
  }

  @Test("are tuned by measuring motion, in words and as JSON")
  func motion() throws {
    struct Line: Decodable {
      var sequence: UInt32
      var score: Double
      var moving: Bool
    }
    let arguments = [
      "motion", "sim:,clock=virtual,rest=2s", "--fps", "120", "--max-width", "640", "--region", Self.region,
    ]
    let run = try OvercrankProgram(arguments + ["--duration", "3s", "--json"])
    #expect(run.status == 0, "\(run.errors)")
    let lines = try run.output.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    #expect(lines.count > 20)
    #expect(lines.filter { $0.sequence < 240 }.allSatisfy { $0.score == 0 && !$0.moving })
    #expect(lines.contains { $0.sequence >= 240 && $0.moving })
    let words = try OvercrankProgram(arguments + ["--duration", "2500ms", "--area", "3%"])
    #expect(words.output.contains("Motion began once."))
    #expect(
      words.errors.contains("--trigger 'motion=threshold:25,area:3%,region:\(Self.region)'")
        || words.errors.contains("--trigger motion=threshold:25,area:3%,region:\(Self.region)"))
  }
}

@Suite("Moving controls, from the command line", .tags(.program), .timeLimit(.minutes(1)))
struct RampProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("enter every step in the take, with its time, and begin with the first frame")
  func record() throws {
    let run = try OvercrankProgram(
      "record", "sim:,clock=virtual", "--fps", "120", "--max-width", "640", "--no-clip", "-o",
      folder.path("x.mp4"),
      "--duration", "1s", "--ramp", "zoom=0s:100, 600ms:400", "--ramp", "focus=0s:10, 300ms:100")
    #expect(run.status == 0, "\(run.errors)")
    let take = try #require(try Take.read(from: FilePath(folder.path("x.take.json"))))
    let changes = try #require(take.controlChanges)
    let (first, last) = (try #require(take.timestamps.first), try #require(take.timestamps.last))
    #expect(changes.allSatisfy { $0.time >= first && $0.time <= last + .milliseconds(10) })
    #expect(changes.map(\.time) == changes.map(\.time).sorted())
    let zooms = changes.filter { $0.name == "zoom_absolute" }
    #expect(zooms.last?.value == 400)
    // Each is where the ramp was between the previous step and its own time.
    func zoom(at time: Instant) -> Double { 100 + 300 * min(1, (time - first) / .milliseconds(600)) }
    for (step, before) in zip(zooms, [first] + zooms.map(\.time)) {
      #expect((zoom(at: before) - 1...zoom(at: step.time) + 1).contains(Double(step.value)))
    }
    #expect(changes.last { $0.name == "focus_absolute" }?.value == 100)
    #expect(take.controls["focus_automatic_continuous"]?.to == 0)
    #expect(take.controls["zoom_absolute"]?.to == 100)
  }

  @Test(
    "are refused if they are impossible",
    arguments: [("zoom=0s:50", 64, "100 to 500"), ("tilt=0s:1", 69, "tilt")])
  func refusals(_ ramp: String, _ status: Int32, _ words: String) throws {
    for command in [["record", "sim:,clock=virtual", "-o", folder.path("x.mp4")], ["controls", "sim:"]] {
      let run = try OvercrankProgram(command + ["--ramp", ramp])
      #expect(run.status == status, "\(run.errors)")
      #expect(run.errors.contains(words), "\(run.errors)")
    }
    #expect(try folder.names.isEmpty)
  }

  @Test("move without a recording too, with the controls command")
  func controls() throws {
    let run = try OvercrankProgram("controls", "sim:", "--ramp", "zoom=0s:100, 200ms:300", "--json")
    let steps = try run.json([Take.ControlChange].self)
    #expect(steps.last?.value == 300 && steps.allSatisfy { $0.name == "zoom_absolute" })
  }
}
