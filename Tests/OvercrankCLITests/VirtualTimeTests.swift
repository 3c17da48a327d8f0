import FilmJudge
import Foundation
import Takes
import Testing
import Timebase

@Suite("A recording in virtual time")
struct VirtualTimeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let table = """
      {"card": "Small", "modes": [{"fourcc": "MJPG", "width": 320, "height": 180, "intervals": [[1, 240]]}]}
      """
    try Data(table.utf8).write(to: folder.url.appending(path: "small.json"))
  }

  private func run(_ faults: String = "", _ arguments: [String], as name: String = "x") throws
    -> OvercrankProgram
  {
    try OvercrankProgram(
      [
        "record", "sim:\(folder.path("small.json")),clock=virtual\(faults)", "--fps", "240", "--no-clip",
        "--no-thumbnail", "-o", folder.path("\(name).mp4"),
      ] + arguments)
  }

  /// Records, and holds the master against its take.
  private func record(_ faults: String = "", _ arguments: String..., as name: String = "x") throws -> Take {
    let run = try run(faults, arguments, as: name)
    #expect(run.status == 0, "\(run.errors)")
    return try take(name)
  }

  private func take(_ name: String) throws -> Take {
    let take = try folder.take(name)
    checkTruth(take)
    let strips = try StripFilm(folder.path("\(name).master.mov"), width: 320).numbers
    #expect(strips == take.sequences.map { UInt32($0) })
    return take
  }

  /// Whether each frame of a take was captured when a sensor exposes it that started with the clock.
  private func isOnTime(_ take: Take) -> Bool {
    zip(take.sequences, take.timestamps).allSatisfy { number, time in
      // To the nearest nanosecond.
      time.nanoseconds == 1_000_000_000_000 + ((number + 1) * 1_000_000_000 + 120) / 240
    }
  }

  @Test("of a minute has every frame, each at its time")
  func minute() throws {
    let take = try record("", "--duration", "60s")
    let hasAll = take.sequences.elementsEqual(0..<14_400)
    #expect(hasAll && take.losses.isEmpty, "\(take.frames)")
    let isOnTime = isOnTime(take)
    #expect(isOnTime)
  }

  @Test("has the seconds around the fortieth, to the frame, and the same ones when it is made again")
  func triggered() throws {
    func record(_ name: String) throws -> Take {
      try self.record("", "--pre", "2s", "--post", "3s", "--trigger", "time=40s", as: name)
    }
    let take = try record("x")
    try checkTriggered(take, pre: .seconds(2), post: .seconds(3))
    #expect(take.frames.written == 1200)
    #expect(take.losses.isEmpty)
    let isOnTime = isOnTime(take)
    #expect(isOnTime)
    let again = try record("y")
    let isSame = again.sequences == take.sequences && again.timestamps == take.timestamps
    #expect(isSame && again.trigger == take.trigger)
  }
}
