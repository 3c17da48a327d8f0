import Foundation
public import Glibc

/// The built tool on a terminal of its own, as a user runs it.
public final class TerminalProgram {
  /// Its terminal.
  public let terminal: Terminal
  /// Its process.
  public let process: pid_t
  /// The output to the terminal, as far as ``look()`` has read it. Lines end with a single newline.
  public private(set) var shown = ""
  private var status: Int32?

  /// Starts the tool.
  ///
  /// - Parameters:
  ///   - arguments: its arguments.
  ///   - terminal: its input and output.
  ///   - environment: its only variables, but for what makes it start sooner.
  public init(
    _ arguments: [String], on terminal: Terminal, environment: [String: String] = ["TERM": "xterm"]
  ) throws {
    self.terminal = terminal
    // A terminal that a session's first process opens becomes its controlling terminal.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, defaults) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&defaults)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    // POSIX_SPAWN_SETSID, which is a macro.
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | 0x80))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, terminal.path, O_RDWR, 0)
    for descriptor: Int32 in [1, 2] { posix_spawn_file_actions_adddup2(&actions, 0, descriptor) }
    let path = OvercrankProgram.url.path
    let words = ([path] + arguments).map { strdup($0) }
    let variables = environment.merging(OvercrankProgram.standIns) { $1 }.map { strdup("\($0)=\($1)") }
    defer { for text in words + variables { free(text) } }
    var process = pid_t()
    let result = posix_spawn(&process, path, &actions, &attributes, words + [nil], variables + [nil])
    guard result == 0 else { throw Program.Failure(description: "\(path) cannot start: errno \(result)") }
    self.process = process
  }

  deinit {
    guard status == nil else { return }
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  /// Reads the output to the terminal.
  public func look() { shown += terminal.read().replacing("\r\n", with: "\n") }

  /// Reads until `condition` holds or the program has ended. Returns whether it holds.
  public func wait(until condition: (TerminalProgram) -> Bool) -> Bool {
    while true {
      look()
      if condition(self) { return true }
      if hasEnded { return condition(self) }
      usleep(5000)
    }
  }

  /// Waits for the end. Returns the exit status, or a signal's number as a negative one.
  ///
  /// - Parameter isRead: whether the terminal is read meanwhile.
  public func end(isRead: Bool = true) -> Int32 {
    while !hasEnded {
      if isRead { look() }
      usleep(5000)
    }
    if isRead { look() }
    let status = status ?? 0
    return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
  }

  /// Waits until the program has a thread that receives signals.
  public func waitUntilItHearsSignals() { _ = wait { _ in Self.hearsSignals(process) } }

  /// Returns whether `process` has a thread that receives signals.
  public static func hearsSignals(_ process: pid_t) -> Bool {
    hasThread(process) { fact($0, "comm") == "overcrank-hear\n" }
  }

  /// Returns whether a thread of `process` is in write(2) on its standard output: see proc_pid_syscall(5).
  public static func writesOutput(_ process: pid_t) -> Bool {
    hasThread(process) { fact($0, "syscall")?.hasPrefix("\(writeCall) 0x1 ") == true }
  }

  /// The number of write(2), which Swift does not import.
  #if arch(x86_64)
    private static let writeCall = 1
  #else
    private static let writeCall = 64
  #endif

  private static func hasThread(_ process: pid_t, where condition: (String) -> Bool) -> Bool {
    let folder = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.contains { condition("\(folder)/\($0)") }
  }

  private static func fact(_ thread: String, _ name: String) -> String? {
    try? String(contentsOfFile: "\(thread)/\(name)", encoding: .utf8)
  }

  /// Whether the program has ended.
  public var hasEnded: Bool {
    if status != nil { return true }
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == process else { return false }
    self.status = status
    return true
  }
}
