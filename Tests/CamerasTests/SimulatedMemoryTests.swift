import Glibc
import Testing
import Timebase
import V4L2

@testable import Cameras

@Suite struct SimulatedMemoryTests {
  // In a process of its own, as other tests allocate while this one counts. glibc's headers do not reach Swift
  // whole, hence the look-up by name; a structure of this size is returned through a hidden first argument,
  // which only x86-64 passes as it passes any other.
  #if arch(x86_64)
    @Test func aThousandFramesAllocateNothing() async {
      await #expect(processExitsWith: .success) {
        typealias Mallinfo2 = @convention(c) (UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<Int>
        let symbol = try #require(dlsym(nil, "mallinfo2"))
        let mallinfo2 = unsafeBitCast(symbol, to: Mallinfo2.self)
        let information = UnsafeMutablePointer<Int>.allocate(capacity: 10)
        func allocatedByteCount() -> Int { mallinfo2(information)[4] + mallinfo2(information)[7] }

        for format in [PixelFormat.mjpeg, .yuyv] {
          let camera = SimulatedCamera(
            description: SimulatedCameraDescription(modes: [
              .init(format: format, width: 320, height: 240, intervals: [FrameInterval(1, 240)])
            ]),
            faults: try SimulatedFaults(text: "drop=2%,corrupt=3+2%,flagged=5,jitter=1ms"),
            clock: HandDrivenClock())
          var stream = try camera.start(
            format: format, width: 320, height: 240, interval: FrameInterval(1, 240))
          for _ in 0..<60 { _ = try stream.next(within: 1000) { _ in } }
          let before = allocatedByteCount()
          for _ in 0..<1000 { _ = try stream.next(within: 1000) { _ in } }
          #expect(allocatedByteCount() == before)
        }
      }
    }
  #endif
}
