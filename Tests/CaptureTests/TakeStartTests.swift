import Foundation
import Takes
import Testing
import Timebase

@testable import Capture

@Suite("The date of a take")
struct TakeStartTests {
  /// An output that keeps the dates that it was given, and how many frames it had then.
  private final class Noted: TakeOutput, @unchecked Sendable {
    // Unchecked: the session's thread is the test's.
    private(set) var bytesWritten: Int64 = 0
    private(set) var starts: [(date: Date, bytes: Int64)] = []

    func write(
      _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
    ) { bytesWritten += Int64(frame.count) }

    func noteStart(_ date: Date) { starts.append((date, bytesWritten)) }
  }

  @Test("is known to its output before the first frame, however long ago that was opened")
  func start() throws {
    let output = Noted()
    var stage = try SessionStage(
      plan: SessionPlan(
        preRoll: .milliseconds(100), limit: RecordingLimit(duration: .milliseconds(200)), takeCount: 1),
      waitsForDisk: true, makeOutput: { _ in output })
    for _ in 0..<600 { try stage.advance(by: .milliseconds(5)) }
    #expect(output.starts.isEmpty)
    stage.commands.trigger(TriggerEvent(.program, at: stage.now))
    while !stage.isDone { try stage.advance(by: .milliseconds(5)) }
    let recording = try #require(stage.ended.first).get()
    #expect(recording.accounting.written > 0)
    #expect(output.starts.map(\.date) == [recording.startedAt] && output.starts.map(\.bytes) == [0])
  }
}
