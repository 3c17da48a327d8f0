import CameraModel
import CLinux
import FrameJudge
import Platform
import Testing
import Timebase

@testable import Simulator

@Suite(.tags(.program), .timeLimit(.minutes(1))) struct SimulatedMemoryTests {
  // In a process of its own, as other tests allocate while this one counts.
  @Test func aThousandFramesAllocateNothing() async {
    await #expect(processExitsWith: .success) {
      for format in [PixelFormat.mjpeg, .yuyv] {
        let camera = SimulatedCamera(
          description: SimulatedCameraDescription(modes: [
            .init(format: format, width: 320, height: 240, intervals: [FrameInterval(1, 240)])
          ]),
          faults: try SimulatedFaults(text: "drop=2%,corrupt=3+2%,flagged=5,jitter=1ms"),
          clock: VirtualClock(at: Instant(nanoseconds: 0)))
        var stream = try camera.start(
          format: format, width: 320, height: 240, interval: FrameInterval(1, 240))
        for _ in 0..<60 { _ = try stream.next(within: .seconds(1)) { _ in } }
        let before = clinux_allocated_bytes()
        var frameCount = 0
        for _ in 0..<1000 where try stream.next(within: .seconds(1), { _ in }) == .frame { frameCount += 1 }
        #expect(clinux_allocated_bytes() == before)
        #expect(frameCount > 900)
      }
    }
  }
}
