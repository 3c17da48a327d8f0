import CameraModel
import FrameJudge
import Foundation
import SystemPackage
import Testing

@testable import Cameras

@Suite("Evidence about a mode")
struct EvidenceTests {
  private static let yaml = """
    id: mine
    name: My camera
    match: {card: Mine}
    native: [1280, 960]
    source: my own eyes
    modes:
      - {sizes: [[640, 480]], formats: [YUYV], binned: true, binning: [2, 2], crop: [0, 0, 1280, 960]}
      - {sizes: [[640, 360]], formats: [YUYV], binned: false, crop: [320, 300, 640, 360], range: full}
      - {sizes: [[800, 600]], formats: [YUYV], scaled: true}
      - {sizes: [[400, 300]], formats: [YUYV], binned: true, range: limited}
      - {sizes: [[400, 300]], formats: [YUYV], binned: false, range: limited}
    """

  private func row(_ width: UInt32, _ height: UInt32, _ fourcc: String = "YUYV") -> ModeRow {
    ModeRow(fourcc: fourcc, size: .discrete(width: width, height: height))
  }

  private func described(_ row: ModeRow, card: String = "Mine") throws -> ModeRow {
    let folder = try TemporaryFolder()
    try Data(Self.yaml.utf8).write(to: folder.url.appending(path: "mine.yaml"))
    let table = CameraTable(card: card, rows: [row])
      .described(by: ProfileLibrary(userFolder: FilePath(folder.url.path)))
    return try #require(table.rows.first)
  }

  @Test(
    "is not invented for a size that no sensor has",
    arguments: [UInt32.max, UInt32.max - 1, UInt32(1 << 31)])
  func impossibleSizes(_ side: UInt32) throws {
    for row in [row(side, 1), row(1, side), row(side, side), row(2, 1)] {
      var table = CameraTable(rows: [row])
      for native in [Dimensions(width: side, height: side), Dimensions(width: 0, height: 0)] {
        table.native = native
        let described = table.described(by: ProfileLibrary(userFolder: "/nonexistent"))
        #expect(described.rows[0].readout.fieldOfView?.allSatisfy(\.isFinite) ?? true)
        #expect(throws: Never.self) { try JSONEncoder().encode(described) }
      }
    }
  }

  @Test("comes from a profile, with the field of view")
  func stated() throws {
    let binned = try described(row(640, 480))
    #expect(binned.readout.isBinned == true)
    #expect(binned.readout.binning == [2, 2])
    #expect(binned.readout.fieldOfView == [100, 100])
    #expect(binned.readout.evidence == "profile")
    let cropped = try described(row(640, 360))
    #expect(cropped.readout.isBinned == false)
    #expect(cropped.readout.fieldOfView == [50, 37.5])
    #expect(cropped.range == "full")
    let scaled = try described(row(800, 600))
    #expect(scaled.readout.isScaled == true)
    #expect(scaled.readout.isBinned == nil)
  }

  @Test("is a guess, and marked as one, for a whole fraction of the native size")
  func inferred() throws {
    let half = try described(row(640, 480, "MJPG"))
    #expect(half.readout.isBinned == true)
    #expect(half.readout.binning == [2, 2])
    #expect(half.readout.evidence == "inferred")
    #expect(half.readout.facts.last?.hasSuffix("(a guess)") == true)
    let whole = try described(row(1280, 960))
    #expect(whole.readout.isBinned == false)
    #expect(whole.readout.evidence == "inferred")
  }

  @Test(
    "is missing for another shape or no whole fraction", arguments: [(1280, 720), (1000, 750), (100, 75)])
  func unknown(_ width: UInt32, _ height: UInt32) throws {
    let unknown = try described(row(width, height))
    #expect(unknown.readout.isBinned == nil)
    #expect(unknown.readout.crop == nil)
    #expect(unknown.readout.fieldOfView == nil)
    #expect(unknown.readout.evidence == nil)
  }

  @Test("is only what a profile's modes agree on, if two have the same size")
  func ambiguous() throws {
    let row = try described(row(400, 300))
    #expect(row.readout.isBinned == nil)
    #expect(row.range == "limited")
    #expect(row.readout.evidence == nil)
  }

  @Test("from the driver is kept")
  func driver() throws {
    var row = row(640, 480)
    row.readout.isBinned = false
    row.readout.evidence = "driver"
    #expect(try described(row).readout.isBinned == false)
    #expect(try described(row).readout.evidence == "driver")
    #expect(try described(row).readout.binning == nil)
  }

  @Test("is not added to a camera without a profile or a native size")
  func stranger() throws {
    #expect(try described(row(640, 480), card: "Other") == row(640, 480))
  }

  @Test("can also be a guess from a native size that the driver states")
  func nativeFromGraph() throws {
    var table = CameraTable(rows: [row(640, 480)])
    table.native = .init(width: 2560, height: 1920)
    let described = table.described(by: ProfileLibrary(userFolder: "/no/such/folder"))
    #expect(described.rows.first?.readout.binning == [4, 4])
    #expect(described.rows.first?.readout.evidence == "inferred")
    #expect(described.profile == nil)
  }
}
