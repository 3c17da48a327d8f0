import CameraModel
import Platform
import Testing
import Timebase

@testable import Simulator

@Suite struct SimulatedCameraTests {
  @Test func theDefaultHasTheModesThatAreDocumented() {
    let modes = SimulatedCameraDescription.default.modes.map { mode in
      let rates = mode.intervals.map { $0.rate.map { "\($0)" } ?? "?" }.joined(separator: "/")
      return "\(mode.format) \(mode.width)x\(mode.height) \(rates)"
    }
    #expect(modes == ["MJPG 1280x720 240/120", "MJPG 1920x1080 120/60", "YUYV 640x480 240/120"])
  }

  @Test(arguments: [(1, true), (45, true), (90, true), (91, false)])
  func anyRateOfARangeCanBeHad(rate: UInt32, exists: Bool) {
    let row = ModeRow(
      fourcc: "YUYV", size: .discrete(width: 640, height: 480),
      continuous: IntervalRange(min: FrameInterval(1, 90), max: FrameInterval(1, 1)))
    let description = SimulatedCameraDescription(CameraTable(rows: [row]))
    let interval = FrameInterval(1, rate)
    #expect(description.has(format: .yuyv, width: 640, height: 480, interval: interval) == exists)
  }

  @Test(arguments: [
    (PixelFormat.mjpeg, 1280, 720, FrameInterval(1, 300), "MJPG 1280x720 at 240 fps"),
    (.mjpeg, 1920, 1080, FrameInterval(1, 240), "MJPG 1920x1080 at 120 fps"),
    (.yuyv, 1280, 720, FrameInterval(1, 120), "YUYV 640x480 at 120 fps"),
    (.mjpeg, 1282, 720, FrameInterval(1, 120), "MJPG 1280x720 at 120 fps"),
    (.mjpeg, 1280, 720, FrameInterval(0, 120), "MJPG 1280x720 at 120 fps"),
  ])
  func anUnknownModeIsAnsweredWithTheNearest(
    format: PixelFormat, width: Int, height: Int, interval: FrameInterval, nearest: String
  ) {
    do {
      let camera = SimulatedCamera(name: "sim:x", clock: VirtualClock(at: Instant(nanoseconds: 0)))
      _ = try camera.start(format: format, width: width, height: height, interval: interval).configuration
      Issue.record("there is no such mode")
    } catch {
      #expect(error.code == .noMode)
      #expect(error.description.hasPrefix("sim:x has no mode \(format) \(width)x\(height)"))
      #expect(error.description.contains("nearest: \(nearest),"))
    }
  }

  @Test func aCameraWithoutModesSaysSo() {
    do {
      let camera = SimulatedCamera(
        description: SimulatedCameraDescription(modes: []), clock: VirtualClock(at: Instant(nanoseconds: 0)))
      _ = try camera.start(format: .grey, width: 8, height: 8, interval: FrameInterval(1, 30)).configuration
      Issue.record("there is no such mode")
    } catch {
      #expect(error.description.hasSuffix("it has no modes"))
    }
  }
}
