import CameraModel
import Cameras
import FrameJudge
import Synchronization
import SystemPackage
import Takes
import Testing
import Timebase

@testable import Capture

/// The sizes of each take's frames, in bytes.
private final class FrameSizes: Sendable {
  let takes = Mutex<[Int: [Int]]>([:])

  /// Keeps the sizes of one take.
  final class Output: TakeOutput {
    let number: Int
    let sizes: FrameSizes
    private(set) var bytesWritten: Int64 = 0

    init(_ number: Int, _ sizes: FrameSizes) { (self.number, self.sizes) = (number, sizes) }

    func write(
      _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
    ) {
      bytesWritten += Int64(frame.count)
      sizes.takes.withLock { $0[number, default: []].append(frame.count) }
    }

    func finish() {}
  }
}

@Suite(
  "A session whose mode changes on the kernel's camera", .serialized, .tags(.kernel),
  .needs(KernelCameras.vivid), .timeLimit(.minutes(15)))
struct KernelModeChangeTests {
  private static let packed = Mode(fourcc: "YUYV", width: 320, height: 180, interval: FrameInterval(1, 60))
  private static let planar = Mode(fourcc: "NV12", width: 640, height: 360, interval: FrameInterval(1, 60))
  /// A mode that the driver changes to another size.
  private static let absent = Mode(fourcc: "YUYV", width: 333, height: 77, interval: FrameInterval(1, 60))

  private let sizes = FrameSizes()

  private func session(takes: Int) throws -> CaptureSession {
    let camera = V4L2Camera(path: FilePath(try #require(KernelCameras.vivid)))
    return CaptureSession(
      SessionSetup(
        CaptureSource(.camera(camera)), SessionConfiguration(mode: Self.packed),
        SessionPlan(preRoll: .zero, limit: RecordingLimit(frames: 10), takeCount: takes),
        makeOutput: { [sizes] take in FrameSizes.Output(take.number, sizes) }))
  }

  /// Records a take in each mode. Returns the takes, and the number of reported errors.
  private func record(_ modes: [Mode]) async throws -> (takes: [Int: Recording], errors: Int) {
    let session = try session(takes: modes.count + 1)
    var events = session.events.makeAsyncIterator()
    try session.start()
    session.commands.trigger(TriggerEvent(.program, at: session.now))
    var (takes, errors): ([Int: Recording], Int) = ([:], 0)
    while let event = try await events.next() {
      switch event.kind {
      case .takeEnded(let number, let result):
        takes[number] = try result.get()
        if number <= modes.count { session.configure { $0.mode = modes[number - 1] } }
        session.commands.trigger(TriggerEvent(.program, at: session.now))
      case .error: errors += 1
      default: break
      }
    }
    return (takes, errors)
  }

  @Test("records all frames in the new size and format")
  func change() async throws {
    let (takes, errors) = try await record([Self.planar, Self.packed])
    #expect(errors == 0)
    #expect(takes.count == 3)
    for (number, bytes) in [1: 320 * 180 * 2, 2: 640 * 360 * 3 / 2, 3: 320 * 180 * 2] {
      let take = try #require(takes[number])
      #expect(sizes.takes.withLock { $0[number] } == Array(repeating: bytes, count: 10))
      #expect(take.accounting.sent == take.accounting.written + take.accounting.ledger.total)
    }
  }

  @Test("continues in the old mode if the driver refuses the new one")
  func refusal() async throws {
    let (takes, errors) = try await record([Self.absent])
    #expect(errors == 1)
    #expect(takes.count == 2)
    let frame = 320 * 180 * 2
    #expect(sizes.takes.withLock { $0[2] } == Array(repeating: frame, count: 10))
  }
}
