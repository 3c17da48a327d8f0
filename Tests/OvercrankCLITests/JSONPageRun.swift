import FrameJudge
import Foundation
import Synchronization
import Testing

/// The state that the cases of `JSONPageTests` share: the page, a recorded take, and the keys seen.
final class JSONPageRun: Sendable {
  @TaskLocal static var current: JSONPageRun?

  let page: JSONPage
  /// The output of the take's recording.
  let printed: Data
  private let folder: TemporaryFolder
  private let seen = Mutex<Set<String>>([])

  /// Records the take `x`.
  init() throws {
    page = try JSONPage()
    folder = try TemporaryFolder()
    let copies = try TemporaryFolder()
    let run = try OvercrankProgram(
      "record", "sim:,clock=virtual,accept=60@1920x1080,drop=20-24", "--fps", "120", "--frames", "40",
      "--deflicker", "--preset", "ultrafast", "--scale", "160", "--frames-json", "--max-size", "1TB",
      "--quality", "1440p,high", "--rotate", "180", "--clip-while-filming", "-o", folder.path("x.mp4"),
      "--no-thumbnail", "--export", copies.url.path, "--json")
    try #require(run.status == 0, "\(run.errors)")
    printed = Data(run.output.utf8)
  }

  /// The folder of the take, as the recording named it.
  var recordedIn: String { folder.url.path }

  /// A copy of the take, with all its files, in `folder`.
  func copyTake(to folder: TemporaryFolder) throws {
    for name in try self.folder.names {
      try FileManager.default.copyItem(atPath: self.folder.path(name), toPath: folder.path(name))
    }
  }

  /// Checks `json` against a section of the page, and notes its keys.
  func check(_ json: Any, _ section: String, isArray: Bool = false) throws {
    let keys = try page.check(json, section, isArray: isArray)
    seen.withLock { $0.formUnion(keys) }
  }

  /// The keys of the page that no case has seen.
  fileprivate var missing: [String] { seen.withLock { page.keys.subtracting($0).sorted() } }
}

/// Expects the tests of a suite together to see every key of the page.
struct MeetsEveryKey: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let run = try JSONPageRun()
    try await JSONPageRun.$current.withValue(run) { try await function() }
    #expect(run.missing.isEmpty, "docs/json.md tells of what nothing prints")
  }
}

extension DescribedJSON {
  /// Moves the clip of the take away.
  @Sendable static func moveClip(_ folder: TemporaryFolder) throws {
    let away = try TemporaryFolder()
    let run = try OvercrankProgram(
      "takes", "export", away.url.path, folder.path("x.mp4"), "--clips", "--move")
    #expect(run.status == 0, "\(run.errors)")
  }
}
