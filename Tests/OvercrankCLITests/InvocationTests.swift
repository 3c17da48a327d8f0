import FrameJudge
import Foundation
import Testing

/// The program's behaviour with the streams and arguments that a shell gives it.
@Suite(.tags(.program), .timeLimit(.minutes(1))) struct InvocationTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs `command` in the folder, where `$overcrank` is the program and `$small` a camera with small pictures.
  /// Returns its output, with its exit code at the end.
  func shell(_ command: String) throws -> (output: String, errors: String) {
    let set =
      "cd '\(folder.url.path)'; overcrank='\(OvercrankProgram.url.path)'; small='\(SmallCamera.inRealTime())'; "
    let program = try Program.run("bash", ["-c", "\(set)\(command); echo $?"])
    return (String(decoding: program.output, as: UTF8.self), program.errors)
  }

  @Test(arguments: ["formats sim:", "formats sim: --json", "record $small --frames 2 --no-clip -o a.mp4"])
  func factsThatDoNotFitOnTheDiskAreAnError(command: String) throws {
    let (output, errors) = try shell("$overcrank \(command) >/dev/full")
    #expect(output == "74\n")
    #expect(errors.contains("Standard output could not be written: No space left on device (errno 28)."))
    if command.hasPrefix("record") { #expect(try Probe(folder.path("a.master.mov")).packets.count == 2) }
  }

  @Test(arguments: ["0", "-3", "1", "39", "99999999999999999999", "9223372036854775807", "wide"])
  func helpFitsAnyWidth(columns: String) throws {
    // The narrowest lines break most words.
    for command in columns == "1" ? ["", "record", "retime", "takes remove", "studio"] : ["record"] {
      let words = command.split(separator: " ").map(String.init)
      let run = try OvercrankProgram(words + ["--help"], environment: ["COLUMNS": columns])
      #expect(
        run.status == 0 && run.output.contains("USAGE: overcrank"), "\(command) \(run.errors.prefix(200))")
    }
    let wrong = try OvercrankProgram(["record", "--no-such-option"], environment: ["COLUMNS": columns])
    #expect(wrong.status == 64, "\(wrong.errors.prefix(200))")
  }

  @Test(
    "a signal ends a command at once while it waits for its camera's table",
    arguments: ["record", "motion", "bench"])
  func waitingForATable(command: String) throws {
    let table = folder.path("table.json")
    try #require(mkfifo(table, 0o600) == 0)
    let run = try OvercrankProgram(
      [command, "sim:\(table)"],
      whileRunning: { process in
        // Opens once the program has opened it too, and waits until then.
        let pipe = open(table, O_WRONLY | O_CLOEXEC)
        kill(process.processIdentifier, SIGTERM)
        while process.isRunning { usleep(1000) }
        close(pipe)
      })
    #expect(run.status == 130, "\(run.errors)")
    #expect(try folder.names == ["table.json"])
  }

  @Test func readerMayLeaveEarly() throws {
    #expect(try shell("$overcrank formats sim: --json | true; exit ${PIPESTATUS[0]}").output == "")
  }

  @Test(arguments: [
    "--help", "record --help", "help snap", "--version", "--generate-completion-script bash",
    "doctor sim: --json",
  ])
  func requestedTextThatDoesNotFitIsAnErrorToo(command: String) throws {
    let (output, errors) = try shell("$overcrank \(command) >/dev/full")
    #expect(output == "74\n")
    #expect(errors.contains("overcrank: Standard output could not be written"))
  }

  @Test func usageErrorsAreReportedAsAllOthers() throws {
    for command in ["record --frames x", "record --fsp 2", "retime", "film"] {
      let (output, errors) = try shell("$overcrank \(command)")
      #expect(output == "64\n")
      #expect(errors.hasPrefix("overcrank: "), "\(errors)")
      #expect(!errors.contains("Error:"))
    }
  }

  @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
  func closedStreamsAreNotUsedForTheMaster(closed: String) throws {
    let takes = "record $small --trigger time=10ms --takes 2 --frames 3 --no-clip --verbose -o a.mp4"
    // If facts cannot be written, that is an error; for messages it is not.
    let code = closed.contains(">&-") && !closed.hasPrefix("2") ? 74 : 0
    #expect(try shell("$overcrank \(takes) \(closed)").output.hasSuffix("\(code)\n"))
    for number in 1...2 { #expect(try Probe(folder.path("a-\(number).master.mov")).packets.count == 3) }
  }

  @Test func nameThatIsNotUTF8IsRefused() throws {
    let (output, errors) = try shell("$overcrank record sim: --frames 1 -o $'a\\xff.mp4'")
    #expect(output == "64\n")
    #expect(errors.contains("is not UTF-8"))
    #expect(try shell("$overcrank show $'a\\nb\\xff.mp4'").errors.split(separator: "\n").count == 1)
    #expect(try folder.names.isEmpty)
  }

  @Test("A value of ten thousand letters does not bury the error")
  func longValues() throws {
    let long = String(repeating: "z", count: 10_000)
    for arguments in ["takes align a b --by", "retime x.mov --codec", "record sim: --trigger", "retime"] {
      let (output, errors) = try shell("$overcrank \(arguments) \(long)")
      #expect(["64\n", "66\n"].contains(output))
      #expect(errors.contains("zzz...") && errors.count < 2000)
    }
  }

  @Test func completionsHoldNothingThatAShellRuns() throws {
    let setups = folder.url.appending(path: "overcrank/setups")
    try FileManager.default.createDirectory(at: setups, withIntermediateDirectories: true)
    let hostile = [
      "$(touch pwned)", "`touch pwned`", "a;b", "it's", "a b", "x\"y", "a|b", "a&b", "a>b", "${HOME}", "a*",
    ]
    for name in hostile + ["good", "\u{fc}ber"] {
      try Data().write(to: setups.appending(path: "\(name).yaml"))
      try Data().write(to: folder.url.appending(path: "\(name).mp4"))
    }
    let prefix = "\(folder.url.path)/"
    let completions = [
      ["record", "--", "--setup", "3", "0", "overcrank", "record", "--setup", ""],
      ["takes", "show", "--", "positional@0", "3", "\(prefix.count)", "overcrank", "takes", "show", prefix],
    ]
    for words in completions {
      let run = try OvercrankProgram(
        ["---completion"] + words,
        environment: ["SAP_SHELL": "bash", "XDG_CONFIG_HOME": folder.url.path])
      let offered = run.output.split(separator: "\n")
      #expect(
        offered.contains { $0.contains("good") } && offered.contains { $0.contains("\u{fc}ber") },
        "\(run.output)")
      #expect(!hostile.contains { name in run.output.contains(name) }, "\(run.output)")
    }
  }
}
