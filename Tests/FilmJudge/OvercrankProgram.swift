public import Foundation

/// The built command-line tool, run as a user runs it.
public struct OvercrankProgram: Sendable {
  /// Its exit status.
  public let status: Int32
  /// What it wrote to stdout.
  public let output: String
  /// What it wrote to stderr.
  public let errors: String

  /// Beside the running test bundle, where the build puts both, unless the environment names another.
  public static let url: URL = {
    // What runs in the background of a script is started with some of these ignored, and so would the tool be; the tests
    // that send them would wait for ever.
    for number in [SIGINT, SIGQUIT, SIGHUP, SIGTERM] { signal(number, SIG_DFL) }
    if let path = ProcessInfo.processInfo.environment["OVERCRANK_PROGRAM"] { return URL(filePath: path) }
    let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: bundle).deletingLastPathComponent().appending(path: "overcrank")
  }()

  /// Runs the tool to its end.
  ///
  /// - Parameters:
  ///   - input: what its standard input holds.
  ///   - environment: variables besides those of the tests.
  ///   - whileRunning: is called once it has started, and may send it signals.
  public init(
    _ arguments: [String], input: Data = Data(), environment: [String: String] = [:],
    whileRunning: (Process) throws -> Void = { _ in }
  ) throws {
    let process = Process()
    process.executableURL = Self.url
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let folder = try TemporaryFolder()
    func file(_ name: String, _ content: Data) throws -> URL {
      let url = folder.url.appending(path: name)
      try content.write(to: url)
      return url
    }
    // Files rather than pipes, of which one would fill up while the other is read.
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

  /// Its output as JSON.
  public func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(output.utf8))
  }
}
