import FrameJudge
import Media
import Platform
import Synchronization
import SystemPackage
import Takes
import Testing
import Timebase

@testable import Capture

@Suite("A part saved from a review")
struct SavedPartTests {
  private static let failure = CaptureError.master(OvercrankError(.cannotCreate, "The folder is gone."))

  /// Whether the folder of the takes is gone.
  private final class Folder: Sendable { let isGone = Mutex(false) }

  @Test("is a failed take if it cannot be written, and another part can still be saved")
  func unwritable() throws {
    let (folder, state) = (try TemporaryFolder(), Folder())
    let format = try #require(MasterFormat(.grey))
    var stage = try SessionStage(
      ring: 16 << 20, plan: SessionPlan(preRoll: .seconds(1), limit: RecordingLimit(), takeCount: nil)
    ) { (take) throws(CaptureError) in
      guard !state.isGone.withLock({ $0 }) else { throw Self.failure }
      do throws(OvercrankError) {
        return try MasterWriter(
          to: FilePath(folder.path("\(take.number).nut")), as: format, of: take.configuration.frameFormat,
          replacing: false)
      } catch {
        throw .master(error)
      }
    }
    for _ in 0..<400 { try stage.advance(by: .milliseconds(5)) }
    stage.commands.send(.review)
    for _ in 0..<50 { try stage.advance(by: .milliseconds(5)) }
    let part = TakePart(
      start: SessionStage.start + .seconds(1.5), end: SessionStage.start + .seconds(1.7))
    for isGone in [true, false] {
      state.isGone.withLock { $0 = isGone }
      stage.commands.send(.save(part))
      for _ in 0..<10 { try stage.advance(by: .milliseconds(5)) }
    }
    try stage.stop()
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    #expect(stage.failure == nil && stage.ended.count == 2)
    let error = #expect(throws: CaptureError.self) { try stage.ended.first?.get() }
    #expect(error == Self.failure)
    let expected = stage.arrived.filter { (part.start..<part.end).contains($0.timestamp) }.map(\.number)
    #expect(expected.count == 48)
    #expect(try stripNumbers(inMaster: folder.path("2.nut")) == expected)
    let takes = stage.told.map(\.name).filter { $0.hasPrefix("take_") }
    #expect(takes == ["take_started", "take_ended", "take_started", "take_ended"])
  }
}
