import Capture
import FrameJudge
import Foundation
import SystemPackage
import Takes
import Testing
import Timebase

@Suite("Takes around triggers from the command line", .tags(.program), .timeLimit(.minutes(1)))
struct TriggerProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func take(_ name: String = "x") throws -> Take {
    try #require(try Take.read(from: FilePath(folder.path("\(name).take.json"))))
  }

  private func strips(_ name: String = "x") throws -> [UInt32?] {
    try StripVideo(folder.path("\(name).master.mov")).numbers
  }

  /// Small pictures, as virtual time is fast, and sockets of this test's own.
  private func standBy(
    _ arguments: String..., input: String = "", whileRunning: (Process) throws -> Void = { _ in }
  ) throws -> OvercrankProgram {
    try OvercrankProgram(
      [
        "record", SmallCamera.inVirtualTime(), "--fps", "120", "--no-clip", "-o", folder.path("x.mp4"),
      ] + arguments,
      input: Data(input.utf8), environment: ["XDG_RUNTIME_DIR": folder.url.path], whileRunning: whileRunning)
  }

  private func trigger(_ arguments: String...) throws -> OvercrankProgram {
    try OvercrankProgram(["trigger"] + arguments, environment: ["XDG_RUNTIME_DIR": folder.url.path])
  }

  private func waitForFile(_ name: String, of process: Process) {
    while process.isRunning, !FileManager.default.fileExists(atPath: folder.path(name)) { usleep(20_000) }
  }

  @Test("a socket: two takes of one stream, each with its pre-roll, are answered with their numbers")
  func socket() throws {
    let run = try standBy(
      "--trigger", "socket=it", "--pre", "500ms", "--post", "200ms", "--takes", "2",
      whileRunning: { process in
        waitForFile("overcrank/it.sock", of: process)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("overcrank/it.sock"))
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        // It is answered once there are frames, however slow the machine is.
        #expect(try trigger("it").output == "Take 1 has started.\n")
        waitForFile("x-1.take.json", of: process)
        let reply = try trigger("--json").json(TriggerReply.self)
        #expect(reply.outcome == .started(take: 2))
      })
    #expect(run.status == 0, "\(run.errors)")
    for name in ["x-1", "x-2"] {
      let take = try take(name)
      try checkTriggered(take, pre: .milliseconds(500), post: .milliseconds(200))
      #expect(take.trigger?.kind == "socket")
      #expect(try strips(name) == take.sequences.map { UInt32($0) })
    }
    // Of the same stream: numbers continued in between.
    let (first, second) = (try take("x-1"), try take("x-2"))
    #expect(try #require(second.sequences.first) > #require(first.sequences.last))
    #expect(try #require(second.trigger?.preRoll) > .zero)
    #expect(
      try folder.names == ["overcrank", "x-1.master.mov", "x-1.take.json", "x-2.master.mov", "x-2.take.json"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("overcrank")).isEmpty)
    #expect(try trigger("it").status == 69)
  }

  @Test("a mode change by the socket starts a new take with all its frames; a refused one changes nothing")
  func mode() throws {
    let run = try standBy(
      "--trigger", "socket", "--takes", "2",
      whileRunning: { process in
        waitForFile("overcrank/record.sock", of: process)
        #expect(try trigger().status == 0)
        for (wish, words) in [
          ("641x480@120", "none of its modes has 641x480 pixels; they have 320x180"),
          ("320x180@500", "no mode of quality 320x180 has at least 99 % of 500 fps"),
          ("320x180@120 NV12", "none of its modes"),
        ] {
          let refused = try trigger("--mode", wish, "--json")
          #expect(refused.status == 69, "\(refused.errors)")
          let reply = try refused.json(ModeReply.self)
          #expect(reply.outcome == .refused && reply.reason?.contains(words) == true, "\(reply)")
        }
        let same = try trigger("--mode", "320x180@120")
        #expect(same.output == "The camera already captures in this mode.\n", "\(same.errors)")
        let changed = try trigger("--mode", "640x360@60", "--json").json(ModeReply.self)
        #expect(changed.outcome == .changed)
        #expect(changed.fourcc == "MJPG" && changed.width == 640)
        #expect(try #require(changed.gap) > .zero)
        // Its file shows that it continues.
        waitForFile("x-1.take.json", of: process)
        folder.waitForVideo(of: process, clip: "x-2")
        kill(process.processIdentifier, SIGINT)
      })
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("The mode is now 640x360 MJPG at 60 fps"), "\(run.errors)")
    let (first, second) = (try take("x-1"), try take("x-2"))
    #expect([first.mode.width, second.mode.width] == [320, 640])
    #expect(first.modeChange == nil)
    #expect(second.modeChange?.from == first.mode)
    #expect(try #require(second.modeChange?.gap) > .zero)
    for (name, take) in [("x-1", first), ("x-2", second)] {
      #expect(take.frames.written > 0)
      #expect(take.frames.sent == take.frames.written + take.frames.lost.total)
      #expect(try strips(name) == take.sequences.map { UInt32($0) })
    }
  }

  @Test("a mode that the driver gives only at a lower rate is refused, and the former continues")
  func modeOfLowerRate() throws {
    let run = try OvercrankProgram(
      [
        "record", SmallCamera.inVirtualTime("accept=30@640x360"), "--fps", "120", "--no-clip", "-o",
        folder.path("x.mp4"), "--trigger", "socket", "--frames", "20",
      ], environment: ["XDG_RUNTIME_DIR": folder.url.path],
      whileRunning: { process in
        waitForFile("overcrank/record.sock", of: process)
        let refused = try trigger("--mode", "360p@60")
        #expect(refused.status == 69)
        #expect(refused.errors.contains("the driver gives only 30 fps"), "\(refused.errors)")
        #expect(try trigger().output == "Take 1 has started.\n")
      })
    #expect(run.status == 0, "\(run.errors)")
    #expect(try take().mode.width == 320)
    #expect(try take().modeChange == nil)
    #expect(try strips() == take().sequences.map { UInt32($0) })
  }

  @Test("an invalid mode is reported to its sender", arguments: ["640x480", "x@1", "high@0"])
  func wrongMode(_ text: String) throws {
    let wrong = try trigger("--mode", text)
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains(text) || wrong.errors.contains("mode"), "\(wrong.errors)")
  }

  @Test("a still by the socket, before or during a take, is the reported frame, and none is lost")
  func still() throws {
    let run = try standBy(
      "--trigger", "socket=it", "--pre", "300ms", "--takes", "1", "--strict", "--events",
      folder.path("events.ndjson"),
      whileRunning: { (process: Process) throws in
        waitForFile("overcrank/it.sock", of: process)
        #expect(try trigger("it", "--still").output == "Still 1 is being taken.\n")
        waitForFile("x-still-1.jpg", of: process)
        #expect(try trigger("it").output == "Take 1 has started.\n")
        #expect(try trigger("it", "--still", "--json").json([String: Int64?].self)["id"] == 2)
        waitForFile("x-still-2.jpg", of: process)
        #expect(try trigger("it").output == "Take 1 has ended.\n")
      })
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("Still: \(folder.path("x-still-2.jpg"))"), "\(run.errors)")
    let events = try String(contentsOf: URL(filePath: folder.path("events.ndjson")), encoding: .utf8)
      .split(separator: "\n").compactMap {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
    for (id, name) in [(1, "x-still-1.jpg"), (2, "x-still-2.jpg")] {
      let told = events.filter { $0["id"] as? Int == id }
      #expect(
        told.map { $0["event"] as? String } == [
          "photo_will_begin", "photo_will_capture", "photo_captured", "photo_processed", "photo_written",
        ])
      #expect(told.last?["file"] as? String == folder.path(name))
      #expect(told.last?["in_progress"] as? Int == 0)
      let sequence = try #require(told.compactMap { $0["sequence"] as? Int }.first)
      #expect(try StripVideo(folder.path(name)).numbers == [UInt32(sequence)])
      #expect(try ExifTool(folder.path(name)).text("UserComment")?.hasPrefix("frame \(sequence), ") == true)
    }
    let take = try take()
    #expect(take.losses.isEmpty)
    #expect(try strips() == take.sequences.map { UInt32($0) })
  }

  @Test("a still in the largest mode by the socket is taken between takes, and refused during one")
  func largestStill() throws {
    let run = try standBy(
      "--trigger", "socket=it", "--pre", "100ms", "--takes", "1", "--events", folder.path("events.ndjson"),
      whileRunning: { (process: Process) throws in
        waitForFile("overcrank/it.sock", of: process)
        _ = try trigger("it", "--still")
        // A frame has arrived.
        waitForFile("x-still-1.jpg", of: process)
        #expect(try trigger("it", "--still", "--largest").output == "Still 2 is 640x360.\n")
        waitForFile("x-still-2.jpg", of: process)
        // It waits until the former mode is back.
        #expect(try trigger("it").output == "Take 1 has started.\n")
        let refused = try trigger("it", "--still", "--largest")
        #expect(refused.status == 69)
        #expect(refused.errors.contains("A take is being recorded"), "\(refused.errors)")
        #expect(try trigger("it").output == "Take 1 has ended.\n")
      })
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Probe(folder.path("x-still-2.jpg")).streams.first?.width == 640)
    let events = try String(contentsOf: URL(filePath: folder.path("events.ndjson")), encoding: .utf8)
      .split(separator: "\n").compactMap {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
    let changes = events.filter { $0["event"] as? String == "mode_changed" }
    #expect(changes.map { $0["width"] as? Int } == [640, 320])
    #expect(changes.allSatisfy { ($0["gap_ns"] as? Int).map { $0 > 0 } == true })
    let sequence = events.first { $0["event"] as? String == "photo_captured" && $0["id"] as? Int == 2 }
    #expect(
      try StripVideo(folder.path("x-still-2.jpg")).numbers == [
        (sequence?["sequence"] as? Int).map { UInt32($0) }
      ])
    #expect(try strips() == take().sequences.map { UInt32($0) })
  }

  @Test("a signal")
  func signal() throws {
    let run = try standBy(
      "--trigger", "signal", "--pre", "100ms", "--post", "200ms",
      whileRunning: { process in
        waitForFile("x.master.mov.part", of: process)
        kill(process.processIdentifier, SIGUSR1)
      })
    #expect(run.status == 0, "\(run.errors)")
    try checkTriggered(try take(), pre: .milliseconds(100), post: .milliseconds(200))
    #expect(try take().trigger?.kind == "signal")
    #expect(try strips() == take().sequences.map { UInt32($0) })
  }

  @Test("a line of text, which the take keeps; the end of the input ends the recording")
  func stdin() throws {
    let run = try standBy(
      "--trigger", "stdin", "--post", "200ms", "--takes", "0", input: "door opened\n")
    #expect(run.status == 0, "\(run.errors)")
    try checkTriggered(try take("x-1"), pre: .zero, post: .milliseconds(200))
    #expect(try take("x-1").trigger?.text == "door opened")
    #expect(try take("x-1").trigger?.kind == "stdin")
  }

  @Test("Enter, for a number of frames")
  func enter() throws {
    let run = try standBy("--trigger", "enter", "--pre", "1s", "--frames", "30", input: "\n")
    #expect(run.status == 0, "\(run.errors)")
    let take = try take()
    let time = try #require(take.trigger?.frameTime)
    #expect(take.timestamps.count { $0 >= time } == 30)
    #expect(take.trigger?.kind == "enter")
    #expect(take.trigger?.postRoll == nil)
  }

  @Test("a time, with a clip that shows every frame of the pre-roll too")
  func time() throws {
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime(), "--fps", "120", "--preset", "ultrafast", "-o",
      folder.path("x.mp4"), "--trigger", "time=1s", "--pre", "300ms", "--post", "100ms", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let take = try take()
    try checkTriggered(take, pre: .milliseconds(300), post: .milliseconds(100))
    #expect(take.trigger?.kind == "time")
    #expect(try #require(take.trigger?.preRoll) > .zero)
    let shown = Set(try StripVideo(folder.path("x.mp4")).numbers.compactMap(\.self))
    #expect(shown == Set(take.sequences.map { UInt32($0) }))
    let json = try String(contentsOfFile: folder.path("x.take.json"), encoding: .utf8)
    #expect(json.contains("\"text\":null"))
    // As in the file, without the facts about single frames.
    let printed = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
    #expect(printed.map { $0["take"] as? String } == [folder.path("x.take.json")])
    #expect(printed.first?["timestamp_ns"] == nil && printed.first?["sequence"] == nil)
  }

  @Test("any key of a terminal, which shows how full the ring is and is restored")
  func key() throws {
    let script = """
      import os, pty, re, sys, termios
      pid, fd = pty.fork()
      if pid == 0:
          os.execv(sys.argv[1], sys.argv[1:])
      before = termios.tcgetattr(fd)[3]
      seen, pressed = b"", False
      while True:
          try:
              data = os.read(fd, 4096)
          except OSError:
              break
          if not data:
              break
          seen += data
          shown = re.findall(rb"pre-roll ([0-9.]+)(?: of 0.5)? s, press a key", seen)
          if not pressed and shown and float(shown[-1]) >= 0.3:
              assert not termios.tcgetattr(fd)[3] & termios.ICANON
              os.write(fd, b"x")
              pressed = True
      status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
      sys.stdout.buffer.write(seen)
      sys.exit(status if pressed else 99)
      """
    let program = try Program.run(
      "python3",
      [
        "-c", script, OvercrankProgram.url.path, "record", SmallCamera.inVirtualTime(), "--fps", "120",
        "--no-clip", "-o", folder.path("x.mp4"), "--trigger", "key", "--pre", "500ms", "--post", "200ms",
      ])
    #expect(String(decoding: program.output, as: UTF8.self).contains("press a key"))
    let take = try take()
    try checkTriggered(take, pre: .milliseconds(500), post: .milliseconds(200))
    #expect(take.trigger?.kind == "key")
    #expect(try #require(take.trigger?.preRoll) > .milliseconds(250))
    #expect(try strips() == take.sequences.map { UInt32($0) })
  }

  @Test("Ctrl-C while the camera is armed leaves no file, and is not an error", arguments: [SIGINT, SIGTERM])
  func none(_ number: Int32) throws {
    let run = try standBy(
      "--trigger", "signal", "--pre", "1s",
      whileRunning: { process in
        waitForFile("x.master.mov.part", of: process)
        kill(process.processIdentifier, number)
      })
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("No take was recorded."))
    #expect(try folder.names.isEmpty)
  }

  @Test("the end of the input ends a wait that could not end otherwise, and missing takes are reported")
  func inVain() throws {
    let none = try standBy("--trigger", "enter", "--pre", "1s")
    #expect(none.status == 66, "\(none.errors)")
    #expect(none.errors.contains("no further take can begin"))
    #expect(none.output.isEmpty)
    #expect(try folder.names.isEmpty)

    let one = try standBy("--trigger", "stdin", "--post", "100ms", "--takes", "2", input: "first\n")
    #expect(one.status == 66, "\(one.errors)")
    #expect(one.errors.contains("What was recorded until then is complete."))
    #expect(try folder.names == ["x-1.master.mov", "x-1.take.json"])
    #expect(try strips("x-1") == take("x-1").sequences.map { UInt32($0) })
  }

  @Test("more takes than times of day are refused before anything is recorded")
  func timesOfDay() throws {
    for times in [["23:59:59"], ["10:00", "11:00"]] {
      let run = try OvercrankProgram(
        ["record", "sim:", "--no-clip", "--takes", "3", "-o", folder.path("x.mp4")]
          + times.flatMap { ["--trigger", "time=\($0)"] })
      #expect(
        run.status == 64 && run.errors.contains("comes only once, so --takes 3 needs 3"), "\(run.errors)")
      #expect(try folder.names.isEmpty)
    }
  }

  @Test("an unlimited number of takes, and none comes: this is not an error")
  func anyNumber() throws {
    let run = try standBy("--trigger", "stdin", "--takes", "0", "--json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.filter { !$0.isWhitespace } == "[]")
    #expect(try folder.names.isEmpty)
  }

  @Test("a socket in use is refused, a stale one is replaced")
  func takenSocket() throws {
    _ = try standBy(
      "--trigger", "socket",
      whileRunning: { process in
        waitForFile("x.master.mov.part", of: process)
        let second = try OvercrankProgram(
          [
            "record", SmallCamera.inVirtualTime(), "--no-clip", "--trigger", "socket", "-o",
            folder.path("y.mp4"),
          ],
          environment: ["XDG_RUNTIME_DIR": folder.url.path])
        #expect(second.status == 75)
        #expect(second.errors.contains("--trigger socket=NAME"))
        kill(process.processIdentifier, SIGKILL)
      })
    #expect(FileManager.default.fileExists(atPath: folder.path("overcrank/record.sock")))
    #expect(try trigger().status == 69)
    let run = try standBy(
      "--force", "--trigger", "socket", "--post", "100ms",
      whileRunning: { process in
        waitForFile("x.master.mov.part", of: process)
        var outcome: Int32 = 69
        while process.isRunning, outcome == 69 { outcome = try trigger().status }
        #expect(outcome == 0)
      })
    #expect(run.status == 0, "\(run.errors)")
    #expect(try take().trigger?.kind == "socket")
  }

  @Test("a take whose number exists is refused, and the existing file is unchanged")
  func exists() throws {
    try Data("mine".utf8).write(to: folder.url.appending(path: "x-7.take.json"))
    let run = try standBy("--trigger", "enter", "--takes", "0", input: "\n")
    #expect(run.status == 73)
    #expect(run.errors.contains("x-7.take.json"))
    #expect(try folder.names == ["x-7.take.json"])
  }

  @Test("a camera that stops sending ends the recording after --timeout")
  func timeout() throws {
    let run = try OvercrankProgram(
      "record", SmallCamera.inVirtualTime("stall=60s@30"), "--fps", "120", "--no-clip", "--timeout",
      "500ms", "-o", folder.path("x.mp4"))
    #expect(run.status == 74)
    #expect(run.errors.contains("no frame for 0.5 s"), "\(run.errors)")
    #expect(try take().frames.sent == 30)
  }
}
