import FilmJudge
import Foundation
import FoundationNetworking
import Testing

@Suite("overcrank studio, as a program", .serialized, .timeLimit(.minutes(15))) struct StudioProgramTests {
  /// A studio that runs; what it printed goes into a file.
  private final class Running {
    let process = Process()
    let folder: TemporaryFolder

    init(_ arguments: [String]) throws {
      folder = try TemporaryFolder()
      try Data().write(to: folder.url.appending(path: "out"))
      process.executableURL = OvercrankProgram.url
      process.arguments = ["studio", "sim:", "--no-open", "--folder", folder.path("takes")] + arguments
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: folder.url.appending(path: "out"))
      process.standardError = FileHandle.nullDevice
      try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    /// What it prints, once `isWhole` finds it to be all; waits ten minutes at most.
    func output(_ isWhole: (String) -> Bool) throws -> String {
      for _ in 0..<60_000 {
        let text = try String(contentsOf: folder.url.appending(path: "out"), encoding: .utf8)
        if isWhole(text) { return text }
        usleep(10_000)
      }
      throw CocoaError(.fileReadUnknown)
    }

    /// How many files it has open.
    var descriptors: Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd").count)
        ?? -1
    }

    func interrupt() -> Int32 {
      process.interrupt()
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  private struct Report: Decodable {
    var address: String
    var port: Int
    var token: String
  }

  private func status(_ url: String, token: String? = nil) async throws -> Int {
    var request = URLRequest(url: try #require(URL(string: url)))
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    request.timeoutInterval = 600
    let (_, response) = try await URLSession.shared.data(for: request)
    return try #require(response as? HTTPURLResponse).statusCode
  }

  private func text(_ url: String, token: String) async throws -> String {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    request.timeoutInterval = 600
    return String(decoding: try await URLSession.shared.data(for: request).0, as: UTF8.self)
  }

  @Test("It prints where it is, answers there and to its token alone, and ends with Ctrl-C")
  func address() async throws {
    let studio = try Running(["--port", "0", "--json"])
    let report = try JSONDecoder().decode(Report.self, from: Data(studio.output { $0.hasSuffix("}\n") }.utf8))
    #expect(report.address == "http://127.0.0.1:\(report.port)/#\(report.token)" && report.token.count == 64)
    let base = "http://127.0.0.1:\(report.port)"
    #expect(try await status("\(base)/") == 200)
    #expect(try await status("\(base)/api/state") == 401)
    #expect(try await status("\(base)/api/state", token: report.token) == 200)
    // Until its first frame it opens the camera, and the files of the next take.
    for _ in 0..<60_000 {
      if try await text("\(base)/api/state", token: report.token).contains("\"armed\"") { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    // What asks keeps a few connections for its next request.
    let most = studio.descriptors + 8
    for _ in 0..<50 { #expect(try await status("\(base)/api/state", token: "x") == 401) }
    var after = studio.descriptors
    for _ in 0..<60_000 where after > most {
      usleep(10_000)
      after = studio.descriptors
    }
    #expect(after <= most)
    #expect(studio.interrupt() == 0)
  }

  @Test("A port that is taken, and an address that is none, are told with what to do")
  func refused() throws {
    let studio = try Running(["--port", "0"])
    let line = try studio.output { $0.hasSuffix("\n") }
    let port = String(try #require(line.firstMatch(of: /:(\d+)\/#/)?.output.1))
    let second = try OvercrankProgram("studio", "sim:", "--no-open", "--port", port)
    #expect(second.status == 75 && second.output.isEmpty)
    #expect(second.errors.contains("another program listens there") && second.errors.contains("--port 0"))
    let foreign = try OvercrankProgram("studio", "sim:", "--no-open", "--port", "0", "--bind", "192.0.2.1")
    #expect(foreign.status == 69 && foreign.errors.contains("is no address of this machine"))
    let name = try OvercrankProgram("studio", "sim:", "--no-open", "--port", "0", "--bind", "example.org")
    #expect(name.status == 69 && name.errors.contains("Give one in numbers"))
    #expect(try OvercrankProgram("studio", "--port", "65536").status == 64)
    #expect(studio.interrupt() == 0)
  }
}
