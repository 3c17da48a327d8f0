import CameraModel
import Cameras
import Media
import Microphones
import Platform
import Simulator
import Synchronization
import SystemPackage
import Takes
import Timebase

@testable import Capture

/// A simulated camera, a ring and a session's writer, on one thread and in a time that the test advances.
struct SessionStage: ~Copyable {
  /// A frame, or a lost one, as recorded in the ring.
  struct Arrived {
    var number: UInt32
    var timestamp: Instant
    var kind: RingRecord.Kind
  }

  /// The size of the picture, which is just large enough for a strip.
  static let (width, height) = (256, 16)
  /// The time at which the camera starts.
  static let start = Instant(nanoseconds: 1_000_000_000)

  private let clock: VirtualClock
  private var stream: SimulatedStream<VirtualClock>
  private var producer: RingProducer?
  private let writer: SessionWriter
  private let run: CaptureRun
  private let firstSequence: UInt32
  /// The frame to which the camera gives the number of the one before it.
  var repeating: UInt32?
  private var hearing: AudioLoop?
  private let heard: (any AudioStream)?
  let commands: SessionCommands
  private let results: Results
  /// The lead of the camera's clock over that of the triggers.
  var clockOffset = Duration.zero
  /// Everything that was put into the ring, in order.
  private(set) var arrived: [Arrived] = []

  /// The results of takes, by number, and all events, as the session's threads report them.
  private final class Results: Sendable {
    let all = Mutex<[Int: Result<Recording, CaptureError>]>([:])
    let told = Mutex<[SessionEvent]>([])
  }

  /// The events that listeners have received so far.
  var told: [SessionEvent] { results.told.withLock { $0 } }

  /// The takes that have ended, in order.
  var ended: [Result<Recording, CaptureError>] {
    writer.outputs.joinClosing()
    return results.all.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// - Parameters:
  ///   - firstSequence: the sequence number of the camera's first frame.
  ///   - disturbance: wraps the simulated microphone's stream for the session.
  ///   - waitsForDisk: whether time waits for a busy disk, or the session continues meanwhile.
  init(
    camera: String = "sim:", firstSequence: UInt32 = 0, clock frameClock: FrameClock = .monotonic,
    ring capacity: Int = 1 << 20, interval: FrameInterval = FrameInterval(1, 240),
    microphone: String? = nil, through disturbance: (any AudioStream) -> any AudioStream = { $0 },
    plan: SessionPlan, taps: [FrameTap] = [], waitsForDisk: Bool = true, sizeLimit: Int64? = nil,
    path: @escaping @Sendable (Int) -> String
  ) throws {
    let format = MasterFormat(.grey)
    try self.init(
      camera: camera, firstSequence: firstSequence, clock: frameClock, ring: capacity, interval: interval,
      microphone: microphone, through: disturbance, plan: plan, taps: taps, waitsForDisk: waitsForDisk
    ) { (take) throws(CaptureError) in
      guard let format else { throw .empty }
      do throws(OvercrankError) {
        return try MasterWriter(
          to: FilePath(path(take.number)), as: format, of: take.configuration.frameFormat,
          replacing: false,
          audio: take.audio, sizeLimit: sizeLimit)
      } catch {
        throw .master(error)
      }
    }
  }

  /// Creates a stage whose takes are written to the outputs of `makeOutput`.
  init(
    camera: String = "sim:", firstSequence: UInt32 = 0, clock frameClock: FrameClock = .monotonic,
    ring capacity: Int = 1 << 20, interval: FrameInterval = FrameInterval(1, 240),
    microphone: String? = nil, through disturbance: (any AudioStream) -> any AudioStream = { $0 },
    plan: SessionPlan, taps: [FrameTap] = [], waitsForDisk: Bool = false,
    makeOutput: @escaping MakeTakeOutput
  ) throws {
    let clock = VirtualClock(at: Self.start)
    let description = SimulatedCameraDescription(modes: [
      .init(format: .grey, width: Self.width, height: Self.height, intervals: [interval])
    ])
    let simulated = SimulatedCamera(
      description: description, faults: try SimulatedCameraAddress(text: camera).faults, clock: clock)
    let stream = try simulated.start(
      format: .grey, width: Self.width, height: Self.height, interval: interval,
      startingAt: Self.start)
    var configuration = stream.configuration
    configuration.frameFormat.clock = frameClock
    let ends = try Ring.make(minimumCapacity: capacity)
    let setup = SessionSetup(
      CaptureSource(name: camera, clock: waitsForDisk ? .virtual(clock) : .monotonic) {
        (mode) throws(OvercrankError) in try simulated.start(mode)
      },
      SessionConfiguration(
        mode: Mode(
          fourcc: "GREY", width: UInt32(Self.width), height: UInt32(Self.height), interval: interval)),
      plan,
      makeOutput: makeOutput)
    let commands = SessionCommands()
    // A test is a source that can always trigger.
    commands.sourceBegan()
    let (teller, results) = (EventBroadcaster(), Results())
    teller.listen { event in
      results.told.withLock { $0.append(event) }
      if case .takeEnded(let number, let result) = event.kind {
        results.all.withLock { $0[number] = result }
      }
    }
    let run = CaptureRun(ring: ends.consumer, configuration)
    let shown = TapList<FrameTap>()
    for tap in taps { shown.add(tap) }
    let writer = SessionWriter(setup, commands: commands, events: teller, taps: shown)
    let heard = try microphone.map { address in
      disturbance(
        SimulatedMicrophone(
          name: address, faults: try SimulatedMicrophoneFaults(address: address),
          hearing: simulated.exposures, clock: clock
        ).start())
    }
    var audio: AudioRun?
    var hearing: AudioLoop?
    if let heard {
      let ends = try Ring.make(minimumCapacity: AudioRun.ringBytes(for: heard.format, .seconds(10)))
      audio = AudioRun(
        ring: ends.consumer, AudioInput(device: microphone ?? "", format: heard.format))
      hearing = .some(AudioLoop(ends.producer, heard.format))
      try heard.begin()
    }
    try writer.begin(run, audio, at: Self.start)
    self.commands = commands
    self.results = results
    self.writer = writer
    self.run = run
    self.clock = clock
    self.stream = stream
    producer = .some(ends.producer)
    self.firstSequence = firstSequence
    self.heard = heard
    self.hearing = hearing
  }

  var now: Instant { clock.now }
  var isDone: Bool { writer.end != nil }
  /// The reason why the session ended early.
  var failure: CaptureError? { writer.end?.failure }
  /// The session's status, as other threads see it.
  var status: SessionStatus { writer.board.status }
  /// The number of frames in the master of the current take.
  var written: Int64 { status.take?.frames.written ?? 0 }

  /// Advances the time, puts the camera's frames into the ring, and runs the writer unless it stalls.
  mutating func advance(by duration: Duration, writerStalls: Bool = false) throws {
    clock.advance(by: duration)
    record()
    try hear()
    if !writerStalls { try write() }
  }

  /// Moves the microphone's samples into its ring.
  private mutating func hear() throws {
    guard let heard else { return }
    while try hearing?.step(heard, within: .zero) == true {}
  }

  private mutating func record() {
    // Once the session has stopped the stream, nothing arrives.
    while producer != nil {
      var isEmpty = false
      do throws(OvercrankError) {
        let outcome = try stream.next(within: .zero) { frame in
          var record = RingRecord(
            kind: frame.isCorrupt ? .lostCorrupt : .frame,
            sequence: frame.sequence &+ firstSequence &- (frame.sequence == repeating ? 1 : 0),
            timestampNanoseconds: frame.timestampNanoseconds + clockOffset.wholeNanoseconds)
          let bytes = frame.isCorrupt ? 0 : frame.byteCount
          let isTaken = producer?.push(record, payloadBytes: bytes) { memory in
            if bytes > 0 { frame.copyBytes(to: memory) }
          }
          if isTaken != true {
            record.kind = .lostInRing
            _ = producer?.push(record, payloadBytes: 0, fill: { _ in })
          }
          arrived.append(
            Arrived(number: record.sequence, timestamp: record.timestamp, kind: record.kind))
        }
        if case .frame = outcome {} else { isEmpty = true }
      } catch {
        isEmpty = true
      }
      if isEmpty { return }
    }
  }

  private mutating func write() throws {
    // Wait for outputs that open on other threads, so that only the test decides the order.
    while writer.step(now: clock.now) { writer.outputs.joinOpening() }
    writer.outputs.joinOpening()
    while writer.step(now: clock.now) {}
    guard run.stop.isSet, let producer = producer.take() else { return }
    producer.close()
    while writer.step(now: clock.now) {}
    _ = writer.step(now: clock.now)
  }

  /// Stops the session as Ctrl-C does.
  mutating func stop() throws {
    commands.send(.stop)
    try write()
  }
}

/// Returns the numbers in the strips of a master of ``SessionStage``.
func stripNumbers(inMaster path: String) throws -> [UInt32?] {
  var video = try Demuxer(FilePath(path))
  var numbers: [UInt32?] = []
  while let packet = try video.nextPacket() {
    numbers.append(
      packet.withBytes { bytes in
        let luma = [UInt8](bytes)
        return FrameStrip.number(inLuma: luma.span, stride: SessionStage.width, width: SessionStage.width)
      })
  }
  return numbers
}
