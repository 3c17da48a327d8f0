// Runs only the capture thread's loop, on the main thread: it moves the camera's frames into the ring.
// script/prove-frame-path runs it under valgrind with few and with many frames. The difference between the
// two is what the loop allocates, frees or retains for each frame.
//
// usage: FramePath FRAMES [--session | /dev/videoN]
//
// With --session, a session's writer empties the ring on another thread meanwhile. It passes frames to a
// preview and to motion detection, records a microphone, and moves a control. None of this may affect the
// loop's cost.

import CameraModel
import Cameras
import Capture
import Foundation
import Microphones
import Platform
import Simulator
import Synchronization
import SystemPackage
import Takes
import Timebase

/// Runs the part whose calls are counted, under a name that valgrind can find.
@inline(never)
func countedLoop<Stream: CameraStream & ~Copyable>(_ loop: inout CaptureLoop, _ stream: inout Stream)
  -> CaptureLoop.End
{
  loop.run(&stream, until: StopFlag(), silenceLimit: .seconds(10))
}

/// A stream that ends after a number of frames.
struct LimitedStream<Stream: CameraStream & ~Copyable>: ~Copyable, CameraStream {
  private var stream: Stream
  private var remaining: Int
  private var hasBegun = false

  init(_ stream: consuming Stream, frameCount: Int) {
    self.stream = stream
    remaining = frameCount
  }

  var configuration: StreamConfiguration { stream.configuration }

  mutating func begin() throws(OvercrankError) {
    guard !hasBegun else { return }
    hasBegun = true
    try stream.begin()
  }

  /// Allows one more frame.
  mutating func goOn() { remaining += 1 }

  mutating func next(
    within timeout: Duration, _ body: (borrowing Frame) -> Void
  ) throws(OvercrankError) -> Arrival {
    guard remaining > 0 else { return .ended }
    let arrival = try stream.next(within: timeout, body)
    if case .frame = arrival { remaining -= 1 }
    return arrival
  }

  consuming func stop() throws(OvercrankError) { try stream.stop() }
}

/// Captures `frameCount` frames into a ring that holds them all. Returns the number of captured frames.
func video<Stream: CameraStream & ~Copyable>(_ stream: consuming Stream, frameCount: Int) throws -> Int {
  let recordBytes = stream.configuration.largestFrame + 256
  let ends = try Ring.make(minimumCapacity: (frameCount + 64) * recordBytes)
  var loop = CaptureLoop(ring: ends.producer, configuration: stream.configuration)
  var stream = LimitedStream(stream, frameCount: frameCount)
  let end = countedLoop(&loop, &stream)
  loop.finish()
  try stream.stop()
  var consumer = ends.consumer
  var captured = 0
  while consumer.pop({ record, _ in captured += record.kind == .frame ? 1 : 0 }) != nil {}
  guard end == .streamEnded else { throw OvercrankError(.failed, "The loop ended with \(end).") }
  return captured
}

/// An output that only counts the bytes of a take.
final class CountingOutput: TakeOutput {
  private(set) var bytesWritten: Int64 = 0

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) {
    bytesWritten += Int64(frame.count)
  }
}

/// What a session did beside the loop, as reported by its other threads.
final class Doings: Sendable {
  let written = Mutex(0)
  let looks = Mutex(0)
  let steps = Mutex(0)
}

/// Captures like ``video(_:frameCount:)``, with a session at the ring's other end that uses every feature.
/// Returns the number of frames in its take.
func videoBeside<Stream: CameraStream & ~Copyable>(
  _ stream: consuming Stream, mode: Mode, frameCount: Int
) throws -> Int {
  let configuration = stream.configuration
  let ends = try Ring.make(minimumCapacity: (frameCount + 64) * (configuration.largestFrame + 256))
  // This camera only has controls to move: the frames come from the ring.
  let camera = CaptureDevice.simulated(SimulatedCamera(), CameraTable(rows: []))
  let microphone = try CaptureMicrophone(.simulated("sim:"), beside: nil)
  var setup = SessionSetup(
    CaptureSource(camera), SessionConfiguration(mode: mode), SessionPlan(limit: RecordingLimit()),
    microphone: try microphone.map { try OpenMicrophone($0) }, makeOutput: { _ in CountingOutput() })
  // A step every sixtieth of a second.
  let setting = try ControlRampSetting(text: "exposure=0s:1, 60s:5000")
  setup.ramps = [try setting.ramp(among: try camera.controls(), of: camera.name)]
  let session = CaptureSession(setup)
  let preview = try PreviewTap(fitting: Dimensions(width: 160, height: 120), minimumInterval: .nanoseconds(1))
  session.add(preview)
  let doings = Doings()
  let motion = try MotionTap(MotionSettings()) { _ in doings.looks.withLock { $0 += 1 } }
  session.add(motion)
  let heard = AudioTap()
  session.add(heard)
  session.onEvent { event in
    switch event.kind {
    case .takeEnded(_, .success(let recording)):
      doings.written.withLock { $0 = Int(recording.accounting.written) }
    case .controlChanged: doings.steps.withLock { $0 += 1 }
    default: break
    }
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
  // On a fast machine, the loop can end before the other threads have begun. Further frames are not counted.
  var (further, isHeard) = (0, false)
  var idle: [String]
  repeat {
    limited.goOn()
    _ = loop.run(&limited, until: StopFlag(), silenceLimit: .seconds(10))
    further += 1
    usleep(5000)
    isHeard = isHeard || heard.poll() != nil
    idle = [
      ("the preview", preview.newest != nil), ("the motion detection", doings.looks.withLock { $0 } > 0),
      ("the microphone", isHeard), ("the control", doings.steps.withLock { $0 } > 0),
    ].filter { !$0.1 }.map(\.0)
  } while !idle.isEmpty && further < 4000
  loop.finish()
  try limited.stop()
  isOver.wait()
  motion.close()
  guard end == .streamEnded else { throw OvercrankError(.failed, "The loop ended with \(end).") }
  guard idle.isEmpty else {
    throw OvercrankError(.failed, "Not at work: \(idle.joined(separator: ", ")).")
  }
  return doings.written.withLock { $0 } - further
}

let arguments = CommandLine.arguments
let frameCount = arguments.count > 1 ? Int(arguments[1]) ?? 1000 : 1000
let captured: Int
let hasSession = arguments.contains("--session")
if arguments.count > 2, !hasSession {
  let mode = Mode(fourcc: "YUYV", width: 320, height: 180, interval: FrameInterval(1, 60))
  captured = try video(try V4L2Camera(path: FilePath(arguments[2])).start(mode), frameCount: frameCount)
} else {
  let mode = Mode(fourcc: "MJPG", width: 320, height: 180, interval: FrameInterval(1, 240))
  let camera = SimulatedCamera(
    description: SimulatedCameraDescription(modes: [
      .init(format: .mjpeg, width: 320, height: 180, intervals: [mode.interval])
    ]), clock: VirtualClock())
  let stream = try camera.start(mode)
  captured =
    hasSession
    ? try videoBeside(stream, mode: mode, frameCount: frameCount)
    : try video(stream, frameCount: frameCount)
}
print("\(captured) frames")
exit(captured == frameCount ? 0 : 1)
