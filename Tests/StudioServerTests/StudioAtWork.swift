import Capture
import FrameJudge
import Foundation
import Overcrank
import Platform
import Synchronization
import SystemPackage
import Takes
import Testing
import Timebase

@testable import StudioServer

/// A running studio with a simulated camera and small pictures, called as pages call it.
final class StudioAtWork: Sendable {
  /// The events sent to pages.
  struct Notice: Decodable, Sendable {
    var kind: String
    var message: String
    var id: String?
    var file: String?
  }

  /// A camera that never reached the state that a test waits for.
  struct NeverReached: Error, CustomStringConvertible {
    var description: String
  }

  let studio: Studio
  /// The folder of its takes.
  let takes: String
  private let folder: TemporaryFolder
  private let told = Collected<Notice>()

  /// The rate of the camera's first mode, in frames per second; the second has larger pictures and half the
  /// rate.
  static let rate = 60
  static let interval = Duration.nanoseconds(1_000_000_000 / rate)

  /// - Parameters:
  ///   - faults: of the camera, such as `drop=10`.
  ///   - further: those of further cameras.
  ///   - takes: the folder of its takes; `nil` for a folder that is removed with the test.
  ///   - fourcc: the format of its frames.
  private init(
    _ faults: String, _ settings: SettingsChange, with further: [String], in takes: String?, _ fourcc: String
  ) async throws {
    folder = try TemporaryFolder()
    let table = """
      {"card": "Small", "modes": [
        {"fourcc": "\(fourcc)", "width": 320, "height": 240, "intervals": [[1, \(Self.rate)]]},
        {"fourcc": "\(fourcc)", "width": 640, "height": 480, "intervals": [[1, \(Self.rate / 2)]]}]}
      """
    try Data(table.utf8).write(to: folder.url.appending(path: "small.json"))
    self.takes = takes ?? folder.path("takes")
    let names = ([faults] + further).map { [folder] faults in
      "sim:\(folder.path("small.json")),buffers=32\(faults.isEmpty ? "" : ",")\(faults)"
    }
    studio = Studio(
      StudioOptions(
        cameras: [names[0]], further: names.dropFirst().map { StudioOptions.Camera(name: $0) },
        folder: FilePath(self.takes), thumbnails: Thumbnails(FilePath(folder.path("thumbnails")))))
    await studio.apply(settings)
  }

  /// Runs a studio during `body`, and waits for its end.
  ///
  /// - Returns: the studio after its end.
  @discardableResult static func run(
    _ faults: String = "", _ settings: SettingsChange = SettingsChange(), with further: [String] = [],
    in takes: String? = nil, format fourcc: String = "MJPG", _ body: (StudioAtWork) async throws -> Void
  ) async throws -> StudioAtWork {
    let work = try await StudioAtWork(faults, settings, with: further, in: takes, fourcc)
    let (studio, told) = (work.studio, work.told)
    let reader = Task {
      await studio.hub.read { reader in
        for await _ in reader.wakes {
          for notice in reader.take().notices {
            if let notice = try? JSONDecoder().decode(Notice.self, from: Data(notice)) { told.append(notice) }
          }
        }
      }
    }
    let tasks = [Task { await studio.run() }, Task { await studio.clips.run() }]
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(work)) } catch { outcome = .failure(error) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    studio.hub.end()
    await reader.value
    try outcome.get()
    return work
  }

  /// Waits for a state that then stays; ten minutes at most.
  @discardableResult func reach(
    _ what: String = #function, _ isReached: (StudioState) -> Bool
  ) async throws -> StudioState {
    for _ in 0..<60_000 {
      let state = await studio.state()
      if isReached(state) { return state }
      // A test whose time is over reports where it waited.
      do { try await Task.sleep(for: .milliseconds(10)) } catch { break }
    }
    throw NeverReached(description: "\(what): \(await studio.state()), \(told.all)")
  }

  /// Waits until it is armed, with the whole pre-roll in memory.
  @discardableResult func standBy() async throws -> StudioState {
    try await reach { $0.phase == .armed && $0.held >= $0.settings.preRoll && $0.take == nil }
  }

  /// Waits for `count` notices of a kind, and returns all of that kind; ten minutes at most.
  @discardableResult func notices(_ kind: StudioNotice.Kind, _ count: Int) async throws -> [Notice] {
    for _ in 0..<60_000 {
      let all = all(kind)
      if all.count >= count { return all }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw NeverReached(description: "\(count) of \(kind): \(told.all)")
  }

  /// The notices of a kind so far.
  func all(_ kind: StudioNotice.Kind) -> [Notice] { told.all.filter { $0.kind == kind.rawValue } }

  /// Its takes, in the order in which they began.
  func allTakes() async throws -> [(entry: LibraryEntry, take: Take)] {
    guard FileManager.default.fileExists(atPath: takes) else { return [] }
    return try await TakeLibrary(FilePath(takes)).entries().filter { $0.description != nil }.map { entry in
      (entry, try #require(try Take.read(from: entry.path)))
    }.sorted { ($0.1.startedAt, $0.0.name) < ($1.1.startedAt, $1.0.name) }
  }

  /// Checks a take against its master's pixels: the frames are those in the take, and only those of its
  /// ledger are missing.
  func expectTrue(
    _ taken: (entry: LibraryEntry, take: Take), location: SourceLocation = #_sourceLocation
  ) throws {
    let master = try #require(taken.entry.master, sourceLocation: location)
    let numbers = try StripVideo(master.string).numbers
    let (take, written) = (taken.take, taken.take.sequences.map { $0 })
    #expect(numbers == written.map { UInt32($0) }, sourceLocation: location)
    #expect(take.frames.written == Int64(written.count), sourceLocation: location)
    let lost = take.losses.flatMap { Array($0.sequence..<$0.sequence + $0.count) }
    #expect(Int64(lost.count) == take.frames.lost.total, sourceLocation: location)
    let all = (written + lost).sorted()
    let first = try #require(all.first, sourceLocation: location)
    #expect(all == Array(first..<first + Int64(all.count)), sourceLocation: location)
    #expect(taken.entry.problems.isEmpty, sourceLocation: location)
  }
}

extension Studio {
  /// Changes the settings before it runs.
  fileprivate func apply(_ change: SettingsChange) { model.settings.apply(change) }
}

/// The refusal that `body` ends with; `nil` if there is none.
func refusal(_ body: () async throws -> Void) async -> StudioError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? StudioError
  }
}
