import Platform
import CameraModel
import Cameras
import Capture
import Foundation
import Simulator
import Synchronization
import Takes
import Timebase

/// One session from the first moment to the last: armed with a pre-roll, triggered each second, through
/// a camera that is unplugged and comes back. Its takes only count frames.
final class LongSession: Sendable {
  private struct State {
    var takes = 0
    var frames: Int64 = 0
    var lost: Int64 = 0
    var interruptions = 0
    var failures: [String] = []
    var isEnding = false
  }

  private let session: CaptureSession
  private let state = Mutex(State())

  init(in folder: URL) throws {
    let mode = Mode(fourcc: "GREY", width: 256, height: 16, interval: FrameInterval(1, 240))
    let description = SimulatedCameraDescription(modes: [
      .init(format: .grey, width: 256, height: 16, intervals: [mode.interval])
    ])
    let faults = try SimulatedCameraAddress(text: "sim:,drop=1%,flagged=1%,jitter=1ms,disconnect=2000").faults
    let camera = SimulatedCamera(description: description, faults: faults)
    session = CaptureSession(
      SessionSetup(
        CaptureSource(name: "sim:") { (mode) throws(OvercrankError) in try camera.start(mode) },
        SessionConfiguration(mode: mode),
        SessionPlan(
          preRoll: .milliseconds(200), limit: RecordingLimit(duration: .milliseconds(300)), takeCount: nil,
          interruptionResponse: .reconnect),
        makeOutput: { _ in FrameTally() }))
    session.onEvent { [weak self] event in self?.hear(event) }
    try session.start()
    let thread = Thread { [weak self] in
      while let self, !self.state.withLock({ $0.isEnding }) {
        self.session.commands.trigger(TriggerEvent(.program, at: self.session.now))
        usleep(1_000_000)
      }
    }
    thread.start()
  }

  private func hear(_ event: SessionEvent) {
    state.withLock { state in
      switch event.kind {
      case .takeEnded(_, .success(let recording)):
        let accounting = recording.accounting
        state.takes += 1
        state.frames += accounting.written
        state.lost += accounting.ledger.total
        if accounting.sent != accounting.written + accounting.ledger.total {
          state.failures.append("\(accounting.sent) sent, \(accounting.written) written")
        }
      case .takeEnded(let number, .failure(let error)): state.failures.append("take \(number): \(error)")
      case .interrupted: state.interruptions += 1
      default: break
      }
    }
  }

  /// Stops it. Returns a summary of it in a few words.
  ///
  /// - Throws: ``Wrong`` if a take is inconsistent, or if there is none.
  func end() async throws -> String {
    state.withLock { $0.isEnding = true }
    session.commands.send(.stop)
    let end = await session.end()
    if let failure = end.failure { throw Wrong("the long session failed: \(failure)") }
    let state = state.withLock { $0 }
    guard state.failures.isEmpty, state.takes > 0 else {
      throw Wrong("the long session: \(state.takes) takes, \(state.failures)")
    }
    return
      "\(state.takes) takes, \(state.frames) frames written and \(state.lost) lost, \(state.interruptions) interruptions"
  }
}

/// Counts the bytes of a take.
private final class FrameTally: TakeOutput {
  private(set) var bytesWritten: Int64 = 0

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) {
    bytesWritten += Int64(frame.count)
  }
}
