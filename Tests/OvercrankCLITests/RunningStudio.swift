import FrameJudge
import Foundation
import FoundationNetworking
import SystemPackage
import Takes
import Testing

/// `overcrank studio` as a program, called as its page calls it.
final class RunningStudio {
  let process = Process()
  private let folder: TemporaryFolder

  /// The output of `studio --json`.
  struct Report: Decodable {
    var address: String
    var port: Int
    var token: String
  }

  /// The part of its state that tests examine.
  struct State: Decodable {
    struct Interruption: Decodable {
      var reason: String
      var message: String?
      var waitsForResume: Bool
    }
    struct Problem: Decodable { var message: String }
    struct Settings: Decodable { var preNs: Int64 }
    struct Clip: Decodable { var take: String }

    var phase: String
    var interruption: Interruption?
    var problem: Problem?
    var settings: Settings
    var heldNs: Int64
    var clips: [Clip]
  }

  /// An answer.
  struct Answer {
    var status: Int
    var body: Data
    var head: HTTPURLResponse

    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// A state that a test did not see in time.
  struct NeverReached: Error, CustomStringConvertible { var description: String }

  /// Starts it on a camera, at any port.
  init(_ camera: String, _ arguments: [String]) throws {
    folder = try TemporaryFolder()
    func file(_ name: String) throws -> FileHandle {
      try Data().write(to: folder.url.appending(path: name))
      return try FileHandle(forWritingTo: folder.url.appending(path: name))
    }
    process.executableURL = OvercrankProgram.url
    process.arguments =
      ["studio", camera, "--no-open", "--json", "--port", "0", "--folder", folder.path("takes")] + arguments
    process.environment = OvercrankProgram.environment.merging(
      ["XDG_CONFIG_HOME": folder.path("config")]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try file("out")
    process.standardError = try file("errors")
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
  }

  /// Its output, once there is some; waits ten minutes at most.
  func report() throws -> Report {
    for _ in 0..<60_000 {
      let text = try text("out")
      if text.hasSuffix("}\n") { return try JSONDecoder().decode(Report.self, from: Data(text.utf8)) }
      usleep(10_000)
    }
    throw NeverReached(description: "It printed no address. It told: \(try text("errors"))")
  }

  /// Its messages at the terminal so far.
  var errors: String { get throws { try text("errors") } }

  /// The number of files it has open.
  var descriptors: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd").count)
      ?? -1
  }

  /// Ends it as Ctrl-C does, and returns its exit code.
  func interrupt() -> Int32 {
    process.interrupt()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Sends a request for `path`.
  ///
  /// - Parameter token: the request's token; if empty, its own.
  func ask(
    _ path: String, _ method: String = "GET", _ body: String? = nil, token: String? = ""
  ) async throws -> Answer {
    let report = try report()
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(report.port)\(path)")))
    request.httpMethod = method
    if let token {
      request.setValue("Bearer \(token.isEmpty ? report.token : token)", forHTTPHeaderField: "Authorization")
    }
    if let body {
      request.httpBody = Data(body.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    request.timeoutInterval = 600
    let (data, response) = try await URLSession.shared.data(for: request)
    let head = try #require(response as? HTTPURLResponse)
    return Answer(status: head.statusCode, body: data, head: head)
  }

  /// Waits for a state that then stays; ten minutes at most.
  @discardableResult func reach(
    _ what: String = #function, _ isReached: (State) -> Bool
  ) async throws -> State {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    var text = ""
    let end = Date(timeIntervalSinceNow: 600)
    while Date() < end {
      let answer = try await ask("/api/state")
      text = answer.text
      let state = try decoder.decode(State.self, from: answer.body)
      if isReached(state) { return state }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw NeverReached(description: "\(what): \(text) \(try errors)")
  }

  /// The files in the folder of its takes.
  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path("takes")) }
  }

  /// Its takes, in the order in which they began.
  func takes() throws -> [(take: Take, master: String)] {
    try files.filter { $0.hasSuffix(".take.json") }.map { name in
      let take = try #require(try Take.read(from: FilePath(folder.path("takes/\(name)"))))
      return (take, folder.path("takes/\(try #require(take.master))"))
    }.sorted { $0.take.startedAt < $1.take.startedAt }
  }
}
