import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing

@testable import Takes

@Suite("A group's file in a library")
struct StoredGroupTests {
  private static let group = TakeGroup(
    overcrank: "0.3.0",
    cameras: [
      .init(name: "A", take: "jump-A.take.json", methods: [.stamps]),
      .init(
        name: "B", take: "jump-B.take.json", offset: .milliseconds(2), ratePartsPerMillion: 100,
        uncertainty: .microseconds(30), methods: [.stamps, .clap],
        residuals: [.stamps: .microseconds(1), .clap: .microseconds(-5)]),
      .init(
        name: "C", take: "sub/jump-C.take.json", offset: .milliseconds(-3), ratePartsPerMillion: -50,
        uncertainty: .microseconds(40), methods: [.stamps], residuals: [.stamps: .microseconds(4)]),
    ])

  @Test("loses a camera, and keeps the places of the others")
  func removing() throws {
    let rest = try #require(Self.group.removing("C"))
    #expect(rest.cameras == Array(Self.group.cameras.dropLast()))
    let other = try #require(Self.group.removing("A"))
    #expect(other.cameras.map(\.name) == ["B", "C"] && other.fault == nil)
    #expect(other.cameras[0].offset == .zero && other.cameras[0].ratePartsPerMillion == 0)
    let moved = other.cameras[1]
    #expect(moved.uncertainty == .microseconds(50) && moved.residuals == [.stamps: .microseconds(3)])
    // Frames of B and C that were simultaneous on the clock of A still are: at 10 s after the start of C.
    let (b, c) = (Self.group.cameras[1], Self.group.cameras[2])
    let onA = c.place(of: .seconds(10))
    let onB = moved.place(of: .seconds(10))
    let difference = b.place(of: onB) - onA
    #expect(difference > .nanoseconds(-3) && difference < .nanoseconds(3), "\(difference)")
    #expect(try #require(other.removing("B")).removing("C") == nil)
  }

  @Test("has no take to which a link leads from another folder")
  func link() throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("sub"), withDestinationPath: other.url.path)
    try Data().write(to: URL(filePath: other.path("jump-C.take.json")))
    let file = FilePath(folder.path("jump.group.json"))
    let take = try TakeGroup.take(of: Self.group.cameras[1], inGroupAt: file)
    #expect(take == FilePath(folder.path("jump-B.take.json")))
    let error = #expect(throws: OvercrankError.self) {
      try TakeGroup.take(of: Self.group.cameras[2], inGroupAt: file)
    }
    #expect(error?.code == .noInput)
  }

  @Test("and a take whose files are links are not written, and the links stay")
  func linkedFiles() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("jump.group.json"))
    try Self.group.write(to: FilePath(folder.path("real.json")), replacing: false)
    try FileManager.default.createSymbolicLink(atPath: path.string, withDestinationPath: "real.json")
    let stored = try StoredGroup(path)
    try StagedTake("a").write(to: folder.url.path)
    let takePath = FilePath(folder.path("linked.take.json"))
    try FileManager.default.createSymbolicLink(atPath: takePath.string, withDestinationPath: "a.take.json")
    let take = try #require(try Take.read(from: takePath))
    let names = try folder.names
    let before = try Data(contentsOf: URL(filePath: folder.path("real.json")))
    let refusals: [() throws -> Void] = [
      { try Self.group.write(to: path, replacing: true) },
      { _ = try stored.forget(take: FilePath(folder.path("jump-A.take.json"))) },
      { try take.write(to: takePath, replacing: true) },
      { try take.write(to: takePath, having: Take.lock(takePath)) },
    ]
    for refusal in refusals {
      let error = #expect(throws: OvercrankError.self) { try refusal() }
      #expect(error?.code == .cannotCreate && error?.description.contains("is a symbolic link") == true)
    }
    for link in [path, takePath] {
      #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link.string)) != nil, "\(link)")
    }
    #expect(try folder.names == names)
    #expect(try Data(contentsOf: URL(filePath: folder.path("real.json"))) == before)
  }

  @Test("of cameras with one clock keeps exact offsets without the first camera")
  func exact() throws {
    var group = Self.group
    for index in 1...2 { group.cameras[index].ratePartsPerMillion = 0 }
    let rest = try #require(group.removing("A"))
    #expect(rest.cameras[1].offset == .milliseconds(-5) && rest.cameras[1].ratePartsPerMillion == 0)
  }

  @Test("is found from the folders of its takes, and goes with the last of them")
  func library() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("jump.group.json"))
    try Self.group.write(to: path, replacing: false)
    try Data("{}".utf8).write(to: URL(filePath: folder.path("other.group.json")))
    let sub = FilePath(folder.path("sub"))
    for (place, name) in [(FilePath(folder.url.path), "A"), (sub, "C")] {
      let groups = StoredGroup.around(place)
      #expect(groups.map(\.name) == ["jump"])
      var index = GroupIndex()
      #expect(index.group(ofTake: place.appending("jump-\(name).take.json"))?.name == "jump")
      #expect(index.group(ofTake: place.appending("jump-D.take.json")) == nil)
      #expect(groups.first?.camera(ofTake: place.appending("jump-\(name).take.json"))?.name == name)
      #expect(groups.first?.camera(ofTake: place.appending("jump-D.take.json")) == nil)
    }
    for (name, isLast) in [("jump-A", false), ("sub/jump-C", false), ("jump-B", true)] {
      let group = try StoredGroup(path)
      #expect(try group.forget(take: FilePath(folder.path("\(name).take.json"))) == isLast)
    }
    #expect(try folder.names == ["other.group.json"])
  }
}
