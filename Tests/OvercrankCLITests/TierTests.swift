import Foundation
import Testing

/// `script/test` sorts tests only by their tags: without its tag, a test runs in the wrong tier, or in none.
@Suite("Each test has the tag of its tier")
struct TierTests {
  /// The calls that start a program, open a socket or wait for time to pass.
  private static let calls: Set = [
    "OvercrankProgram", "Program", "Process(", "posix_spawn(", "fork(", "processExitsWith", "socket(",
    "sleep(", "usleep(", "MonotonicClock(", "TakeRecorder(",
  ]

  /// A suite or a test, with the code up to the next one.
  private struct Part {
    var code: Substring
    /// Tests also have the tags and the limit of their suite.
    var tags: [String]
    var minutes: Set<Substring>
  }

  /// The Swift files of tests and of their shared code, without strings and comments, which call nothing.
  private static let sources: [(name: String, code: String)] = {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "..").standardizedFileURL
    let all = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
    return (all?.compactMap { $0 as? URL } ?? []).compactMap { file in
      let folder = file.deletingLastPathComponent().lastPathComponent
      guard file.pathExtension == "swift", folder.hasSuffix("Tests") || folder == "FrameJudge" else {
        return nil
      }
      let code = try? String(contentsOf: file, encoding: .utf8).replacing(/"(?:[^"\\\n]|\\.)*"/, with: "\"\"")
      return (file.lastPathComponent, code?.replacing(/\/\/.*/, with: "") ?? "")
    }
  }()

  private static let files = sources.filter { $0.name.hasSuffix("Tests.swift") }
    .map { (name: $0.name, parts: parts(of: $0.code)) }

  /// The calls, and the shared types that make them.
  private static let waiting = {
    var (found, others) = (calls, sources.filter { !$0.name.hasSuffix("Tests.swift") }.map(\.code))
    while let next = others.firstIndex(where: { !words(of: $0).isDisjoint(with: found) }) {
      let types = others.remove(at: next).matches(of: /(?m)^(?:public |final )*(?:class|enum|struct) (\w+)/)
      found.formUnion(types.map { String($0.1) })
    }
    return found
  }()

  /// The names in `code`, also with the parenthesis of a call.
  private static func words(of code: some StringProtocol) -> Set<String> {
    Set(String(code).matches(of: /(\w+)\(?/).flatMap { [String($0.0), String($0.1)] })
  }

  /// The suites and tests of a file.
  private static func parts(of code: String) -> [Part] {
    let starts = code.ranges(of: /@(?:Suite|Test)\b/).map(\.lowerBound)
    var suite = Part(code: "", tags: [], minutes: [])
    return zip(starts, starts.dropFirst() + [code.endIndex]).map { start, end in
      var part = Part(code: code[start..<end], tags: [], minutes: [])
      if let tags = part.code.firstMatch(of: /\.tags\(([^)]*)\)/)?.1 {
        part.tags = tags.matches(of: /\w+/).map { String($0.0) }
      }
      part.minutes = Set(part.code.matches(of: /\.timeLimit\(\.minutes\((\d+)\)\)/).map(\.1))
      if part.code.hasPrefix("@Suite") {
        suite = part
      } else {
        part.tags += suite.tags
        part.minutes.formUnion(suite.minutes)
      }
      return part
    }
  }

  /// Expects one of `tags` wherever one of `words` occurs.
  private func expectTag(_ tags: Set<String>, where words: Set<String>) {
    for (name, parts) in Self.files {
      for part in parts where tags.isDisjoint(with: part.tags) {
        let found = Self.words(of: part.code).intersection(words)
        #expect(found.isEmpty, "\(name): \(found) in \(part.code.prefix(100))")
      }
    }
  }

  @Test("a test that starts a program, opens a socket or waits is not a unit test")
  func program() {
    #expect(Self.waiting.isSuperset(of: ["StripVideo", "TestServer", "StudioAtWork"]))
    expectTag(["program", "realTime", "kernel"], where: Self.waiting)
  }

  @Test("a test that records with the kernel's cameras runs where they are")
  func kernel() { expectTag(["kernel"], where: ["KernelCameras", "USBCamera"]) }

  @Test("a test that may wait has a limit of one minute, except with real time or an emulated machine")
  func timeLimits() {
    for (name, parts) in Self.files {
      for part in parts where !part.tags.contains("realTime") && !part.tags.contains("kernel") {
        let isRight = part.minutes == ["1"] || part.tags.isEmpty && part.minutes.isEmpty
        #expect(isRight, "\(name): \(part.code.prefix(100))")
      }
    }
  }

  @Test("a test begins when a processor is free, so its limit does not count the time before")
  func width() {
    let width = ProcessInfo.processInfo.environment["SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"]
    #expect(width.flatMap { Int($0) } != nil)
  }
}
