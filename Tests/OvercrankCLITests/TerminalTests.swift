import FrameJudge
import Foundation
import Takes
import Testing

@Suite("A terminal", .tags(.realTime), .timeLimit(.minutes(1)))
struct TerminalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A recording with small pictures, so that a busy machine keeps up.
  private func record(_ arguments: String..., on terminal: Terminal) throws -> TerminalProgram {
    try TerminalProgram(
      ["record", SmallCamera.inRealTime("buffers=32"), "--fps", "120", "-o", folder.path("x.mp4")]
        + arguments, on: terminal)
  }

  @Test(
    "that is stopped delays neither a recording nor its end", arguments: [nil, SIGINT, SIGTERM, SIGHUP])
  func stopped(signal: Int32?) throws {
    let terminal = try Terminal()
    terminal.stopOutput()
    let elsewhere = try TemporaryFolder()
    let events = elsewhere.path("events")
    let program = try record(
      "--no-clip", "--events", events, "--duration", signal == nil ? "200ms" : "1h", on: terminal)
    if let signal {
      func hasFrames() -> Bool {
        (try? String(contentsOfFile: events, encoding: .utf8))?.contains("\"take_started\"") ?? false
      }
      while !program.hasEnded, !hasFrames() { usleep(10_000) }
      kill(program.process, signal)
    }
    #expect(program.end(isRead: false) == 0)
    let take = try folder.take()
    #expect(take.frames.written > 0)
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
  }

  @Test("ends a recording by Enter, with a line about it and the summary")
  func enter() throws {
    let terminal = try Terminal()
    let program = try record("--no-clip", "--duration", "1h", on: terminal)
    #expect(
      program.wait { $0.shown.contains("It ends after 3600 s; Enter or Ctrl-C ends it sooner.") },
      "\(program.shown)")
    #expect(program.wait { $0.shown.contains(" fps  ") }, "\(program.shown)")
    terminal.type("\n")
    #expect(program.end() == 0, "\(program.shown)")
    #expect(
      program.shown.contains(/\nEnter ended the recording after [0-9.]+ of 3600 s\.\n/), "\(program.shown)")
    #expect(terminal.isAsFound)
  }

  @Test("ignores and hides what is typed before the first frame")
  func typedAhead() throws {
    let terminal = try Terminal()
    let program = try TerminalProgram(
      [
        "record", SmallCamera.inRealTime("buffers=32,stall=4s@0"), "--fps", "120", "-o",
        folder.path("x.mp4"), "--no-clip", "--frames", "60",
      ], on: terminal)
    #expect(program.wait { $0.shown.contains("Starting sim:") && !terminal.isAsFound }, "\(program.shown)")
    #expect(!program.shown.contains("Recording"))
    terminal.type("typed\n\n")
    #expect(program.end() == 0, "\(program.shown)")
    #expect(try folder.take().frames.written == 60)
    #expect(!program.shown.contains("typed"))
    #expect(!program.shown.contains("Enter ended"))
  }

  @Test("ignores a key that is pressed before the camera is armed, and says so")
  func keyAhead() throws {
    let terminal = try Terminal()
    let program = try TerminalProgram(
      [
        "record", SmallCamera.inRealTime("buffers=32,stall=4s@0"), "--fps", "120", "-o",
        folder.path("x.mp4"), "--no-clip", "--trigger", "key", "--pre", "100ms", "--post", "100ms",
      ], on: terminal)
    #expect(program.wait { $0.shown.contains("Starting sim:") && !terminal.isAsFound }, "\(program.shown)")
    terminal.type("x")
    #expect(
      program.wait { $0.shown.contains("was not ready for your input, so no take starts") },
      "\(program.shown)")
    #expect(!program.shown.contains("Armed."))
    // Once the whole pre-roll is in the ring.
    #expect(program.wait { $0.shown.contains("pre-roll 0.1 s, press a key") }, "\(program.shown)")
    terminal.type("x")
    #expect(program.end() == 0, "\(program.shown)")
    let trigger = try #require(try folder.take().trigger)
    #expect(trigger.kind == "key")
    #expect(trigger.preRollCut == nil)
  }

  @Test("that is stopped does not keep a command from ending by Ctrl-C")
  func stoppedFacts() throws {
    let terminal = try Terminal()
    terminal.stopOutput()
    let program = try TerminalProgram(["formats", "sim:"], on: terminal)
    // It is then done, except for what the terminal does not accept.
    while !TerminalProgram.writesOutput(program.process), !program.hasEnded { usleep(5000) }
    kill(program.process, SIGINT)
    #expect(program.end(isRead: false) == 130)
  }

  @Test(
    "in single-key mode is restored, however the program ends",
    arguments: [(SIGINT, 0), (SIGTERM, 0), (SIGHUP, 0), (SIGQUIT, -SIGQUIT)] as [(Int32, Int32)])
  func keys(signal: Int32, status: Int32) throws {
    let terminal = try Terminal()
    let program = try record("--no-clip", "--trigger", "key", "--takes", "0", on: terminal)
    #expect(
      program.wait { $0.shown.contains("armed, press a key") && !terminal.isAsFound },
      "\(program.shown)")
    kill(program.process, signal)
    #expect(program.end() == status, "\(program.shown)")
    #expect(terminal.isAsFound)
    #expect(!program.shown.contains("Backtrace"))
    // The files of a killed recording can be recovered, or held no frame.
    if signal == SIGINT { #expect(try folder.names.isEmpty) }
  }

  @Test("in single-key mode is restored while the program is stopped, and set again afterwards")
  func stopAndGoOn() throws {
    // A shell of its own, as the kernel does not stop a program without a shell.
    let script = """
      import os, pty, select, signal, sys, termios
      shell, fd = pty.fork()
      if shell == 0:
          signal.signal(signal.SIGTTOU, signal.SIG_IGN)
          job = os.fork()
          if job == 0:
              os.setpgid(0, 0)
              os.tcsetpgrp(0, os.getpid())
              signal.signal(signal.SIGTTOU, signal.SIG_DFL)
              os.execv(sys.argv[1], sys.argv[1:])
          _, status = os.waitpid(job, os.WUNTRACED)
          assert os.WIFSTOPPED(status), status
          os.tcsetpgrp(0, os.getpid())
          echoes = termios.tcgetattr(0)[3] & termios.ECHO
          print("STOPPED", "with" if echoes else "without", "echo", flush=True)
          os.tcsetpgrp(0, job)
          os.kill(job, signal.SIGCONT)
          _, status = os.waitpid(job, 0)
          os.tcsetpgrp(0, os.getpid())
          echoes = termios.tcgetattr(0)[3] & termios.ECHO
          print("ENDED", os.waitstatus_to_exitcode(status), "with" if echoes else "without", "echo", flush=True)
          os._exit(0)
      signal.alarm(60)
      seen, typed = b"", []
      while True:
          if select.select([fd], [], [], 0.1)[0]:
              try:
                  data = os.read(fd, 4096)
              except OSError:
                  break
              if not data:
                  break
              seen += data
          if termios.tcgetattr(fd)[3] & termios.ICANON:
              continue
          again = seen.find(b"STOPPED")
          if not typed and b"armed, press a key" in seen:
              os.write(fd, b"\\x1a")
              typed.append("stop")
          if len(typed) == 1 and again >= 0 and b"armed, " in seen[again:]:
              os.write(fd, b"x")
              typed.append("key")
      sys.stdout.buffer.write(seen)
      """
    let program = try Program.run(
      "python3",
      [
        "-c", script, OvercrankProgram.url.path, "record", SmallCamera.inRealTime("buffers=32"), "--fps",
        "120",
        "--no-clip", "-o", folder.path("x.mp4"), "--trigger", "key", "--post", "100ms",
      ])
    let shown = String(decoding: program.output, as: UTF8.self)
    #expect(shown.contains("STOPPED with echo"), "\(shown)")
    #expect(shown.contains("ENDED 0 with echo"), "\(shown)")
    #expect(try folder.take().trigger?.kind == "key")
  }

  @Test("that is narrow gets lines that fit, broken between words", arguments: [40, 60])
  func narrow(columns: Int) throws {
    let terminal = try Terminal(columns: columns)
    let program = try record("--no-clip", on: terminal)
    #expect(program.wait { $0.shown.matches(of: /\d s  \d+ frames/).count > 5 }, "\(program.shown)")
    terminal.type("\u{3}")
    #expect(program.end() == 0)
    let lines = program.shown.replacing("\u{1B}[K", with: "").split(whereSeparator: \.isNewline)
      .flatMap { $0.split(separator: "\r") }
    for line in lines where line.trimmingCharacters(in: .whitespaces).contains(" ") {
      #expect(line.count <= columns, "\(line)")
    }
    // The progress is one line, however often it is drawn, and Ctrl-C leaves no trace.
    let rows = program.shown.split(separator: "\n").map { $0.split(separator: "\r").last ?? "" }
    #expect(!rows.contains { $0.contains("^C") || $0.contains(" fps  ") }, "\(rows)")
    let words = program.shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("Recording sim:"))
  }

  @Test("that is made narrower is redrawn to fit")
  func resized() throws {
    let terminal = try Terminal(columns: 120)
    let program = try record("--no-clip", on: terminal)
    #expect(program.wait { $0.shown.contains(" MB/s") }, "\(program.shown)")
    terminal.resize(columns: 30)
    program.look()
    let before = program.shown.count
    #expect(program.wait { $0.shown.dropFirst(before).matches(of: /\r\d/).count > 4 }, "\(program.shown)")
    kill(program.process, SIGINT)
    #expect(program.end() == 0)
    let drawn = program.shown.dropFirst(before).split(separator: "\r").dropFirst(2).prefix(2)
    #expect(drawn.allSatisfy { !$0.contains("MB/s") }, "\(drawn)")
  }

  @Test("shows the result of a triggered take once")
  func toldOnce() throws {
    let program = try record(
      "--no-clip", "--trigger", "time=100ms", "--frames", "20", on: try Terminal())
    #expect(program.end() == 0)
    #expect(program.shown.matches(of: /20 frames at/).count == 1, "\(program.shown)")
    #expect(program.shown.contains("x.master.mov: the frames"))
  }

  @Test("does not cancel the clip by Enter; Ctrl-C does, and the printed command renders it later")
  func clip() throws {
    let terminal = try Terminal()
    let program = try record(
      "--frames", "240", "--speed", "1/200", "--clip-fps", "60", "--preset", "slower", "--scale", "64x48",
      on: terminal)
    #expect(program.wait { $0.shown.contains("Making the clip") }, "\(program.shown)")
    terminal.type("typed ahead\n\n")
    let before = program.shown.count
    #expect(
      program.wait { $0.shown.dropFirst(before).matches(of: /Making the clip/).count > 3 },
      "\(program.shown)")
    terminal.type("\u{3}")
    #expect(program.end() == 130, "\(program.shown)")
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
    let command = try #require(program.shown.firstMatch(of: /\n *overcrank (retime .*)\n/)).output.1
    #expect(command.contains("--speed 1/200 --fps 60 --scale 64x48 --preset slower"))
    // At another speed, as the test does not wait for this one.
    let words = command.split(separator: " ").map(String.init).map { $0 == "1/200" ? "1/2" : $0 }
    let later = try OvercrankProgram(words)
    #expect(later.status == 0, "\(later.errors)")
    #expect(try folder.names == ["x.master.mov", "x.mp4", "x.take.json"])
  }
}

@Suite("Signals", .tags(.program), .timeLimit(.minutes(1)))
struct SignalTests {
  @Test("at the start end the program with 130 and leave no file", arguments: [SIGINT, SIGTERM, SIGHUP])
  func early(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      ["record", SmallCamera.inRealTime("stall=1h@0"), "--timeout", "1h", "-o", folder.path("x.mp4")],
      whileRunning: { process in
        while process.isRunning, !TerminalProgram.hearsSignals(process.processIdentifier) { usleep(1000) }
        kill(process.processIdentifier, signal)
      })
    #expect(run.status == 130, "\(run.errors)")
    #expect(try folder.names.isEmpty)
  }

  @Test("without a meaning are ignored", arguments: [SIGUSR1, SIGUSR2])
  func ignored(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let run = try OvercrankProgram(
      ["record", SmallCamera.inVirtualTime(), "--no-clip", "--frames", "60", "-o", folder.path("x.mp4")],
      whileRunning: { process in
        while process.isRunning, !TerminalProgram.hearsSignals(process.processIdentifier) { usleep(1000) }
        kill(process.processIdentifier, signal)
      })
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.take().frames.written == 60)
  }

  @Test("end a program whose output is not read", arguments: [SIGINT, SIGTERM])
  func stuckReader(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let pipe = Pipe()
    // The pipe is full, and no program reads it.
    let writer = pipe.fileHandleForWriting.fileDescriptor
    _ = fcntl(writer, F_SETFL, O_NONBLOCK)
    while write(writer, "x", 1) == 1 {}
    _ = fcntl(writer, F_SETFL, 0)
    let process = Process()
    process.executableURL = OvercrankProgram.url
    process.environment = OvercrankProgram.environment
    process.arguments = [
      "record", SmallCamera.inVirtualTime(), "--no-clip", "--frames", "5", "--json", "-o",
      folder.path("x.mp4"),
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe.fileHandleForWriting
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, !TerminalProgram.writesOutput(process.processIdentifier) { usleep(5000) }
    #expect(process.isRunning)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(try folder.names == ["x.master.mov", "x.take.json"])
  }
}
