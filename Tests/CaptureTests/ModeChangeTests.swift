import CameraModel
import Cameras
import Platform
import Simulator
import Synchronization
import Takes
import Testing
import Timebase

@testable import Capture

/// An output that keeps the sizes of a take's frames in bytes, and the numbers in their strips.
private final class CollectedFrames: TakeOutput {
  struct Frame {
    var bytes: Int
    var sequence: UInt32
    var strip: UInt32?
  }

  let width: Int
  private(set) var bytesWritten: Int64 = 0
  private var frames: [Frame] = []
  private let keep: ([Frame]) -> Void

  init(width: Int, keep: @escaping ([Frame]) -> Void) {
    self.width = width
    self.keep = keep
  }

  func write(
    _ frame: UnsafeRawBufferPointer, sequence: UInt32, timestampNanoseconds: Int64, isTimedAtDequeue: Bool
  ) {
    bytesWritten += Int64(frame.count)
    let luma = Array(frame)
    frames.append(
      Frame(
        bytes: frame.count, sequence: sequence,
        strip: FrameStrip.number(inLuma: luma.span, stride: width, width: width)))
  }

  func finish() { keep(frames) }
}

@Suite("A session whose mode changes while it runs", .timeLimit(.minutes(1)))
struct ModeChangeTests {
  private static let small = Mode(fourcc: "GREY", width: 256, height: 16, interval: FrameInterval(1, 240))
  private static let large = Mode(fourcc: "GREY", width: 512, height: 32, interval: FrameInterval(1, 120))
  /// A mode that the camera does not have.
  private static let absent = Mode(fourcc: "GREY", width: 320, height: 32, interval: FrameInterval(1, 120))

  private let taken = Taken()

  private final class Taken: Sendable {
    let frames = Mutex<[Int: [CollectedFrames.Frame]]>([:])
  }

  private func session(_ plan: SessionPlan) -> CaptureSession {
    let camera = SimulatedCamera(
      description: SimulatedCameraDescription(
        modes: [Self.small, Self.large].map { mode in
          .init(
            format: .grey, width: Int(mode.width), height: Int(mode.height), intervals: [mode.interval])
        }), clock: SessionClock.virtual(VirtualClock()))
    return CaptureSession(
      SessionSetup(
        CaptureSource(name: "sim:", clock: camera.clock) { (mode) throws(OvercrankError) in
          try camera.start(mode)
        },
        SessionConfiguration(mode: Self.small), plan,
        makeOutput: { [taken] take in
          CollectedFrames(width: take.configuration.frameFormat.width) { frames in
            taken.frames.withLock { $0[take.number] = frames }
          }
        }))
  }

  /// Expects every frame between a take's first and last to be written or in the ledger, and each written
  /// one to be the frame that the sensor sent.
  private func check(_ take: Int, _ recording: Recording, in mode: Mode) throws {
    let frames = try #require(taken.frames.withLock { $0[take] })
    #expect(recording.context.mode == mode)
    #expect(!frames.isEmpty)
    #expect(frames.allSatisfy { $0.bytes == Int(mode.width * mode.height) })
    #expect(frames.allSatisfy { $0.strip == $0.sequence })
    let accounting = recording.accounting
    #expect(accounting.written == Int64(frames.count))
    let first = try #require(frames.first), last = try #require(frames.last)
    let between = Int64(last.sequence - first.sequence) + 1
    #expect(accounting.sent == accounting.written + accounting.ledger.total)
    #expect(accounting.sent >= between)
  }

  @Test("records a take in each mode, with all frames in that mode's size")
  func triggered() async throws {
    let session = session(SessionPlan(preRoll: .zero, limit: RecordingLimit(frames: 20), takeCount: 2))
    #expect(!session.isRunning)
    var events = session.events.makeAsyncIterator()
    try session.start()
    #expect(session.isRunning)
    #expect(session.activeFormat == Self.small)
    session.commands.trigger(TriggerEvent(.program, at: session.now))
    var recordings: [Int: Recording] = [:]
    var changes = 0
    while let event = try await events.next() {
      switch event.kind {
      case .takeEnded(1, let result):
        recordings[1] = try result.get()
        session.configure { $0.mode = Self.large }
        session.commands.trigger(TriggerEvent(.program, at: session.now))
      case .takeEnded(let number, let result): recordings[number] = try result.get()
      case .modeChanged(let configuration, let gap):
        changes += 1
        #expect(configuration.frameFormat.width == Int(Self.large.width))
        #expect(gap > .zero)
        #expect(session.activeFormat == Self.large)
      case .error(let error): Issue.record("\(error)")
      default: break
      }
    }
    #expect(changes == 1)
    #expect(!session.isRunning)
    #expect(recordings.count == 2)
    try check(1, try #require(recordings[1]), in: Self.small)
    try check(2, try #require(recordings[2]), in: Self.large)
  }

  @Test("ends the current take, and continues in the next one with the rest of its limit")
  func whileRecording() async throws {
    let session = session(SessionPlan(limit: RecordingLimit(frames: 720)))
    // On the session's own thread, because it could be too late on a busy machine otherwise.
    session.onEvent { [weak session] event in
      if case .takeStarted(1, _) = event.kind { session?.configure { $0.mode = Self.large } }
    }
    var events = session.events.makeAsyncIterator()
    try session.start()
    var recordings: [Int: Recording] = [:]
    while let event = try await events.next() {
      if case .takeEnded(let number, let result) = event.kind { recordings[number] = try result.get() }
    }
    try check(1, try #require(recordings[1]), in: Self.small)
    try check(2, try #require(recordings[2]), in: Self.large)
    #expect(recordings.values.reduce(0) { $0 + $1.accounting.written } == 720)
  }

  @Test("continues in the old mode if the camera refuses the new one")
  func refused() async throws {
    let session = session(SessionPlan(preRoll: .zero, limit: RecordingLimit(frames: 5)))
    var events = session.events.makeAsyncIterator()
    try session.start()
    session.configure { $0.mode = Self.absent }
    session.commands.trigger(TriggerEvent(.program, at: session.now))
    var errors = 0
    var recording: Recording?
    var seen: [SessionEvent.Kind] = []
    while let event = try await events.next() {
      seen.append(event.kind)
      switch event.kind {
      case .error: errors += 1
      case .modeChanged: Issue.record("the mode has not changed")
      case .takeEnded(_, let result): recording = try result.get()
      default: break
      }
    }
    #expect(errors == 1)
    #expect(session.activeFormat == Self.small)
    try check(1, try #require(recording, "\(seen)"), in: Self.small)
  }

  @Test("continues after a review in the mode requested during it")
  func reviewed() async throws {
    let session = session(SessionPlan(preRoll: .zero, limit: RecordingLimit(frames: 5)))
    var events = session.events.makeAsyncIterator()
    try session.start()
    // The session receives the commands in this order.
    session.commands.send(.review)
    session.configure { $0.mode = Self.large }
    var recording: Recording?
    var isResumed = false
    while let event = try await events.next() {
      switch event.kind {
      case .progress where !isResumed && !session.isRunning:
        isResumed = true
        session.commands.send(.resume)
        session.commands.trigger(TriggerEvent(.program, at: session.now))
      case .takeEnded(_, let result): recording = try result.get()
      default: break
      }
    }
    try check(1, try #require(recording), in: Self.large)
  }

  @Test("takes a still in the large mode between two takes in the small one, and reports both gaps")
  func still() async throws {
    let session = session(SessionPlan(preRoll: .zero, limit: RecordingLimit(frames: 20), takeCount: 2))
    var events = session.events.makeAsyncIterator()
    try session.start()
    session.commands.trigger(TriggerEvent(.program, at: session.now))
    var recordings: [Int: Recording] = [:]
    var widths: [Int] = []
    var stages: [String] = []
    var still: StillOutcome?
    let outcome = Mutex<StillOutcome?>(nil)
    while let event = try await events.next() {
      switch event.kind {
      case .takeEnded(1, let result):
        recordings[1] = try result.get()
        session.commands.takeStill(in: SessionConfiguration(mode: Self.large), skipping: 2) { _, what in
          outcome.withLock { $0 = what }
        }
        // The trigger waits until the camera sends frames in the old mode again.
        session.commands.trigger(TriggerEvent(.program, at: session.now))
      case .takeEnded(let number, let result): recordings[number] = try result.get()
      case .modeChanged(let configuration, let gap):
        widths.append(configuration.frameFormat.width)
        #expect(gap > .zero)
      case .photo(let request, let stage, _):
        #expect(request.id == 1)
        stages.append(event.name)
        guard case .captured(let sequence, let frame?) = stage else { continue }
        let width = Int(Self.large.width)
        #expect(frame.bytes.count == width * Int(Self.large.height))
        #expect(frame.configuration.frameFormat.width == width)
        #expect(FrameStrip.number(inLuma: frame.bytes.span, stride: width, width: width) == sequence)
        // Two frames are skipped.
        #expect(sequence >= 2)
        still = .captured(sequence: sequence, frame.configuration)
      case .error(let error): Issue.record("\(error)")
      default: break
      }
    }
    #expect(still != nil && outcome.withLock { $0 } == still)
    #expect(widths == [Int(Self.large.width), Int(Self.small.width)])
    #expect(stages == ["photo_will_begin", "photo_will_capture", "photo_captured"])
    #expect(recordings.count == 2)
    try check(1, try #require(recordings[1]), in: Self.small)
    try check(2, try #require(recordings[2]), in: Self.small)
  }

  @Test("continues in its mode if a still's mode is refused, and takes no still while recording")
  func refusedStill() async throws {
    let session = session(SessionPlan(preRoll: .zero, limit: RecordingLimit(frames: 5)))
    let reasons = Mutex<[String]>([])
    @Sendable func ask(_ session: CaptureSession?, _ mode: Mode) {
      session?.commands.takeStill(in: SessionConfiguration(mode: mode)) { _, outcome in
        if case .failed(let reason) = outcome { reasons.withLock { $0.append(reason) } }
      }
    }
    // On the session's own thread, because it could be too late on a busy machine otherwise.
    let armed = Mutex(0)
    session.onEvent { [weak session] event in
      switch event.kind {
      case .armed:
        let count = armed.withLock { count in
          count += 1
          return count
        }
        if count == 1 {
          ask(session, Self.absent)
        } else if let session {
          session.commands.trigger(TriggerEvent(.program, at: session.now))
        }
      case .takeStarted: ask(session, Self.large)
      default: break
      }
    }
    var events = session.events.makeAsyncIterator()
    try session.start()
    var recording: Recording?
    while let event = try await events.next() {
      switch event.kind {
      case .modeChanged: Issue.record("the mode has not changed")
      case .takeEnded(_, let result): recording = try result.get()
      default: break
      }
    }
    try check(1, try #require(recording), in: Self.small)
    let told = reasons.withLock { $0 }
    #expect(told.count == 2, "\(told)")
    #expect(told.first?.contains("320x32") == true, "\(told)")
    #expect(told.last?.contains("A take is being recorded") == true, "\(told)")
  }
}
