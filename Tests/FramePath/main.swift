// The capture thread's loop, alone: the camera's frames into the ring, on the main thread, nothing else.
// script/prove-frame-path runs it under valgrind with few and with many frames: what the loop allocates,
// frees or counts references of per frame is the difference of the two.
//
// usage: FramePath FRAMES [--tap | /dev/videoN]
//
// With --tap, a session's writer empties the ring on another thread meanwhile and shows frames to a
// preview: what the loop costs must not know of it.

import CameraModel
import Cameras
import Capture
import Foundation
import Simulator
import Synchronization
import SystemPackage
import Takes
import Timebase

/// The part whose calls are counted, under a name of its own for valgrind to find.
@inline(never)
func countedLoop<Stream: CameraStream & ~Copyable>(_ loop: inout CaptureLoop, _ stream: inout Stream)
  -> CaptureLoop.End
{
  loop.run(&stream, until: StopFlag(), silenceLimit: .seconds(10))
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
    within timeout: Duration, _ body: (borrowing Frame) -> Void
  ) throws(CameraError) -> Arrival {
    guard remaining > 0 else { return .ended }
    let arrival = try stream.next(within: timeout, body)
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

/// Counts the frames of a take, and looks at every byte.
final class CountingOutput: TakeOutput {
  private(set) var bytesWritten: Int64 = 0

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) {
    bytesWritten += Int64(frame.count)
  }
}

/// As ``film(_:frameCount:)``, with a session and a preview at the ring's other end; how many frames
/// the session's take has.
func filmWatched<Stream: CameraStream & ~Copyable>(
  _ stream: consuming Stream, mode: Mode, frameCount: Int
) throws -> Int {
  let configuration = stream.configuration
  let ends = try Ring.make(minimumCapacity: (frameCount + 64) * (configuration.largestFrame + 256))
  let session = CaptureSession(
    SessionSetup(
      CaptureSource(name: "sim:") { (mode) throws(CameraError) in try SimulatedCamera().start(mode) },
      SessionConfiguration(mode: mode),
      SessionPlan(limit: RecordingLimit()), makeOutput: { _ in CountingOutput() }))
  let tap = try PreviewTap(fitting: Dimensions(width: 160, height: 120), minimumInterval: .nanoseconds(1))
  session.add(tap)
  let written = Mutex(0)
  session.onEvent { event in
    guard case .takeEnded(_, .success(let recording)) = event.kind else { return }
    written.withLock { $0 = Int(recording.accounting.written) }
  }
  let consumer = Mutex<RingConsumer?>(ends.consumer)
  let isOver = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    if let ring = consumer.withLock({ $0.take() }) { _ = try? session.run(ring, configuration) }
    isOver.signal()
  }
  var loop = CaptureLoop(ring: ends.producer, configuration: configuration)
  var limited = LimitedStream(stream, frameCount: frameCount)
  let end = countedLoop(&loop, &limited)
  loop.finish()
  try limited.stop()
  isOver.wait()
  guard end == .streamEnded else { throw CameraError(.failed, "The loop ended with \(end).") }
  guard tap.newest != nil else { throw CameraError(.failed, "The preview has seen nothing.") }
  return written.withLock { $0 }
}

let arguments = CommandLine.arguments
let frameCount = arguments.count > 1 ? Int(arguments[1]) ?? 1000 : 1000
let filmed: Int
let isWatched = arguments.contains("--tap")
if arguments.count > 2, !isWatched {
  let mode = Mode(fourcc: "YUYV", width: 320, height: 180, interval: FrameInterval(1, 60))
  filmed = try film(try V4L2Camera(path: FilePath(arguments[2])).start(mode), frameCount: frameCount)
} else {
  let mode = Mode(fourcc: "MJPG", width: 320, height: 180, interval: FrameInterval(1, 240))
  let camera = SimulatedCamera(
    description: SimulatedCameraDescription(modes: [
      .init(format: .mjpeg, width: 320, height: 180, intervals: [mode.interval])
    ]), clock: HandDrivenClock())
  let stream = try camera.start(mode)
  filmed =
    isWatched
    ? try filmWatched(stream, mode: mode, frameCount: frameCount)
    : try film(stream, frameCount: frameCount)
}
print("\(filmed) frames")
exit(filmed == frameCount ? 0 : 1)
