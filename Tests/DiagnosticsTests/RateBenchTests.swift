import CameraModel
import Cameras
import Capture
import Platform
import Simulator
import Takes
import Testing
import Timebase

@testable import Diagnostics

@Suite("A measured rate")
struct RateBenchTests {
  /// Returns the accounting of frames with these numbers and times in microseconds.
  private func accounting(_ frames: [(number: UInt32, microseconds: Int64)]) -> FrameAccounting {
    var accounting = FrameAccounting()
    for frame in frames {
      accounting.enterWritten(sequence: frame.number, at: Instant(nanoseconds: frame.microseconds * 1000))
    }
    return accounting
  }

  @Test("has intervals only between neighbours, and jitter as the deviation from their mean")
  func intervals() throws {
    let accounting = accounting([(0, 0), (1, 4000), (2, 8000), (5, 20_000), (6, 24_300), (7, 28_000)])
    let statistics = try #require(IntervalStatistics(accounting))
    #expect(statistics.shortest == .microseconds(3700))
    #expect(statistics.longest == .microseconds(4300))
    #expect(statistics.mean == .milliseconds(4))
    #expect(statistics.jitterMedian == .zero)
    #expect(statistics.jitterMost == .microseconds(300))
    #expect(statistics.jitterP999 == .microseconds(300))
  }

  @Test("has percentiles of the sorted jitter, to three digits")
  func percentiles() throws {
    // Intervals that deviate from 4 ms by 0, 1, ... 999 us, once to each side.
    var times: [(UInt32, Int64)] = [(0, 0)]
    for stray in Int64(0)..<1000 {
      for sign: Int64 in [-1, 1] { times.append((times.last!.0 + 1, times.last!.1 + 4000 + sign * stray)) }
    }
    let statistics = try #require(IntervalStatistics(accounting(times)))
    #expect(statistics.mean == .milliseconds(4))
    #expect(abs(statistics.jitterMedian.wholeNanoseconds - 499_000) <= 1000)
    #expect(abs(statistics.jitterP99.wholeNanoseconds - 989_000) <= 1000)
    #expect(abs(statistics.jitterP999.wholeNanoseconds - 998_000) <= 1000)
    #expect(statistics.jitterMost == .microseconds(999))
  }

  @Test("has no intervals if no two frames are neighbours", arguments: [[], [7], [1, 3, 5]])
  func none(_ numbers: [UInt32]) {
    #expect(IntervalStatistics(accounting(numbers.map { ($0, Int64($0) * 1000) })) == nil)
  }

  private func facts(
    measured: Double, accepted: Int64 = 240,
    lost: Take.FrameCounts.Lost = .init(driver: 0, corrupt: 0, ring: 0, disk: 0)
  ) -> RateVerdict.Facts {
    RateVerdict.Facts(
      claimed: FrameRate(whole: 240), accepted: FrameRate(whole: accepted), measured: measured,
      frames: .init(sent: 2400, written: 2400 - lost.total, lost: lost), bufferCount: 4)
  }

  @Test("is sustained down to one percent below the claim, with at most one frame in a thousand lost")
  func sustained() {
    #expect(RateVerdict(facts(measured: 237.7)).isSustained)
    #expect(
      RateVerdict(facts(measured: 240, lost: .init(driver: 2, corrupt: 0, ring: 0, disk: 0))).isSustained)
    #expect(!RateVerdict(facts(measured: 237.5)).isSustained)
    #expect(
      !RateVerdict(facts(measured: 240, lost: .init(driver: 3, corrupt: 0, ring: 0, disk: 0))).isSustained)
  }

  @Test("that falls short has only causes that the facts support")
  func causes() {
    func words(_ facts: RateVerdict.Facts) -> [String] { RateVerdict(facts).causes.map(\.cause) }
    #expect(words(facts(measured: 240)).isEmpty)

    let clamped = words(facts(measured: 120, accepted: 120))
    #expect(clamped == ["The driver clamped the rate: asked for 240 fps, it accepted 120."])

    var exposed = facts(measured: 100)
    exposed.exposure = .milliseconds(10)
    #expect(words(exposed) == ["The exposure of 10 ms is longer than a frame of 4.17 ms."])
    exposed.exposure = .milliseconds(2)
    exposed.mayLowerRate = true
    #expect(words(exposed).count == 1 && words(exposed)[0].contains("exposure_dynamic_framerate"))

    #expect(words(facts(measured: 100)).count == 1)
    #expect(words(facts(measured: 100))[0].contains("fewer frames per second"))

    var damaged = facts(measured: 240, lost: .init(driver: 5, corrupt: 7, ring: 9, disk: 0))
    damaged.usbMegabitsPerSecond = 480
    damaged.bytesPerSecond = 23e6
    let all = words(damaged)
    #expect(all.count == 4)
    #expect(zip(all, ["USB", "5 frames", "7 frames", "9 frames"]).allSatisfy { $0.contains($1) })
    damaged.bytesPerSecond = 10e6
    #expect(words(damaged).count == 3)
  }

  @Test("has the exposure as a cause if the camera's controls show it")
  func controls() {
    var configuration = StreamConfiguration(
      FrameFormat(
        .mjpeg, width: 640, height: 360, acceptedInterval: FrameInterval(1, 240), clock: .monotonic),
      largestFrame: 1 << 20, bufferCount: 4)
    func causes(_ controls: [String: ControlInForce]) -> [String] {
      configuration.controls = controls
      let measurement = RateMeasurement(
        configuration: configuration,
        accounting: accounting((0..<20).map { (UInt32($0), Int64($0) * 10_000) }),
        byteCount: 1, ringPeakBytes: 1,
        processorTime: ProcessorTime(capture: .nanoseconds(1), drain: .nanoseconds(1)), intervals: nil,
        failure: nil, restoreFailure: nil)
      let report = RateReport(
        camera: CameraIdentity(name: "cam", table: CameraTable(rows: [])),
        mode: Mode(fourcc: "MJPG", width: 640, height: 360, interval: FrameInterval(1, 240)),
        outcome: .success(measurement))
      return report.verdict?.causes.map(\.cause) ?? []
    }
    let fixed: [String: ControlInForce] = [
      "auto_exposure": .init(value: 1), "exposure_time_absolute": .init(value: 100),
    ]
    #expect(causes(fixed) == ["The exposure of 10 ms is longer than a frame of 4.17 ms."])
    #expect(causes(["exposure_dynamic_framerate": .init(value: 1)]).count == 1)
    #expect(
      causes(["exposure_dynamic_framerate": .init(value: 1)]).first?.contains("exposure_dynamic_framerate")
        == true)
    #expect(causes([:]).first?.contains("fewer frames per second") == true)
  }

  @Test("that ended early is never called sustained")
  func early() {
    var early = facts(measured: 240)
    early.endedEarly = true
    #expect(!RateVerdict(early).isSustained)
    #expect(RateVerdict(early).summary == "It ended early, at 240 of 240 fps.")
  }

  @Test("is plotted with every interval and every gap")
  func plot() throws {
    let camera = SimulatedCamera(
      description: SimulatedCameraDescription(modes: [
        .init(format: .mjpeg, width: 320, height: 180, intervals: [FrameInterval(1, 240)])
      ]), faults: try SimulatedCameraAddress(text: "sim:,drop=10-12+20").faults,
      clock: VirtualClock(at: Instant(nanoseconds: 0)))
    let mode = Mode(fourcc: "MJPG", width: 320, height: 180, interval: FrameInterval(1, 240))
    let measurement = try RateBench.measure(
      CaptureSource(name: "sim:") { (mode) throws(OvercrankError) in try camera.start(mode) },
      SessionConfiguration(mode: mode), for: RecordingLimit(frames: 40))
    #expect(measurement.frames.lost.driver == 4)
    #expect(measurement.accounting.measuredFramesPerSecond.map { abs($0 - 240) < 0.001 } == true)

    let svg = IntervalPlot(measurement, title: "<a & b>").svg
    #expect(svg.contains("&lt;a &amp; b&gt;"))
    // 40 frames have 39 pairs of neighbours, and two of these have a gap between them.
    #expect(svg.components(separatedBy: "h0").count - 1 == 37)
    #expect(svg.contains("<title>3 lost</title>"))
    #expect(svg.contains("<title>1 lost</title>"))
  }
}

extension String {
  fileprivate func components(separatedBy mark: String) -> [Substring] {
    split(separator: mark, omittingEmptySubsequences: false)
  }
}
