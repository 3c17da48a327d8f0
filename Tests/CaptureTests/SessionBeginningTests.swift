import CameraModel
import Cameras
import FrameJudge
import Media
import Platform
import Simulator
import Takes
import Testing
import Timebase

@testable import Capture

@Suite("A session that cannot start")
struct SessionBeginningTests {
  private static let format = FrameFormat(
    .grey, width: 256, height: 16, acceptedInterval: FrameInterval(1, 240), clock: .monotonic)
  private static let noFile = CaptureError.master(OvercrankError(.cannotCreate, "The folder is gone."))
  private static let noCamera = OvercrankError(.noCamera, "There is none.")

  /// Returns a session whose camera does not exist.
  private func session(_ makeOutput: @escaping MakeTakeOutput = { (_) throws(CaptureError) in throw .empty })
    -> CaptureSession
  {
    CaptureSession(
      SessionSetup(
        CaptureSource(name: "test", clock: .virtual(VirtualClock(at: Instant(nanoseconds: 1_000_000_000)))) {
          (_) throws(OvercrankError) -> SimulatedStream<VirtualClock> in throw Self.noCamera
        },
        SessionConfiguration(
          mode: Mode(fourcc: "GREY", width: 256, height: 16, interval: FrameInterval(1, 240))),
        SessionPlan(limit: RecordingLimit()), makeOutput: makeOutput))
  }

  @Test("reports the reason to its caller and to all listeners, and accepts no more commands")
  func camera() async throws {
    let session = session()
    let ends = Collected<SessionEnd>()
    session.onEvent { event in if case .ended(let end) = event.kind { ends.append(end) } }
    let error = #expect(throws: CaptureError.self) { try session.run() }
    #expect(error == .camera(Self.noCamera))
    let end = SessionEnd(takeCount: 0, failure: .camera(Self.noCamera))
    #expect(ends.all == [end])
    #expect(await session.end() == end)
    let outcomes = Collected<SpanOutcome>()
    session.commands.send(
      .span(SpanChange(TakeSpan(preRoll: .zero, limit: RecordingLimit())) { outcomes.append($0) }))
    #expect(outcomes.all == [.sessionEnded])
  }

  @Test("throws if its first take's file cannot be created")
  func firstTake() throws {
    let ends = try Ring.make(minimumCapacity: 1 << 16)
    var producer = ends.producer
    let isPushed = producer.push(
      RingRecord(kind: .frame, sequence: 0, timestampNanoseconds: 1_000_000_000), payloadBytes: 4096,
      fill: { _ in })
    #expect(isPushed)
    producer.close()
    let configuration = StreamConfiguration(Self.format, largestFrame: 4096, bufferCount: 4, controls: [:])
    do throws(CaptureError) {
      _ = try session { (_) throws(CaptureError) in throw Self.noFile }.run(ends.consumer, configuration)
      Issue.record("The session has started.")
    } catch {
      #expect(error == Self.noFile)
    }
  }
}
