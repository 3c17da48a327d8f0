import FrameJudge
import Foundation
import Platform
import Takes
import Testing

@Suite("The capture thread's scheduling", .tags(.program), .timeLimit(.minutes(1)))
struct SchedulingTests {
  /// The facts in /proc about the thread that captures: its policy, its priority, the CPUs it may run on.
  private struct VideoThread {
    var policy: Int32
    var priority: Int32
    var cpus: String

    init?(of process: Process) {
      let tasks = "/proc/\(process.processIdentifier)/task"
      func content(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
      for task in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
        guard content("\(tasks)/\(task)/comm") == "overcrank-film\n" else { continue }
        // The second field, the name in brackets, may contain spaces; rt_priority and policy are fields 40
        // and 41.
        let stat = content("\(tasks)/\(task)/stat")
        guard let bracket = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[bracket...].split(separator: " ")
        let allowed = content("\(tasks)/\(task)/status").split(separator: "\n")
          .first { $0.hasPrefix("Cpus_allowed_list:") }
        guard fields.count > 39, let priority = Int32(fields[38]), let policy = Int32(fields[39]), let allowed
        else { return nil }
        (self.policy, self.priority) = (policy, priority)
        cpus = String(allowed.split(separator: "\t").last ?? "")
        return
      }
      return nil
    }
  }

  /// Records the simulated camera, in a mode that is cheap to draw, until the thread has been seen to meet
  /// `condition`, at most 30 seconds.
  private func record(_ options: [String], until condition: (VideoThread) -> Bool) throws -> (
    VideoThread?, Int32
  ) {
    let folder = try TemporaryFolder()
    var seen: VideoThread?
    let run = try OvercrankProgram(
      [
        "record", SmallCamera.inRealTime(), "--duration", "1h", "--no-clip", "-o",
        folder.path("x.mp4"),
      ]
        + options,
      whileRunning: { process in
        let end = Date(timeIntervalSinceNow: 30)
        while process.isRunning, Date() < end {
          if let thread = VideoThread(of: process) {
            seen = thread
            if condition(thread) { break }
          }
          usleep(10_000)
        }
        // Stopped only once there is a frame, as a take without one is an error.
        let part = folder.path("x.master.mov.part")
        while process.isRunning, (try? Data(contentsOf: URL(filePath: part)).count) ?? 0 < 1 << 18 {
          usleep(10_000)
        }
        kill(process.processIdentifier, SIGINT)
      })
    return (seen, run.status)
  }

  @Test(
    "is FIFO at priority 10 on the named CPU", .tags(.realTime),
    .enabled(if: CaptureScheduling(isRealTime: true, cpu: 0).refusals().isEmpty))
  func permitted() throws {
    let (thread, status) = try record(["--realtime", "--cpu", "0"]) {
      $0.policy == SCHED_FIFO && $0.cpus == "0"
    }
    #expect(status == 0)
    #expect(thread?.policy == SCHED_FIFO)
    #expect(thread?.priority == 10)
    #expect(thread?.cpus == "0")
  }

  @Test("is reported with the remedy if the system refuses it, and the recording continues")
  func refused() throws {
    // Root without the capability is like any user.
    // Without a schedule that this process, or a codec in it, may have set.
    let asUser =
      ["chrt", "--other", "0", "prlimit", "--rtprio=0:0"]
      + (geteuid() == 0 ? ["setpriv", "--bounding-set=-sys_nice"] : [])
    func record(_ options: String...) throws -> (errors: String, take: Take) {
      let folder = try TemporaryFolder()
      let run = try Program.run(
        asUser[0],
        asUser.dropFirst() + [
          OvercrankProgram.url.path, "record", SmallCamera.inVirtualTime(), "--fps", "120", "--frames", "5",
          "--no-clip", "-o", folder.path("x.mp4"),
        ] + options)
      return (run.errors, try folder.take())
    }
    let asked = try record("--realtime", "--cpu", "1000")
    #expect(asked.errors.contains("setcap cap_sys_nice,cap_ipc_lock+p"))
    #expect(asked.errors.contains("may not run on CPU 1000"))
    #expect(asked.take.frames.written > 0)
    #expect(try record().errors.contains("setcap") == false)
  }
}
