import FrameJudge
import Foundation
import Takes
import Testing
import Timebase

@Suite("A recording in virtual time", .tags(.program), .timeLimit(.minutes(1)))
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

  /// Records, and checks the master against its take.
  private func record(_ faults: String = "", _ arguments: String..., as name: String = "x") throws -> Take {
    let run = try run(faults, arguments, as: name)
    #expect(run.status == 0, "\(run.errors)")
    return try take(name)
  }

  private func take(_ name: String) throws -> Take {
    let take = try folder.take(name)
    checkTruth(take)
    let strips = try StripVideo(folder.path("\(name).master.mov")).numbers
    #expect(strips == take.sequences.map { UInt32($0) })
    return take
  }

  /// When a sensor that starts with the clock exposes frame `number`, to the nearest nanosecond.
  private func time(of number: Int64) -> Int64 {
    1_000_000_000_000 + ((number + 1) * 1_000_000_000 + 120) / 240
  }

  /// Whether each frame of a take has the sensor's time of exposure, with those from `stalled` on late by
  /// this much.
  private func isOnTime(_ take: Take, late: Duration = .zero, from stalled: Int64 = .max) -> Bool {
    zip(take.sequences, take.timestamps).allSatisfy { number, time in
      time.nanoseconds == self.time(of: number) + (number < stalled ? 0 : late.wholeNanoseconds)
    }
  }

  @Test("of ten seconds has every frame, each at its time")
  func long() throws {
    let take = try record("", "--duration", "10s")
    let hasAll = take.sequences.elementsEqual(0..<2400)
    #expect(hasAll && take.losses.isEmpty, "\(take.frames)")
    let isOnTime = isOnTime(take)
    #expect(isOnTime)
  }

  @Test("has the seconds around the fortieth, to the frame, and the same ones in a second run")
  func triggered() throws {
    let arguments = ["--pre", "2s", "--post", "3s", "--trigger", "time=40s"]
    #expect(try run("", arguments).status == 0)
    let take = try take("x")
    try checkTriggered(take, pre: .seconds(2), post: .seconds(3))
    #expect(take.frames.written == 1200)
    #expect(take.losses.isEmpty)
    let isOnTime = isOnTime(take)
    #expect(isOnTime)
    #expect(try run("", arguments, as: "y").status == 0)
    let again = try folder.take("y")
    let isSame = again.sequences == take.sequences && again.timestamps == take.timestamps
    #expect(isSame && again.trigger == take.trigger)
  }

  @Test(
    "loses only the frames that a fault removes",
    arguments: [
      (
        "drop=100-109+200",
        [Loss(sequence: 100, count: 10, stage: .driver), Loss(sequence: 200, count: 1, stage: .driver)]
      ),
      ("corrupt=50", [Loss(sequence: 50, count: 1, stage: .corrupt)]),
      ("flagged=7-9", [Loss(sequence: 7, count: 3, stage: .corrupt)]), ("buffers=1", []),
    ])
  func losses(_ fault: String, _ losses: [Loss]) throws {
    let take = try record(",\(fault)", "--duration", "2s")
    #expect(take.losses == losses)
    #expect(take.frames.sent == 480)
    let isOnTime = isOnTime(take)
    #expect(isOnTime)
  }

  @Test("of a sensor that pauses continues after the pause, or ends after --timeout of its time")
  func stall() throws {
    let take = try record(",stall=20s@100", "--timeout", "25s", "--duration", "30s")
    #expect(take.frames.written == 10 * 240)
    let isOnTime = isOnTime(take, late: .seconds(20), from: 100)
    #expect(isOnTime)

    let ended = try run(",stall=20s@100", ["--timeout", "15s", "--duration", "30s"], as: "ended")
    #expect(ended.status == 74)
    #expect(ended.errors.contains("no frame for 15 s"), "\(ended.errors)")
    #expect(try self.take("ended").frames.sent == 100)

    // The pause lasts to the end of the take.
    for arguments in [["--duration", "1s"], ["--pre", "100ms", "--post", "1s", "--trigger", "time=200ms"]] {
      let short = try run(",stall=3s@100", arguments, as: "short\(arguments.count)")
      #expect(short.status == 0, "\(short.errors)")
      #expect(short.errors.contains("No frame arrived in the last 0."), "\(short.errors)")
    }
  }

  @Test("has randomly late frames, equally late with the same seed")
  func jitter() throws {
    let takes = try ["seed=3", "seed=3", "seed=4"].enumerated().map { number, seed in
      try record(",jitter=2ms,\(seed)", "--duration", "2s", as: "x\(number)")
    }
    for take in takes {
      #expect(take.losses.isEmpty)
      let late = zip(take.sequences, take.timestamps).map { $1.nanoseconds - time(of: $0) }
      let isPlausible = late.allSatisfy { (0...2_000_000).contains($0) }
      #expect(isPlausible && Set(late).count > 100)
    }
    let (isSame, isOther) = (
      takes[0].timestamps == takes[1].timestamps, takes[0].timestamps != takes[2].timestamps
    )
    #expect(isSame && isOther)
  }

  @Test("of a camera that is unplugged again and again continues in new takes to the frame")
  func reconnect() throws {
    let run = try run(",disconnect=50", ["--frames", "120", "--reconnect"])
    #expect(run.status == 0, "\(run.errors)")
    let takes = try ["x", "x-2", "x-3"].map(take)
    #expect(takes.map(\.frames.written) == [50, 50, 20])
    #expect(takes.allSatisfy { $0.losses.isEmpty && $0.sequences.first == 0 })
    // The sensor starts again with the camera.
    for (one, next) in zip(takes, takes.dropFirst()) {
      let (end, start) = (try #require(one.timestamps.last), try #require(next.timestamps.first))
      #expect(end < start && start - end < .seconds(1))
    }
  }

  @Test("moves a control by the clock of its frames")
  func ramp() throws {
    let take = try record("", "--ramp", "zoom=0s:100, 2s:400", "--duration", "3s")
    let changes = try #require(take.controlChanges)
    let zero = try #require(take.timestamps.first)
    // Sixty steps a second, and each is at the ramp's value at its time.
    #expect((118...122).contains(changes.count), "\(changes.count)")
    for change in changes {
      let time = (change.time - zero) / .seconds(1)
      #expect(change.value == Int64((100 + 150 * min(2, max(0, time))).rounded()), "at \(time) s")
    }
    #expect(changes.last?.value == 400)
    #expect(try run("", ["--ramp", "zoom=0s:100, 2s:400", "--duration", "3s"], as: "y").status == 0)
    #expect(try folder.take("y").controlChanges == changes)
  }

  @Test(
    "has the clicks of its frames at their samples, whatever the microphone's clock",
    arguments: ["sim:,clock=virtual,channels=1", "sim:,drift=500ppm,late=20ms,channels=1"])
  func audio(_ microphone: String) throws {
    let take = try record("", "--mic", microphone, "--duration", "10s")
    #expect(take.frames.written == 2400 && take.losses.isEmpty)
    let audio = try #require(take.audio)
    let rate = microphone.contains("500ppm") ? 48_024.0 : 48_000
    #expect(audio.lost.isEmpty)
    #expect(try #require(audio.measuredRate).distance(to: rate).magnitude < 0.5)
    let heard = try HeardClicks(folder.path("x.master.mov"))
    #expect(Int64(heard.sampleCount) == audio.samples)
    #expect(heard.onsets.count == 20)
    for (number, onset) in heard.onsets.enumerated() {
      let time = audio.offset / .seconds(1) + Double(onset) / rate
      // A click is heard from its second sample on.
      #expect((time - Double(number) / 2).magnitude < 2.5 / rate, "click \(number) at \(time) s")
    }
    #expect(try run("", ["--mic", microphone, "--duration", "10s"], as: "y").status == 0)
    #expect(try folder.take("y").audio == take.audio)
  }

  @Test("gives motion detection every frame that it needs, so its result never changes")
  func motion() throws {
    func look() throws -> String {
      let run = try OvercrankProgram(
        "motion", "sim:\(folder.path("small.json")),clock=virtual,rest=2s", "--duration", "4s", "--json")
      #expect(run.status == 0, "\(run.errors)")
      return run.output
    }
    let first = try look()
    #expect((230...242).contains(first.split(separator: "\n").count), "\(first.suffix(300))")
    #expect(try look() == first)
  }

  @Test("waits for a time of day, and is dated by it")
  func timeOfDay() throws {
    let day = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 / 60).rounded(.up) * 60 + 60)
    let parts = Calendar.current.dateComponents([.hour, .minute], from: day)
    let time = String(format: "%02d:%02d:00", parts.hour ?? 0, parts.minute ?? 0)
    let take = try record("", "--trigger", "time=\(time)", "--frames", "10")
    #expect(take.frames.written == 10)
    let date = try Date(take.startedAt, strategy: .iso8601)
    #expect(abs(date.timeIntervalSince(day)) <= 1, "\(take.startedAt)")
  }

  @Test("ends at once on a signal")
  func stopped() throws {
    let run = try OvercrankProgram(
      [
        "record", "sim:\(folder.path("small.json")),clock=virtual", "--no-clip", "--no-thumbnail", "-o",
        folder.path("x.mp4"),
      ],
      whileRunning: { process in
        folder.waitForVideo(of: process)
        kill(process.processIdentifier, SIGINT)
      })
    #expect(run.status == 0, "\(run.errors)")
    let take = try take("x")
    #expect(take.losses.isEmpty)
    let isOnTime = isOnTime(take)
    #expect(isOnTime)
  }

  @Test(
    "refuses a microphone with another clock",
    arguments: [
      (["record", "sim:,clock=virtual", "--mic", "hw:0"], "records in real time"),
      (["record", "sim:", "--mic", "sim:,clock=virtual"], "leave out clock=virtual"),
      (["record", "sim:,clock=fast"], "the word virtual"),
    ])
  func refused(_ arguments: [String], _ words: String) throws {
    let run = try OvercrankProgram(arguments + ["--frames", "5", "-o", folder.path("x.mp4")])
    #expect(run.status == 64, "\(run.errors)")
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(try folder.names == ["small.json"])
  }
}
