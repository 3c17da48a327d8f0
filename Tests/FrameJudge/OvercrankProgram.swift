public import Foundation

/// The built command-line tool, run as a user runs it.
public struct OvercrankProgram: Sendable {
  /// Its exit status.
  public let status: Int32
  /// What it wrote to stdout.
  public let output: String
  /// What it wrote to stderr.
  public let errors: String

  /// The tool that the environment names, or else the one beside the test bundle, where the build puts both.
  public static let url: URL = {
    // A script's background job starts with some of these signals ignored, and the tool would inherit that.
    // The tests that send them would wait forever.
    for number in [SIGINT, SIGQUIT, SIGHUP, SIGTERM] { signal(number, SIG_DFL) }
    if let path = ProcessInfo.processInfo.environment["OVERCRANK_PROGRAM"] { return URL(filePath: path) }
    let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: bundle).deletingLastPathComponent().appending(path: "overcrank")
  }()

  /// What keeps libraries that no test calls from being loaded, which takes longer than most runs. The script
  /// stand_ins.py makes their stand-ins.
  static let standIns: [String: String] =
    ProcessInfo.processInfo.environment["OVERCRANK_STAND_INS"].map { ["LD_LIBRARY_PATH": $0] } ?? [:]

  /// The variables of the tests, and what makes the tool start sooner.
  public static let environment = ProcessInfo.processInfo.environment.merging(standIns) { $1 }

  /// Runs the tool to its end.
  ///
  /// - Parameters:
  ///   - input: the content of its standard input.
  ///   - environment: variables in addition to those of the tests.
  ///   - whileRunning: is called once it has started, and may send it signals.
  public init(
    _ arguments: [String], input: Data = Data(), environment: [String: String] = [:],
    whileRunning: (Process) throws -> Void = { _ in }
  ) throws {
    let process = Process()
    process.executableURL = Self.url
    process.arguments = arguments
    process.environment = Self.environment.merging(environment) { $1 }
    let folder = try TemporaryFolder()
    func file(_ name: String, _ content: Data) throws -> URL {
      let url = folder.url.appending(path: name)
      try content.write(to: url)
      return url
    }
    // Files rather than pipes: one pipe could fill up while the other is read.
    let (out, err) = (try file("out", Data()), try file("err", Data()))
    process.standardInput = try FileHandle(forReadingFrom: try file("in", input))
    process.standardOutput = try FileHandle(forWritingTo: out)
    process.standardError = try FileHandle(forWritingTo: err)
    try process.run()
    try whileRunning(process)
    process.waitUntilExit()
    status = process.terminationStatus
    output = String(decoding: try Data(contentsOf: out), as: UTF8.self)
    errors = String(decoding: try Data(contentsOf: err), as: UTF8.self)
  }

  /// Runs the tool with `arguments`.
  public init(_ arguments: String...) throws { try self.init(arguments) }

  /// Returns its output, decoded as JSON.
  public func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(output.utf8))
  }
}
