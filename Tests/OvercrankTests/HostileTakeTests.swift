import FrameJudge
import Foundation
import Overcrank
import SystemPackage
import Takes
import Testing

@Suite("A take that names other takes' files", .timeLimit(.minutes(1)))
struct HostileTakeTests {
  /// Files that a take names, and those that are removed with it.
  struct Names: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var master: String? = "x.master.mov"
    var clips: [String] = []
  }

  private static let cases = [
    Names(testDescription: "its master as a clip", clips: ["x.master.mov"]),
    Names(testDescription: "a clip twice", clips: ["x.mp4", "x.mp4"]),
    Names(testDescription: "one file by two names", clips: ["x.mp4", "hard.mp4"]),
    Names(testDescription: "a clip as its master", master: "x.mp4", clips: ["x.mp4"]),
    Names(testDescription: "another take's master", clips: ["y.master.mov"]),
    Names(testDescription: "another take's master as its own", master: "y.master.mov"),
    Names(testDescription: "another take's clip", clips: ["y.mp4", "x.mp4"]),
    Names(testDescription: "the master of a take that cannot be read", clips: ["z.master.mov"]),
    Names(testDescription: "take files", master: "y.take.json", clips: ["x.take.json", "z.take.json"]),
    Names(testDescription: "a film above", clips: ["../secret.mp4"]),
    Names(testDescription: "a film above by its folder", clips: ["folder.mp4/../../secret.mp4"]),
    Names(testDescription: "an absolute path", master: "/etc/passwd", clips: ["/etc/hostname.mp4"]),
    Names(testDescription: "links out of the folder", clips: ["link.mp4", "dangling.mp4"]),
    Names(testDescription: "a link as its master", master: "link.mp4"),
    Names(testDescription: "a folder", clips: ["folder.mp4"]),
    Names(testDescription: "a folder as its master", master: "folder.mp4"),
    Names(testDescription: "a pipe", master: "pipe.mp4", clips: ["pipe.mp4"]),
    Names(
      testDescription: "no names", master: "", clips: ["", ".", "..", "/", "x.mp4/", "x\u{0}.mp4", ".mp4"]),
    Names(testDescription: "names that are too long", clips: [String(repeating: "x", count: 5000) + ".mp4"]),
    Names(testDescription: "thousands of clips", clips: (0..<3000).map { "clip-\($0 % 30).mp4" }),
  ]

  /// A folder with a take `x` that names these files, other takes, and a video one level up.
  private func stage(_ names: Names, _ root: TemporaryFolder) throws -> String {
    let folder = root.path("takes")
    let files = FileManager.default
    try files.createDirectory(atPath: folder + "/folder.mp4", withIntermediateDirectories: true)
    try Data("secret".utf8).write(to: URL(filePath: root.path("secret.mp4")))
    try Data("inside".utf8).write(to: URL(filePath: folder + "/folder.mp4/inside.mp4"))
    try files.createSymbolicLink(atPath: folder + "/link.mp4", withDestinationPath: "../secret.mp4")
    try files.createSymbolicLink(atPath: folder + "/dangling.mp4", withDestinationPath: "../none.mp4")
    #expect(mkfifo(folder + "/pipe.mp4", 0o600) == 0)
    var take = StagedTake("x")
    take.content["master"] = names.master
    take.content["clips"] = names.clips.map {
      ["file": $0, "speed": "1/8", "fps": 30, "frames": 4, "held": 1]
    }
    try take.write(to: folder)
    try files.linkItem(atPath: folder + "/x.mp4", toPath: folder + "/hard.mp4")
    try StagedTake("y").write(to: folder)
    try Data("{".utf8).write(to: URL(filePath: folder + "/z.take.json"))
    try Data("z".utf8).write(to: URL(filePath: folder + "/z.master.mov"))
    return folder
  }

  private func contents(_ folder: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      let isRegular = attributes[.type] as? FileAttributeType == .typeRegular
      found[name] = isRegular ? try Data(contentsOf: URL(filePath: folder + "/" + name)) : Data()
    }
    return found
  }

  @Test("is listed, shown, verified, exported and removed, and no other file is touched", arguments: cases)
  func names(_ names: Names) async throws {
    for moves in [false, true] {
      let (root, target) = (try TemporaryFolder(), try TemporaryFolder())
      let folder = FilePath(try stage(names, root))
      let before = try contents(root.url.path)
      let library = TakeLibrary(folder)
      let entry = try #require(try await library.entries().first { $0.path.string.hasSuffix("x.take.json") })
      #expect(library.entry(at: entry.path)?.files == entry.files)
      #expect(Set(entry.files).count == entry.files.count)
      #expect(entry.files.allSatisfy { $0.removingLastComponent() == folder })
      #expect(try entry.take().clips.map(\.file) == names.clips)
      #expect(!(try TakeVerification(entry).isSound))
      #expect(try contents(root.url.path) == before)

      let outcome = TakeExport(to: FilePath(target.url.path), moving: moves).run([entry])[0]
      #expect(outcome.failure == nil)
      #expect(try Set(target.names) == Set(entry.files.map(\.name)))
      if moves {
        #expect(library.entry(at: entry.path) == nil)
      } else {
        #expect(try contents(root.url.path) == before)
        try entry.remove()
      }

      let after = try contents(root.url.path)
      let own = ["x.take.json", "x.master.mov", "x.mp4", "hard.mp4", "link.mp4"].map { "takes/" + $0 }
      for (name, data) in before where !own.contains(name) { #expect(after[name] == data, "\(name)") }
      #expect(after["takes/x.take.json"] == nil)
      #expect(after.count < before.count)
    }
  }

  @Test("that names a video more than once is reported")
  func repeated() async throws {
    let root = try TemporaryFolder()
    let names = Names(testDescription: "", clips: ["x.mp4", "x.mp4", "x.mp4", "x.master.mov"])
    let library = TakeLibrary(FilePath(try stage(names, root)))
    let entry = try await library.entry(named: "x")
    #expect(entry.problems == [.repeated("x.mp4"), .repeated("x.master.mov")])
    let findings = try TakeVerification(entry).findings.map(\.words)
    #expect(findings.contains { $0.contains("more than once") }, "\(findings)")
  }
}
