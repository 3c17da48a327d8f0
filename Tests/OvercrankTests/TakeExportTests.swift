import FrameJudge
import Foundation
import Overcrank
import Platform
import SystemPackage
import Takes
import Testing

@Suite("An export", .timeLimit(.minutes(1)))
struct TakeExportTests {
  let source: TemporaryFolder
  let target: TemporaryFolder

  init() throws {
    source = try TemporaryFolder()
    target = try TemporaryFolder()
  }

  private func stage(_ name: String, master: Int = 300_000, clip: Int? = 20_000) throws {
    var take = StagedTake(name)
    take.master = master
    take.clip = clip
    if clip == nil { take.content["clips"] = [Int]() }
    try take.write(to: source.url.path)
  }

  private var library: TakeLibrary { TakeLibrary(FilePath(source.url.path)) }

  private func contents(_ folder: String) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(filePath: "\(folder)/\($0)"))) })
  }

  /// Every file of `before` must be complete in one of both places.
  private func expectNothingLost(_ before: [String: Data], at target: String) throws {
    let (here, there) = (try contents(source.url.path), try contents(target))
    for (name, data) in before { #expect(here[name] == data || there[name] == data, "\(name) is lost") }
    // A file with its name at the destination is complete.
    for (name, data) in there where before[name] != nil { #expect(data == before[name], "\(name)") }
  }

  @Test("copies or moves all of a take, and nothing twice")
  func all() async throws {
    for name in ["a", "b"] { try stage(name) }
    let before = try contents(source.url.path)
    let export = TakeExport(to: FilePath(target.url.path))
    for _ in 1...2 {
      let outcomes = export.run(try await library.entries())
      #expect(outcomes.allSatisfy { $0.isComplete && $0.copied.count == 3 && $0.removed.isEmpty })
      #expect(try contents(target.url.path) == before)
      #expect(try contents(source.url.path) == before)
    }
    var move = export
    move.moves = true
    #expect(move.run(try await library.entries()).allSatisfy { $0.isComplete && $0.removed.count == 3 })
    #expect(try source.names.isEmpty)
    #expect(try contents(target.url.path) == before)
  }

  @Test("of clips or masters leaves a take of the rest, and does nothing if there are none")
  func parts() async throws {
    try stage("a")
    let before = try contents(source.url.path)
    let clips = TakeExport(to: FilePath(target.url.path), .clips, moving: true)
    #expect(clips.run(try await library.entries()).allSatisfy { $0.isComplete })
    #expect(try target.names == ["a.mp4"])
    #expect(try source.names == ["a.master.mov", "a.take.json"])
    let entry = try #require(try await library.entries().first)
    #expect(entry.problems.isEmpty && entry.clips.isEmpty)

    let masters = TakeExport(to: FilePath(target.url.path), .masters, moving: true)
    #expect(masters.run([entry]).allSatisfy { $0.isComplete })
    #expect(try target.names == ["a.master.mov", "a.mp4", "a.take.json"])
    #expect(try contents(target.url.path)["a.master.mov"] == before["a.master.mov"])
    #expect(try source.names.isEmpty)
    try await expectWholeTake()
  }

  @Test("of the last take of a group exports the group's file")
  func group() async throws {
    let group = TakeGroup(
      overcrank: "1", cameras: ["a", "b"].map { TakeGroup.Camera(name: $0, take: "\($0).take.json") })
    for moves in [false, true] {
      for name in ["a", "b"] { try stage(name) }
      let file = FilePath(source.path("x.group.json"))
      if !moves { try group.write(to: file, replacing: false) }
      let clip = FilePath(source.path("x-slow.mp4"))
      try Data([1, 2, 3]).write(to: URL(filePath: clip.string))
      let export = TakeExport(to: FilePath(target.url.path), moving: moves)
      for name in ["a", "b"] {
        let outcome = export.run([try await library.entry(named: name)])[0]
        #expect(outcome.isComplete, "\(String(describing: outcome.failure))")
        #expect(outcome.copied.contains { $0.source == file } == (moves || name == "b"))
        #expect(outcome.removed.contains(file) == (moves && name == "b"))
        // The clip of all cameras goes with the last of its takes.
        let isLast = name == (moves ? "a" : "b")
        #expect(outcome.copied.contains { $0.source == clip } == isLast)
        #expect(outcome.removed.contains(clip) == (moves && isLast))
      }
      #expect(try TakeGroup.read(from: FilePath(target.path("x.group.json"))) == group)
    }
    #expect(try source.names.isEmpty)
  }

  /// Writes takes `a` and `b`, the file of their group `x`, and two clips of both.
  private func stageGroup() throws -> StoredGroup {
    for name in ["a", "b"] { try stage(name) }
    for (age, name) in ["x-slow-2.mp4", "x-slow.mp4"].enumerated() {
      try Data([1, 2, 3]).write(to: URL(filePath: source.path(name)))
      let date = Date(timeIntervalSince1970: 1000 - Double(age))
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: source.path(name))
    }
    let path = FilePath(source.path("x.group.json"))
    try TakeGroup(
      overcrank: "1", cameras: ["a", "b"].map { TakeGroup.Camera(name: $0, take: "\($0).take.json") }
    ).write(to: path, replacing: false)
    return try StoredGroup(path)
  }

  @Test(
    "of a group copies exactly the files that it states beforehand",
    arguments: [TakeExport.Selection.clip, .all, .clips, .masters], [false, true])
  func announced(selection: TakeExport.Selection, moves: Bool) async throws {
    let group = try stageGroup()
    let export = TakeExport(to: FilePath(target.url.path), selection, moving: moves)
    let stated = export.files(of: group.takes)
    let outcomes = export.run(group.takes)
    #expect(outcomes.allSatisfy { $0.isComplete && $0.groupFiles.isEmpty })
    let copied = outcomes.flatMap { outcome in outcome.copied.map(\.source.string) }
    #expect(copied.sorted() == stated.map(\.string).sorted())
    #expect(try target.names == stated.map(\.name).sorted())
    let groupFiles = stated.filter { $0.name.hasPrefix("x") }.map(\.name)
    switch selection {
    case .clip: #expect(groupFiles == ["x-slow-2.mp4"])
    case .clips: #expect(groupFiles == ["x-slow.mp4", "x-slow-2.mp4"])
    case .masters: #expect(groupFiles == ["x.group.json"])
    case .all: #expect(groupFiles == ["x-slow.mp4", "x-slow-2.mp4", "x.group.json"])
    }
    // One take alone takes nothing of the group along, unless the other is there.
    try target.names.forEach { try FileManager.default.removeItem(atPath: target.path($0)) }
    guard !moves else { return }
    #expect(export.files(of: [group.takes[0]]) == export.files(of: group.takes[0]))
  }

  @Test("that cannot move a take of a group leaves the group's files, and says so")
  func groupStays() async throws {
    let group = try stageGroup()
    try Data("mine".utf8).write(to: URL(filePath: target.path("a.mp4")))
    let outcomes = TakeExport(to: FilePath(target.url.path), moving: true).run(group.takes)
    #expect(outcomes.map(\.isComplete) == [false, true])
    let others = ["x-slow.mp4", "x-slow-2.mp4", "x.group.json"]
    #expect(outcomes.map { $0.groupFiles.map(\.name) } == [others, []])
    #expect(try Set(others).isSubset(of: source.names))
    // The file itself is in the way.
    try FileManager.default.removeItem(atPath: target.path("a.mp4"))
    try Data("mine".utf8).write(to: URL(filePath: target.path("x.group.json")))
    let rest = TakeExport(to: FilePath(target.url.path), moving: true).run([group.takes[0]])[0]
    #expect(rest.failure?.code == .cannotCreate && rest.groupFiles.map(\.name) == others)
    #expect(try source.names == ["x.group.json"])
  }

  @Test(
    "of a group finishes a move of some or all of its takes, and misses a take that is nowhere",
    arguments: [1, 2])
  func interruptedMove(moved: Int) throws {
    let group = try stageGroup()
    let before = try contents(source.url.path)
    let export = TakeExport(to: FilePath(target.url.path), moving: true)
    // What an interruption leaves: the takes that came first are at the destination, and nothing of the group.
    for name in before.keys where ["a.", "b."].prefix(moved).contains(where: name.hasPrefix) {
      try FileManager.default.moveItem(atPath: source.path(name), toPath: target.path(name))
    }
    let rest = try export.takes(of: group)
    #expect(rest.map(\.name) == ["b"].suffix(2 - moved))
    let groups = rest.isEmpty ? [group] : []
    let stated = export.files(of: rest, finishing: groups)
    let outcomes = export.run(rest, finishing: groups)
    #expect(outcomes.count == 1 && outcomes.allSatisfy { $0.isComplete && $0.removed.count == stated.count })
    #expect(try source.names.isEmpty)
    #expect(try contents(target.url.path) == before)
    // Without the take at the destination, it is missing.
    try FileManager.default.removeItem(atPath: target.path("a.take.json"))
    let error = #expect(throws: OvercrankError.self) { try export.takes(of: group) }
    #expect(error?.code == .noInput && error?.description.contains("a.take.json is missing") == true)
  }

  @Test("of parts, after a copy of the whole, uses the existing take")
  func partsOfCopy() async throws {
    for selections in [[TakeExport.Selection.clips, .masters], [.masters, .clips], [.clips, .all]] {
      try stage("a")
      let before = try contents(source.url.path)
      let copied = TakeExport(to: FilePath(target.url.path)).run(try await library.entries())
      #expect(copied.allSatisfy { $0.isComplete })
      for selection in selections {
        let export = TakeExport(to: FilePath(target.url.path), selection, moving: true)
        let outcomes = export.run(try await library.entries())
        #expect(outcomes.allSatisfy { $0.isComplete }, "\(outcomes.compactMap(\.failure))")
      }
      #expect(try source.names.isEmpty)
      #expect(try contents(target.url.path) == before)
      try await expectWholeTake()
      for name in try target.names { try FileManager.default.removeItem(atPath: target.path(name)) }
    }
  }

  @Test("of a take whose label has changed since a copy leaves both unchanged")
  func labelledSince() async throws {
    try stage("a")
    let export = TakeExport(to: FilePath(target.url.path), moving: true)
    var copy = export
    copy.moves = false
    _ = copy.run(try await library.entries())
    try await library.entry(named: "a").setLabel("milk")
    let before = try contents(source.url.path)
    let outcome = export.run(try await library.entries())[0]
    #expect(outcome.failure?.code == .cannotCreate)
    #expect(try contents(source.url.path) == before)
  }

  @Test("of masters first and clips afterwards does the same")
  func partsTurnedRound() async throws {
    try stage("a")
    for selection in [TakeExport.Selection.masters, .clips] {
      let export = TakeExport(to: FilePath(target.url.path), selection, moving: true)
      #expect(export.run(try await library.entries()).allSatisfy { $0.isComplete })
    }
    #expect(try source.names.isEmpty)
    try await expectWholeTake()
  }

  /// Expects the take `a` at the destination to have all its files.
  private func expectWholeTake() async throws {
    #expect(try target.names == ["a.master.mov", "a.mp4", "a.take.json"])
    let entries = try await TakeLibrary(FilePath(target.url.path)).entries()
    #expect(entries.count == 1)
    let entry = try #require(entries.first)
    #expect(entry.problems.isEmpty && entry.master != nil && entry.clips.map(\.name) == ["a.mp4"])
  }

  @Test("continues after a failure, and does not touch what it would have replaced")
  func failure() async throws {
    for name in ["a", "b", "c"] { try stage(name) }
    try Data("mine".utf8).write(to: URL(filePath: target.path("b.mp4")))
    let outcomes = TakeExport(to: FilePath(target.url.path), moving: true).run(
      try await library.entries().sorted { $0.name < $1.name })
    #expect(outcomes.map(\.isComplete) == [true, false, true])
    #expect(try source.names == ["b.master.mov", "b.mp4", "b.take.json"])
    #expect(try contents(target.url.path)["b.mp4"] == Data("mine".utf8))
  }

  @Test("to a missing folder, or to the take's own, loses nothing")
  func places() async throws {
    try stage("a")
    let before = try contents(source.url.path)
    for folder in [target.path("none"), source.url.path, source.path("a.mp4"), "/proc"] {
      let outcome = TakeExport(to: FilePath(folder), moving: true).run(try await library.entries())[0]
      #expect(!outcome.isComplete && outcome.removed.isEmpty, "\(folder)")
      #expect(try contents(source.url.path) == before)
    }
  }

  @Test("leaves a master that another take names too")
  func shared() async throws {
    try stage("a")
    var twin = StagedTake("twin")
    twin.content["master"] = "a.master.mov"
    (twin.master, twin.clip) = (nil, nil)
    twin.content["clips"] = [Int]()
    try twin.write(to: source.url.path)
    let outcome = TakeExport(to: FilePath(target.url.path), moving: true).run([
      try await library.entry(named: "twin")
    ])[0]
    #expect(outcome.isComplete && outcome.shared.map(\.lastComponent?.string) == ["a.master.mov"])
    #expect(try source.names == ["a.master.mov", "a.mp4", "a.take.json"])
    #expect(try target.names == ["a.master.mov", "twin.take.json"])
    try await library.entry(named: "a").remove()
    #expect(try source.names.isEmpty)
  }

  @Test(
    "to a disk that fills up at any megabyte loses nothing", .tags(.program), .timeLimit(.minutes(1)),
    .enabled(if: SmallDisk.isPossible))
  func fullDisk() async throws {
    for megabytes in 1...10 {
      for name in ["a", "b", "c"] { try stage(name, master: 2 << 20, clip: 700_000) }
      let before = try contents(source.url.path)
      let disk = try #require(try SmallDisk(bytes: megabytes << 20))
      let folder = FilePath(disk.path("x")).removingLastComponent()
      let outcomes = TakeExport(to: folder, moving: true).run(try await library.entries())
      try expectNothingLost(before, at: folder.string)
      #expect(outcomes.allSatisfy { $0.isComplete } == (megabytes >= 9), "\(megabytes)")
      for outcome in outcomes {
        if let failure = outcome.failure { #expect(failure.description.contains("full"), "\(failure)") }
        #expect(outcome.isComplete || outcome.removed.isEmpty)
      }
      #expect(try !disk.names.contains { $0.hasSuffix(".copying") })
      // The other files get another name.
      let rest = TakeExport(to: FilePath(target.url.path), moving: true)
      #expect(rest.run(try await library.entries()).allSatisfy { $0.isComplete })
      #expect(try source.names.isEmpty)
      for name in try target.names { try FileManager.default.removeItem(atPath: target.path(name)) }
    }
  }

  @Test(
    "that is killed at any time loses nothing, and the next one completes it", .tags(.program),
    .timeLimit(.minutes(1)))
  func killed() async throws {
    var chance = SplitMix(state: 11)
    var before: [String: Data] = [:]
    var kills = 0
    while kills < 40 {
      if try source.names.isEmpty {
        #expect(try contents(target.url.path).filter { !$0.key.hasSuffix(".copying") } == before)
        for name in try target.names { try FileManager.default.removeItem(atPath: target.path(name)) }
        for name in ["a", "b", "c", "d"] { try stage(name, master: 3_000_000, clip: 100_000) }
        before = try contents(source.url.path)
      }
      let takes = try await library.entries().map(\.path.string)
      let wait = UInt32.random(in: 0...120_000, using: &chance)
      _ = try OvercrankProgram(["takes", "export", target.url.path, "--move", "-q"] + takes) { process in
        usleep(wait)
        if process.isRunning { kills += 1 }
        kill(process.processIdentifier, SIGKILL)
      }
      try expectNothingLost(before, at: target.url.path)
    }
    let rest = TakeExport(to: FilePath(target.url.path), moving: true)
    #expect(rest.run(try await library.entries()).allSatisfy { $0.isComplete })
    #expect(try contents(target.url.path).filter { !$0.key.hasSuffix(".copying") } == before)
    #expect(try source.names.isEmpty)
  }
}
