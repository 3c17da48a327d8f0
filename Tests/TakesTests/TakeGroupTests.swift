import FrameJudge
import Foundation
import Platform
import SystemPackage
import Testing

@testable import Takes

@Suite("A group of takes")
struct TakeGroupTests {
  private static let jump = TakeGroup(
    overcrank: "0.3.0",
    cameras: [
      .init(name: "A", take: "jump-A.take.json"),
      .init(
        name: "B", take: "jump-B.take.json", offset: .nanoseconds(-1_234_567), ratePartsPerMillion: 12.5,
        rateUncertainty: 2.5, uncertainty: .nanoseconds(20_000), methods: [.stamps, .clap],
        residuals: [.stamps: .nanoseconds(-800), .clap: .nanoseconds(31_000)], lineTime: .nanoseconds(5000)),
    ],
    trigger: Take.Trigger(kind: "enter"),
    failed: [.init(name: "C", camera: "/dev/video4", error: "/dev/video4 is busy.")],
    clips: [.init(file: "both.mp4", speed: "1/8", framesPerSecond: 30, frames: 24, held: 2, skipped: 0)])

  @Test("has the file's keys and values")
  func encoding() throws {
    let json = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(Self.jump)) as? [String: Any])
    #expect(Set(json.keys) == ["overcrank", "cameras", "trigger", "failed", "clips"])
    let cameras = try #require(json["cameras"] as? [[String: Any]])
    #expect(cameras[1]["name"] as? String == "B" && cameras[1]["take"] as? String == "jump-B.take.json")
    #expect(cameras[1]["offset_ns"] as? Int == -1_234_567 && cameras[1]["rate_ppm"] as? Double == 12.5)
    #expect(cameras[1]["uncertainty_ns"] as? Int == 20_000)
    #expect(
      cameras[1]["rate_uncertainty_ppm"] as? Double == 2.5 && cameras[1]["line_time_ns"] as? Int == 5000)
    #expect(cameras[1]["by"] as? [String] == ["stamps", "clap"])
    #expect(cameras[1]["residuals_ns"] as? [String: Int] == ["stamps": -800, "clap": 31_000])
    #expect((json["failed"] as? [[String: String]])?.first?["error"] == "/dev/video4 is busy.")
    // A clip has the keys that it has in a take.
    let clip = try #require((json["clips"] as? [[String: Any]])?.first)
    #expect(clip["file"] as? String == "both.mp4" && clip["speed"] as? String == "1/8")
    #expect(clip["fps"] as? Double == 30 && clip["frames"] as? Int == 24 && clip["spec"] is NSNull)
  }

  @Test("without clips is that of an earlier version, and one that loses a camera keeps its clips")
  func clips() throws {
    let text = Self.group("{\(Self.camera)}", #","trigger":null,"failed":[]"#)
    #expect(try JSONDecoder().decode(TakeGroup.self, from: Data(text.utf8)).clips.isEmpty)
    #expect(Self.jump.removing("A")?.clips == Self.jump.clips)
  }

  @Test("with more clips than can be read again is not written")
  func mostClips() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("jump.group.json"))
    try Self.jump.write(to: path, replacing: false)
    var group = Self.jump
    group.clips = (0..<8000).map { number in
      .init(file: "both-\(number).mp4", speed: "1/8", framesPerSecond: 30, frames: 24, held: 2)
    }
    let error = #expect(throws: OvercrankError.self) { try group.write(to: path, replacing: true) }
    #expect(error?.code == .badData)
    #expect(try TakeGroup.read(from: path) == Self.jump)
  }

  @Test("is read as it was written, and replaces a file only if told to")
  func file() throws {
    let folder = try TemporaryFolder()
    let path = TakeGroup.path(of: FilePath(folder.path("jump.mp4")))
    #expect(path.lastComponent?.string == "jump.group.json")
    try Self.jump.write(to: path, replacing: false)
    let read = try TakeGroup.read(from: path)
    #expect(read == Self.jump)
    #expect(TakeGroup.path(of: read.cameras[1], inGroupAt: path).string == folder.path("jump-B.take.json"))
    #expect(throws: OvercrankError.self) { try Self.jump.write(to: path, replacing: false) }
    try Self.jump.write(to: path, replacing: true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["jump.group.json"])
  }

  @Test("is read up to a size of 1 MiB")
  func largest() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("jump.group.json"))
    try Self.jump.write(to: path, replacing: false)
    let text = try Data(contentsOf: URL(filePath: "\(path)"))
    let padding = Data(repeating: UInt8(ascii: " "), count: (1 << 20) - text.count)
    try (text + padding).write(to: URL(filePath: "\(path)"))
    #expect(try TakeGroup.read(from: path) == Self.jump)
    try (text + padding + [UInt8(ascii: " ")]).write(to: URL(filePath: "\(path)"))
    #expect(throws: OvercrankError.self) { try TakeGroup.read(from: path) }
  }

  @Test("is written in place of what a killed program left of it, which is not in the way")
  func leftover() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("jump.group.json"))
    try folder.leavePart("jump.group.json.part")
    try TakeGroup.checkIsWritable(path, replacing: false)
    try folder.leavePart("jump.group.json.part")
    try Self.jump.write(to: path, replacing: false)
    #expect(try folder.names == ["jump.group.json"])
    #expect(try TakeGroup.read(from: path) == Self.jump)
    #expect(throws: OvercrankError.self) { try TakeGroup.checkIsWritable(path, replacing: false) }
    #expect(try TakeGroup.read(from: path) == Self.jump)
    // Another program's stays, and so does the group.
    let part = URL(filePath: "\(path).part")
    try Data("theirs".utf8).write(to: part)
    for isReplacing in [true, false] {
      #expect(throws: OvercrankError.self) { try TakeGroup.checkIsWritable(path, replacing: isReplacing) }
      #expect(throws: OvercrankError.self) { try Self.jump.write(to: path, replacing: isReplacing) }
    }
    #expect(try Data(contentsOf: part) == Data("theirs".utf8))
    #expect(try TakeGroup.read(from: path) == Self.jump)
  }

  @Test("places a frame by the camera's offset and rate")
  func place() {
    let camera = TakeGroup.Camera(
      name: "B", take: "b.take.json", offset: .milliseconds(-3), ratePartsPerMillion: 50)
    #expect(camera.place(of: .zero) == .milliseconds(-3))
    #expect(camera.place(of: .seconds(20)) == .seconds(20) + .milliseconds(-3) + .milliseconds(1))
    #expect(camera.place(of: .seconds(-2)) == .seconds(-2) + .milliseconds(-3) - .microseconds(100))
  }

  private static let camera =
    #""name":"A","take":"a.take.json","offset_ns":0,"rate_ppm":0,"uncertainty_ns":0,"by":[]"#

  private static func group(_ cameras: String, _ rest: String = "") -> String {
    #"{"overcrank":"0.3.0","cameras":[\#(cameras)]\#(rest)}"#
  }

  @Test("needs only the keys that tell a place")
  func least() throws {
    let text = Self.group("{\(Self.camera)}")
    let group = try JSONDecoder().decode(TakeGroup.self, from: Data(text.utf8))
    #expect(group == TakeGroup(overcrank: "0.3.0", cameras: [.init(name: "A", take: "a.take.json")]))
  }

  private static func replacing(_ old: String, _ new: String) -> String {
    group("{\(camera.replacingOccurrences(of: old, with: new))}")
  }

  private static func second(_ text: String) -> String {
    group(
      "{\(camera)}, {\(camera.replacingOccurrences(of: "a.take", with: "b.take").replacingOccurrences(of: #""A""#, with: #""B""#).replacingOccurrences(of: text.components(separatedBy: "=>")[0], with: text.components(separatedBy: "=>")[1]))}"
    )
  }

  static let refused: [(String, String)] = [
    ("{", "it is not valid JSON"),
    ("[]", "wrong type"),
    (group(""), "must have at least one camera"),
    (group("{\(camera)}", #","speed":1"#), #"unknown key; the keys allowed here are overcrank, cameras"#),
    (replacing(#""by""#, #""through""#), #"at "cameras[0].through""#),
    (replacing(#""by":[]"#, #""by":["guess"]"#), #""guess" is not one of stamps, flash, clap, trigger"#),
    (replacing(#""by":[]"#, #""by":[],"residuals_ns":{"guess":1}"#), "is not one of stamps"),
    (replacing(#""A""#, #""""#), "must have 1 to 64 letters"),
    (replacing(#""A""#, #""../A""#), "must have 1 to 64 letters"),
    (replacing("a.take.json", "../a.take.json"), "must be a take file in the folder of the group"),
    (replacing("a.take.json", "/tmp/a.take.json"), "must be a take file in the folder of the group"),
    (replacing("a.take.json", "b/../../a.take.json"), "must be a take file in the folder of the group"),
    (replacing("a.take.json", ".take.json"), "must be a take file in the folder of the group"),
    (replacing("a.take.json", "a.mp4"), "must be a take file in the folder of the group"),
    (replacing(#""offset_ns":0"#, #""offset_ns":5"#), "the first camera is the clock of the group"),
    (replacing(#""rate_ppm":0"#, #""rate_ppm":5"#), "the first camera is the clock of the group"),
    (
      replacing(#""uncertainty_ns":0"#, #""uncertainty_ns":-1"#),
      #"must be a whole number between 0 and 1125899906842624 at "cameras[0].uncertainty_ns""#
    ),
    (second(#""B"=>"A""#), #"the name "A" must be that of one camera only"#),
    (second("b.take=>./a.take"), "must be that of one camera only"),
    (replacing(#""by":[]"#, #""by":[],"line_time_ns":-1"#), "must be a whole number between 0 and"),
    (replacing(#""by":[]"#, #""by":[],"rate_uncertainty_ppm":-1"#), "must be a number between 0 and 100000"),
    (
      second(#""offset_ns":0=>"offset_ns":9000000000000000000"#),
      "must be a whole number, at most 1125899906842624 to either side"
    ),
    // Numbers that the type cannot hold.
    (
      second(#""offset_ns":0=>"offset_ns":1.5"#),
      #"must be a whole number, at most 1125899906842624 to either side at "cameras[1].offset_ns""#
    ),
    (
      second(#""offset_ns":0=>"offset_ns":18446744073709551616"#),
      #"must be a whole number, at most 1125899906842624 to either side at "cameras[1].offset_ns""#
    ),
    (second(#""offset_ns":0=>"offset_ns":null"#), #"cameras[1].offset_ns""#),
    (
      second(#""uncertainty_ns":0=>"uncertainty_ns":0.5"#),
      #"must be a whole number between 0 and 1125899906842624 at "cameras[1].uncertainty_ns""#
    ),
    (
      second(#""by":[]=>"by":[],"residuals_ns":{"clap":1e30}"#),
      #"must be whole numbers, each at most 1125899906842624 to either side at "cameras[1].residuals_ns""#
    ),
    (
      group("{\(camera)}", #","trigger":{"kind":"enter","time_ns":0.5}"#),
      #"has a number that it cannot have at "trigger""#
    ),
    (
      group(
        "{\(camera)}", #","clips":[{"file":"x.mp4","speed":"1/8","fps":30,"frames":0.5,"held":0}]"#),
      #"has a number that it cannot have at "clips""#
    ),
    (group("{\(camera)}", #","clips":[{"file":"x.mp4"}]"#), "clips[0]"),
    (second(#""rate_ppm":0=>"rate_ppm":100001"#), "must be a number between -100000 and 100000"),
    (
      second(#""rate_ppm":0=>"rate_ppm":1e999"#),
      #"must be a number between -100000 and 100000 at "cameras[1].rate_ppm""#
    ),
    (second(#""rate_ppm":0=>"rate_ppm":"fast""#), "cameras[1].rate_ppm"),
    (
      group(
        "{\(camera)}",
        #","failed":[{"name":"B","camera":"x","error":"y"},{"name":"B","camera":"z","error":"y"}]"#),
      #"the name "B" must be that of one camera only"#
    ),
  ]

  @Test("is refused with the place of its fault", arguments: refused)
  func refusal(text: String, words: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("jump.group.json")
    try Data(text.utf8).write(to: URL(filePath: path))
    let error = try #require(throws: OvercrankError.self) { try TakeGroup.read(from: FilePath(path)) }
    #expect(error.code == .badData)
    #expect("\(error)".contains(words) && "\(error)".contains(path), "\(error)")
  }

  @Test("that would be refused is not written")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    var group = Self.jump
    group.cameras[1].take = "../jump-B.take.json"
    let path = FilePath(folder.path("jump.group.json"))
    #expect(throws: OvercrankError.self) { try group.write(to: path, replacing: true) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }
}
