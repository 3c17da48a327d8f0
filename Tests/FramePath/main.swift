// The capture thread's loop, alone: the camera's frames into the ring, on the main thread, nothing else.
// script/prove-frame-path runs it under valgrind with few and with many frames: what the loop allocates,
// frees or counts references of per frame is the difference of the two.
//
// usage: FramePath FRAMES [/dev/videoN]

import CameraModel
import Cameras
import Capture
import Foundation
import Simulator
import Timebase

/// The part whose calls are counted, under a name of its own for valgrind to find.
@inline(never)
func countedLoop<Stream: CameraStream & ~Copyable>(_ loop: inout CaptureLoop, _ stream: inout Stream)
  -> CaptureLoop.End
{
  loop.run(&stream, until: StopFlag(), silenceLimitMilliseconds: 10_000)
}

/// A stream that ends after so many frames.
struct LimitedStream<Stream: CameraStream & ~Copyable>: ~Copyable, CameraStream {
  private var stream: Stream
  private var remaining: Int

  init(_ stream: consuming Stream, frameCount: Int) {
    self.stream = stream
    remaining = frameCount
  }

  var configuration: StreamConfiguration { stream.configuration }

  mutating func begin() throws(CameraError) { try stream.begin() }

  mutating func next(
    within milliseconds: Int32, _ body: (borrowing Frame) -> Void
  ) throws(CameraError) -> Arrival {
    guard remaining > 0 else { return .ended }
    let arrival = try stream.next(within: milliseconds, body)
    if case .frame = arrival { remaining -= 1 }
    return arrival
  }

  consuming func stop() throws(CameraError) { try stream.stop() }
}

/// Films `frameCount` frames into a ring that holds them all; how many were sent.
func film<Stream: CameraStream & ~Copyable>(_ stream: consuming Stream, frameCount: Int) throws -> Int {
  let recordBytes = stream.configuration.largestFrame + 256
  let ends = try Ring.make(minimumCapacity: (frameCount + 64) * recordBytes)
  var loop = CaptureLoop(ring: ends.producer, configuration: stream.configuration)
  var stream = LimitedStream(stream, frameCount: frameCount)
  let end = countedLoop(&loop, &stream)
  loop.finish()
  try stream.stop()
  var consumer = ends.consumer
  var filmed = 0
  while consumer.pop({ record, _ in filmed += record.kind == .frame ? 1 : 0 }) != nil {}
  guard end == .streamEnded else { throw CameraError(.failed, "The loop ended with \(end).") }
  return filmed
}

let arguments = CommandLine.arguments
let frameCount = arguments.count > 1 ? Int(arguments[1]) ?? 1000 : 1000
let filmed: Int
if arguments.count > 2 {
  let mode = Mode(fourcc: "YUYV", width: 320, height: 180, interval: FrameInterval(1, 60))
  filmed = try film(try V4L2Camera(path: arguments[2]).start(mode), frameCount: frameCount)
} else {
  let mode = Mode(fourcc: "MJPG", width: 320, height: 180, interval: FrameInterval(1, 240))
  let camera = SimulatedCamera(
    description: SimulatedCameraDescription(modes: [
      .init(format: .mjpeg, width: 320, height: 180, intervals: [mode.interval])
    ]), clock: HandDrivenClock())
  filmed = try film(try camera.start(mode), frameCount: frameCount)
}
print("\(filmed) frames")
exit(filmed == frameCount ? 0 : 1)
