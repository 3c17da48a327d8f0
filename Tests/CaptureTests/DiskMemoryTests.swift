import FrameJudge
import Foundation
import SystemPackage
import Testing

@testable import Capture

@Suite("The speed of a disk")
struct DiskMemoryTests {
  let folder: TemporaryFolder
  private let now = Date(timeIntervalSinceReferenceDate: 800_000_000)

  init() throws { folder = try TemporaryFolder() }

  private var memory: DiskMemory { DiskMemory(file: FilePath(folder.path("cache/speeds.json"))) }
  private var disk: FilePath { FilePath(folder.url.path) }

  /// Returns the disk's speed if `speed` was stored that many seconds ago; 5 if it is measured again.
  private func known(_ speed: Int64, noted seconds: Double) -> Int64? {
    let past = now.addingTimeInterval(-seconds)
    #expect(memory.speed(of: disk, at: past, measure: { speed }) == speed)
    return memory.speed(of: disk, at: now, measure: { 5 })
  }

  @Test(
    "is remembered for five minutes, unless stored with a future time",
    arguments: [(0, true), (299, true), (300, false), (-1, false)])
  func age(_ seconds: Double, _ isRemembered: Bool) {
    #expect(known(7_000_000, noted: seconds) == (isRemembered ? 7_000_000 : 5))
  }

  @Test(
    "is remembered only if plausible",
    arguments: [(999, false), (1000, true), (1_000_000_000_000, true), (1_000_000_000_001, false)])
  func plausible(_ speed: Int64, _ isRemembered: Bool) {
    #expect(known(speed, noted: 1) == (isRemembered ? speed : 5))
  }

  @Test("is unknown if it cannot be measured, and is not stored")
  func unknown() throws {
    #expect(memory.speed(of: disk, measure: { nil }) == nil)
    #expect(memory.speed(of: disk.appending("none"), measure: { 5 }) == nil)
    #expect(try folder.names.isEmpty)
  }

  @Test("is measured again if the stored one is damaged")
  func damaged() throws {
    #expect(memory.speed(of: disk, at: now, measure: { 7_000_000 }) == 7_000_000)
    try Data("{".utf8).write(to: URL(filePath: memory.file.string))
    #expect(memory.speed(of: disk, at: now, measure: { 8_000_000 }) == 8_000_000)
    #expect(memory.speed(of: disk, at: now, measure: { nil }) == 8_000_000)
  }
}
