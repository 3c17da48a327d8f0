import CameraModel
import FrameJudge
import Foundation
import SystemPackage
import Testing
import Timebase

@testable import Cameras

/// Only the shipped profiles, whatever the user's own folder holds.
private let shipped = ProfileLibrary(userFolder: "/no/such/folder")

@Suite("The shipped profiles")
struct ShippedProfileTests {
  @Test("are valid, and each file in profiles/ is shipped under its own name")
  func complete() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../profiles")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.standardizedFileURL.path)
    let ids = files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    #expect(shipped.failures == [])
    #expect(shipped.entries.map(\.profile.id) == ids)
    #expect(ids.count >= 15)
  }

  @Test("each match only the camera that they describe", arguments: shipped.entries)
  func match(_ entry: ProfileLibrary.Entry) {
    let match = entry.profile.match
    var table = CameraTable(
      card: match.card.map { "\($0) and more" }, driver: match.driver, vendorProduct: match.usb, rows: [])
    table.sensor = match.sensor.map { "\($0) 10-0010" }
    #expect(shipped.profile(of: table)?.id == entry.profile.id)
  }

  @Test("match no other cameras")
  func noMatch() {
    #expect(shipped.profile(of: CameraTable(card: "vivid", driver: "vivid", rows: [])) == nil)
    #expect(shipped.profile(of: CameraTable(rows: [])) == nil)
    #expect(shipped.profile(of: CameraTable(card: "Simulated camera", driver: "sim", rows: [])) == nil)
  }

  @Test("match many real cameras, and can simulate them")
  func recognized() {
    #expect(KnownCamera.all.count { shipped.profile(of: $0.table) != nil } >= 10)
    #expect(KnownCamera.all.count { shipped[$0.id] != nil } >= 10)
  }

  @Test("match the real camera of the same id, if it can be recognized", arguments: KnownCamera.all)
  func known(_ camera: KnownCamera) {
    guard let id = shipped.profile(of: camera.table)?.id else { return }
    #expect(id == camera.id)
  }

  @Test("simulate cameras with the same chosen modes as the real tables", arguments: KnownCamera.all)
  func simulated(_ camera: KnownCamera) throws {
    guard let entry = shipped[camera.id] else { return }
    let table = CameraTable(entry.profile).measured(by: shipped)
    for (rate, answer) in camera.expected {
      let choice = ModeChoice(from: table, for: .init(rate: try FrameRate(text: rate)))
      #expect(choice.mode?.fourcc == answer?.fourcc, "at \(rate)")
      #expect(choice.mode?.width == answer?.width, "at \(rate)")
      #expect(choice.mode?.height == answer?.height, "at \(rate)")
      if let interval = answer?.interval { #expect(choice.mode?.interval.rate == interval.rate) }
    }
  }

  @Test("of a phone give binned modes of full range")
  func phone() throws {
    let entry = try #require(shipped["iphone-7-plus-back-wide"])
    let table = CameraTable(entry.profile).measured(by: shipped)
    for (rate, width) in [(120, 1920), (240, 1280)] {
      let mode = try #require(ModeChoice(from: table, for: .init(rate: FrameRate(whole: Int64(rate)))).mode)
      #expect(mode.width == UInt32(width))
      #expect(mode.readout.isBinned == true)
      #expect(mode.range == "full")
      #expect(mode.readout.evidence == "profile")
    }
  }
}

@Suite("A sensor's black level and colour matrix in profiles")
struct RawProfileTests {
  private func camera(_ sensor: String?, driver: String? = nil, card: String? = nil) -> CameraIdentity {
    var table = CameraTable(card: card, driver: driver, rows: [])
    table.sensor = sensor
    return CameraIdentity(name: "/dev/video0", table: table)
  }

  private static let levels: [(sensor: String, steps: Int, bits: Int)] = [
    ("imx219 10-0010", 64, 10), ("imx477 4-001a", 256, 12), ("ov5647 10-0036", 16, 10),
    ("imx296 11-001a", 60, 10),
  ]

  @Test("are found by the sensor's name in the take", arguments: levels)
  private func found(_ level: (sensor: String, steps: Int, bits: Int)) throws {
    let raw = try #require(shipped.rawProfile(of: camera(level.sensor))?.raw)
    #expect(raw.blackPart == Double(level.steps) / Double((1 << level.bits) - 1))
    #expect(raw.matrix?.count == 3)
  }

  @Test("are not invented for other sensors, and not found without a name")
  func unknown() {
    #expect(shipped.rawProfile(of: camera("imx999 10-0010")) == nil)
    #expect(shipped.rawProfile(of: camera(nil)) == nil)
    #expect(shipped.rawProfile(of: camera(nil, driver: "uvcvideo", card: "Webcam")) == nil)
  }

  @Test("come from the sensor's profile if the camera's profile has none")
  func behindAnother() throws {
    let jetson = camera("imx219 9-0010", driver: "tegra-video", card: "vi-output, imx219 9-0010")
    #expect(shipped.rawProfile(of: jetson)?.id == "imx219")
    let folder = try TemporaryFolder()
    let mine = """
      id: my-module
      name: Mine
      match: {sensor: imx219, driver: unicam}
      source: my own eyes
      raw: {black: 168, bits: 12, source: a frame with the lid on}
      """
    try Data(mine.utf8).write(to: folder.url.appending(path: "mine.yaml"))
    let library = ProfileLibrary(userFolder: FilePath(folder.url.path))
    #expect(library.rawProfile(of: camera("imx219 10-0010", driver: "unicam"))?.id == "my-module")
    #expect(library.rawProfile(of: camera("imx219 10-0010"))?.id == "imx219")
  }
}

@Suite("The user's own profiles")
struct UserProfileTests {
  private static let mine = """
    id: imx219
    name: Mine
    match: {sensor: imx219}
    source: my own eyes
    """

  @Test("replace shipped ones of the same id; a faulty one is skipped and reported")
  func precedence() throws {
    let folder = try TemporaryFolder()
    try Data(Self.mine.utf8).write(to: folder.url.appending(path: "any-name.yaml"))
    try Data("id: [".utf8).write(to: folder.url.appending(path: "broken.yaml"))
    try Data("not a profile".utf8).write(to: folder.url.appending(path: "notes.txt"))
    let library = ProfileLibrary(userFolder: FilePath(folder.url.path))
    #expect(library["imx219"]?.profile.name == "Mine")
    #expect(library["imx219"]?.file == FilePath(folder.path("any-name.yaml")))
    #expect(library.entries.count == shipped.entries.count)
    #expect(library.failures.map(\.file) == [folder.path("broken.yaml")])
  }

  @Test("are preferred if a shipped one of another id also matches")
  func preferred() throws {
    let folder = try TemporaryFolder()
    let yaml = Self.mine.replacing("id: imx219", with: "id: zoo-camera")
    try Data(yaml.utf8).write(to: folder.url.appending(path: "zoo.yml"))
    var table = CameraTable(rows: [])
    table.sensor = "imx219 10-0010"
    #expect(ProfileLibrary(userFolder: FilePath(folder.url.path)).profile(of: table)?.id == "zoo-camera")
  }
}
