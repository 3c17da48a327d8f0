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

/// A simulated camera, a ring and a session's writer, in a time that a test drives by hand and on one thread.
struct SessionStage: ~Copyable {
  /// A frame, or one that was lost on the way, as the ring was told of it.
  struct Arrived {
    var number: UInt32
    var timestamp: Instant
    var kind: RingRecord.Kind
  }

  /// A small picture that still holds a whole strip.
  static let (width, height) = (256, 16)
  /// What the clock stands at when the camera begins.
  static let start = Instant(nanoseconds: 1_000_000_000)

  private let clock: VirtualClock
  private var stream: SimulatedStream<VirtualClock>
  private var producer: RingProducer?
  private let writer: SessionWriter
  private let run: CaptureRun
  private let firstSequence: UInt32
  private var hearing: AudioLoop?
  private let heard: (any AudioStream)?
  let commands: SessionCommands
  private let results: Results
  /// How far the camera's clock is ahead of the triggers'.
  var clockOffset = Duration.zero
  /// All that the ring was told, in order.
  private(set) var arrived: [Arrived] = []

  /// What takes left, by number, as the threads that closed them told.
  private final class Results: Sendable {
    let all = Mutex<[Int: Result<Recording, CaptureError>]>([:])
    let told = Mutex<[SessionEvent]>([])
  }

  /// What listeners were told so far.
  var told: [SessionEvent] { results.told.withLock { $0 } }

  /// The takes that have ended, in order.
  var ended: [Result<Recording, CaptureError>] {
    writer.outputs.joinClosing()
    return results.all.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// - Parameters:
  ///   - firstSequence: what the camera calls its first frame.
  ///   - disturbance: what the session hears in place of the simulated microphone's stream.
  ///   - waitsForDisk: whether time waits for a disk that is busy, or the session goes on beside it.
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

  /// A stage whose takes become what `makeOutput` makes of them.
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
    // A test is a source that may always trigger.
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
  /// Why the session ended before its time.
  var failure: CaptureError? { writer.end?.failure }
  /// How the session stands, as other threads are told.
  var status: SessionStatus { writer.board.status }
  /// Frames in the master of the take in progress.
  var written: Int64 { status.take?.frames.written ?? 0 }

  /// Moves time on, lets the camera's frames into the ring, and, unless it stalls, the writer at them.
  mutating func advance(by duration: Duration, writerStalls: Bool = false) throws {
    clock.advance(by: duration)
    film()
    try hear()
    if !writerStalls { try write() }
  }

  /// Lets what the microphone has into its ring.
  private mutating func hear() throws {
    guard let heard else { return }
    while try hearing?.step(heard, within: .zero) == true {}
  }

  private mutating func film() {
    // Once the session has stopped the stream, nothing arrives.
    while producer != nil {
      var isEmpty = false
      do throws(OvercrankError) {
        let outcome = try stream.next(within: .zero) { frame in
          var record = RingRecord(
            kind: frame.isCorrupt ? .lostCorrupt : .frame, sequence: frame.sequence &+ firstSequence,
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
    // What is opened beside the writer is open, so that a test says alone what happens when.
    while writer.step(now: clock.now) { writer.outputs.joinOpening() }
    writer.outputs.joinOpening()
    while writer.step(now: clock.now) {}
    guard run.stop.isSet, let producer = producer.take() else { return }
    producer.close()
    while writer.step(now: clock.now) {}
    _ = writer.step(now: clock.now)
  }

  /// Ends the session as Ctrl-C does.
  mutating func stop() throws {
    commands.send(.stop)
    try write()
  }
}

/// The numbers in the strips of a master of ``SessionStage``.
func stripNumbers(inMaster path: String) throws -> [UInt32?] {
  var film = try Demuxer(FilePath(path))
  var numbers: [UInt32?] = []
  while let packet = try film.nextPacket() {
    numbers.append(
      packet.withBytes { bytes in
        let luma = [UInt8](bytes)
        return FrameStrip.number(inLuma: luma.span, stride: SessionStage.width, width: SessionStage.width)
      })
  }
  return numbers
}
