import FrameJudge
import Foundation
import Timebase

/// A control as v4l2-ctl sees it while another program moves it.
final class ControlWatch {
  /// A value that the driver reported.
  struct Change: Hashable, Sendable {
    /// The event's number: if one is skipped, the next replaced its value before it was read.
    var number: Int
    /// The time when the control was set, on `CLOCK_MONOTONIC`, rounded down to the microsecond.
    var time: Instant
    /// The value that was set.
    var value: Int64
  }

  private let folder: TemporaryFolder
  private let process = Process()
  private var log: URL { folder.url.appending(path: "log") }

  /// Watches `control` of the node at `path` from now on.
  init(_ path: String, _ control: String) throws {
    folder = try TemporaryFolder()
    try Data().write(to: folder.url.appending(path: "log"))
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["stdbuf", "-oL", "v4l2-ctl", "-d", path, "--poll-for-event", "ctrl=\(control)"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: log)
    try process.run()
    // It reports the initial value first.
    let end = Date(timeIntervalSinceNow: 180)
    while process.isRunning, try changes().isEmpty, Date() < end { usleep(20_000) }
  }

  deinit { stop() }

  private func stop() {
    // A thread of the tests may block the other signals, and a child process inherits this.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Waits until the control has been set to `value`; at most three minutes.
  func wait(for value: Int64) throws {
    let end = Date(timeIntervalSinceNow: 180)
    while Date() < end, try !changes().contains(where: { $0.value == value }) { usleep(50_000) }
  }

  /// Whether it has seen `count` steps of a ramp, besides the initial value, a change of the control's flags, and the
  /// first step.
  func hasSeen(steps count: Int) throws -> Bool { try changes().count >= count + 3 }

  /// Waits until it has seen `count` steps of a ramp, or `process` has ended; at most three minutes.
  func wait(forSteps count: Int, from process: Process) throws {
    let end = Date(timeIntervalSinceNow: 180)
    while process.isRunning, Date() < end, try !hasSeen(steps: count) { usleep(50_000) }
  }

  /// All values seen, including the initial one.
  func end() throws -> [Change] {
    stop()
    return try changes()
  }

  private func changes() throws -> [Change] {
    let text = try String(contentsOf: log, encoding: .utf8)
    return text.matches(of: /(\d+)\.(\d{6}): event (\d+), [^\n]*\n\s*value: (-?\d+)/).compactMap { match in
      guard let seconds = Int64(match.1), let micros = Int64(match.2), let number = Int(match.3),
        let value = Int64(match.4)
      else { return nil }
      return Change(
        number: number, time: Instant(nanoseconds: seconds * 1_000_000_000 + micros * 1000), value: value)
    }
  }
}
