import FrameJudge
import Foundation
import Testing

@Suite("A limit of the process", .tags(.program), .timeLimit(.minutes(1)))
struct ProcessLimitTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs `command` in the folder, where `$overcrank` is the program. Returns its output, with its exit code
  /// at the end.
  private func shell(_ command: String) throws -> (output: String, errors: String) {
    let set = "cd '\(folder.url.path)'; overcrank='\(OvercrankProgram.url.path)'; "
    let program = try Program.run("bash", ["-c", "\(set)\(command); echo $?"])
    return (String(decoding: program.output, as: UTF8.self), program.errors)
  }

  @Test(
    "of open files is reported before anything is tried",
    arguments: ["record sim: --frames 2 --no-clip", "retime a.mov --speed 1/8", "bench sim:", "doctor sim:"])
  func files(command: String) throws {
    for limit in [5, 8, 16] {
      let (output, errors) = try shell("ulimit -n \(limit); $overcrank \(command)")
      #expect(output == "74\n")
      #expect(errors.contains("The limit of open files leaves this program"), "\(errors)")
      #expect(errors.contains("ulimit -n 1024"))
    }
    #expect(try folder.names.isEmpty)
  }

  @Test("of open files is raised as far as a user may")
  func raisedFiles() throws {
    let (output, errors) = try shell("ulimit -S -n 16; $overcrank record sim: --frames 2 --no-clip -o a.mp4")
    #expect(output.hasSuffix("0\n"), "\(errors)")
  }

  @Test("of memory is reported before anything is tried", arguments: ["-v", "-d"])
  func memory(option: String) throws {
    // The memory at the program's start differs with its build, and it needs 512 MiB more.
    let limit = option == "-v" ? 800_000 : 300_000
    let (output, errors) = try shell("ulimit \(option) \(limit); $overcrank record sim: --frames 2 -o a.mp4")
    #expect(output == "74\n")
    #expect(
      errors.contains("leaves this program") && errors.contains("ulimit \(option) unlimited"), "\(errors)")
    #expect(try folder.names.isEmpty)
  }

  @Test("of a file's size ends a recording, keeps what was captured, and is named")
  func fileSize() throws {
    let (output, errors) = try shell(
      "ulimit -f 2000; $overcrank record sim: --max-width 640 --duration 20s --no-clip -o a.mp4")
    #expect(output.hasSuffix("74\n"))
    #expect(errors.contains("ulimit -f unlimited"), "\(errors)")
    #expect(!errors.contains("ring") && !errors.contains("another disk"), "\(errors)")
    #expect(try folder.names == ["a.master.mov", "a.take.json"])
    #expect(try Probe(folder.path("a.master.mov")).packets.count > 1)
  }

  /// The signals that the program itself ignores and handles, as numbers.
  private func dispositions(_ start: String) throws -> (ignored: Set<Int32>, caught: Set<Int32>) {
    let (output, _) = try shell(
      """
      \(start) $overcrank record sim: --ring 32MiB --max-width 640 --trigger time=1h --no-clip -o a.mp4 2>words & \
      program=$!; \
      until grep -q 'Armed' words; do sleep 0.05; done; \
      grep -E '^Sig(Ign|Cgt):' /proc/$program/status; kill -INT $program; wait $program
      """)
    func signals(_ key: String) throws -> Set<Int32> {
      let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("\(key):") })
      let bits = try #require(UInt64(line.split(separator: "\t").last ?? "", radix: 16))
      return Set((1...31).filter { bits >> UInt64($0 - 1) & 1 == 1 })
    }
    return (try signals("SigIgn"), try signals("SigCgt"))
  }

  @Test("of signals: it handles those that it documents, and ignores those that it documents as ignored")
  func signals() throws {
    let (ignored, caught) = try dispositions("trap '' INT;")
    #expect(ignored.isSuperset(of: [SIGPIPE, SIGUSR1, SIGUSR2, SIGTTIN, SIGTTOU, SIGXFSZ]))
    #expect(caught.isSuperset(of: [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGXCPU]))
    #expect(ignored.isDisjoint(with: [SIGALRM, SIGWINCH, SIGCHLD]))
  }

  @Test("of signals: those that its parent ignored stay ignored")
  func inheritedSignals() throws {
    let (ignored, caught) = try dispositions("trap '' HUP TERM QUIT TSTP XCPU;")
    #expect(ignored.isSuperset(of: [SIGHUP, SIGTERM, SIGQUIT, SIGTSTP, SIGXCPU]))
    #expect(caught.contains(SIGINT))
  }

  @Test("of processor time ends a recording properly")
  func processorTime() throws {
    // The kernel's signal, at a time chosen here.
    let (output, errors) = try shell(
      """
      $overcrank record sim: --ring 32MiB --max-width 640 --no-clip -o a.mp4 & program=$!; \
      until [ "$(stat -c %s a.master.mov.part 2>/dev/null || echo 0)" -gt 1000000 ]; do sleep 0.05; done; \
      kill -XCPU $program; wait $program
      """)
    #expect(output.hasSuffix("0\n"), "\(output) \(errors)")
    #expect(errors.contains("ulimit -t"))
    #expect(try folder.names == ["a.master.mov", "a.take.json"])
  }
}
