import Platform
import CameraModel
import Testing
import Timebase

@testable import Cameras

@Suite("A trial of modes with the driver")
struct ModeTrialTests {
  private static let table = CameraTable(rows: [
    ModeRow(
      fourcc: "MJPG", size: .discrete(width: 1920, height: 1080), intervals: [FrameInterval(1, 120)]),
    ModeRow(fourcc: "MJPG", size: .discrete(width: 1280, height: 720), intervals: [FrameInterval(1, 120)]),
    ModeRow(fourcc: "YUYV", size: .discrete(width: 640, height: 480), intervals: [FrameInterval(1, 120)]),
  ])

  private func choice(maxWidth: UInt32? = nil) -> ModeChoice {
    ModeChoice(from: Self.table, for: .init(rate: FrameRate(whole: 120), .init(maxWidth: maxWidth)))
  }

  private func accepted(_ mode: Mode) -> AcceptedMode {
    AcceptedMode(fourcc: mode.fourcc, width: mode.width, height: mode.height, interval: mode.interval)
  }

  /// Returns a trial with a driver whose answer to the first choice is changed by `wide`.
  private func trial(
    maxWidth: UInt32? = nil, of wide: @escaping (inout AcceptedMode) throws(OvercrankError) -> Void
  ) throws -> ModeTrial {
    try ModeTrial(of: [choice(maxWidth: maxWidth)]) { mode throws(OvercrankError) in
      var got = accepted(mode)
      if mode.width == choice(maxWidth: maxWidth).mode?.width { try wide(&got) }
      return got
    }
  }

  @Test("takes a mode that the driver gives as requested, and tries no other")
  func given() throws {
    var asked = 0
    let trial = try ModeTrial(of: [choice()]) { mode throws(OvercrankError) in
      asked += 1
      return accepted(mode)
    }
    #expect(trial.mode == choice().mode)
    #expect(trial.refused.isEmpty)
    #expect(asked == 1)
  }

  @Test("counts a lower rate, a smaller size or another format as a refusal, and takes the next mode")
  func refused() throws {
    for change in [
      { $0.interval = FrameInterval(1, 118) }, { $0.width = 1600 }, { $0.height = 1000 },
      { $0.fourcc = "YUYV" },
    ] as [(inout AcceptedMode) -> Void] {
      let trial = try trial { got throws(OvercrankError) in change(&got) }
      #expect(trial.mode?.width == 1280)
      #expect(trial.adjustedFrom == nil)
      #expect(trial.refused.map(\.mode.width) == [1920])
      var got = accepted(try #require(trial.refused.first).mode)
      change(&got)
      #expect(trial.refused.first?.got == got)
    }
  }

  @Test("accepts a rate within one percent, and a driver that reports none")
  func nearly() throws {
    #expect(
      try trial { got throws(OvercrankError) in got.interval = FrameInterval(1001, 120_000) }.mode?.width
        == 1920
    )
    let silent = try trial { got throws(OvercrankError) in got.interval = nil }
    #expect(silent.mode?.width == 1920)
    #expect(silent.accepted?.interval == nil)
  }

  @Test(
    "accepts a larger size that is fast enough, but none beyond --max-width or without a rate")
  func adjusted() throws {
    let larger = try trial { got throws(OvercrankError) in got.height = 1088 }
    #expect(larger.mode?.height == 1088)
    #expect(larger.adjustedFrom?.height == 1080)
    #expect(larger.refused.isEmpty)
    #expect(try trial(maxWidth: 1280) { got throws(OvercrankError) in got.width = 1288 }.mode?.width == 640)
    let silent = try trial { got throws(OvercrankError) in (got.height, got.interval) = (1088, nil) }
    #expect(silent.mode?.width == 1280)
  }

  @Test("counts a missing mode as a refusal, and ends at any other error")
  func errors() throws {
    let refused = try trial { _ throws(OvercrankError) in throw OvercrankError(.noMode, "EINVAL") }
    #expect(refused.mode?.width == 1280)
    #expect(refused.refused.first?.got == nil)
    let busy = #expect(throws: OvercrankError.self) {
      try trial { _ throws(OvercrankError) in throw OvercrankError(.busy, "busy") }
    }
    #expect(busy?.code == .busy)
  }

  @Test("reports what the driver gave for each mode if it refuses all, and goes on to the next choice")
  func none() throws {
    let slow = { (mode: Mode) throws(OvercrankError) -> AcceptedMode in
      AcceptedMode(
        fourcc: mode.fourcc, width: mode.width, height: mode.height, interval: FrameInterval(1, 60))
    }
    let none = try ModeTrial(of: [choice()], ask: slow)
    #expect(none.mode == nil)
    #expect(none.refused.map(\.got?.interval) == Array(repeating: FrameInterval(1, 60), count: 3))
    let lower = ModeChoice(from: Self.table, for: .init(rate: FrameRate(whole: 60)))
    let found = try ModeTrial(of: [choice(maxWidth: 700), lower], ask: slow)
    #expect(found.mode?.width == 1920)
    #expect(found.choice == lower)
  }
}
