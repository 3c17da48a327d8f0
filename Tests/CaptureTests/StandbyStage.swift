import CameraModel
import Cameras
import Media
import Simulator
import SystemPackage
import Takes
import Timebase

@testable import Capture

/// A simulated camera, a ring and the writer that stands by, in a time that a test drives by hand and on one thread.
struct StandbyStage: ~Copyable {
  /// A frame, or one that was lost on the way, as the ring was told of it.
  struct Arrived {
    var number: UInt32
    var timestamp: Int64
    var kind: RingRecord.Kind
  }

  /// A small picture that still holds a whole strip.
  static let (width, height) = (256, 16)
  /// Nanoseconds that the clock stands at when the camera begins.
  static let start: Int64 = 1_000_000_000

  private let clock = HandDrivenClock(nanoseconds: Self.start)
  private var stream: SimulatedStream<HandDrivenClock>
  private var producer: RingProducer?
  private var drain: StandbyDrain
  private let firstSequence: UInt32
  let queue: TriggerQueue
  /// Nanoseconds that the camera's clock is ahead of the triggers'.
  var clockOffset: Int64 = 0
  /// All that the ring was told, in order.
  private(set) var arrived: [Arrived] = []
  /// The takes that have ended.
  private(set) var ended: [Result<Recording, CaptureError>] = []

  /// - Parameter firstSequence: what the camera calls its first frame.
  init(
    camera: String = "sim:", firstSequence: UInt32 = 0, clock frameClock: FrameClock = .monotonic,
    ring capacity: Int = 1 << 20, plan: StandbyPlan, path: @escaping (Int) -> String
  ) throws {
    let interval = FrameInterval(1, 240)
    let description = SimulatedCameraDescription(modes: [
      .init(format: .grey, width: Self.width, height: Self.height, intervals: [interval])
    ])
    let simulated = SimulatedCamera(
      description: description, faults: try SimulatedCameraAddress(text: camera).faults, clock: clock)
    let stream = try simulated.start(
      format: .grey, width: Self.width, height: Self.height, interval: interval,
      startNanoseconds: Self.start)
    var configuration = stream.configuration
    configuration.frameFormat.clock = frameClock
    let ends = try Ring.make(minimumCapacity: capacity)
    let queue = TriggerQueue()
    let format = MasterFormat(.grey)
    let drain = try StandbyDrain(
      ring: ends.consumer, configuration: configuration, plan: plan, queue: queue,
      makeMaster: { (number) throws(CaptureError) in
        guard let format else { throw .empty }
        return try MasterWriter.start(
          to: path(number), as: format, of: configuration.frameFormat, replacing: false)
      })
    self.stream = stream
    self.drain = drain
    producer = .some(ends.producer)
    self.firstSequence = firstSequence
    self.queue = queue
  }

  var now: Int64 { clock.nanoseconds }
  var isDone: Bool { drain.isDone }
  var progress: RecordingProgress { drain.progress(at: now) }

  /// Moves time on, lets the camera's frames into the ring, and, unless it stalls, the writer at them.
  mutating func advance(by nanoseconds: Int64, writerStalls: Bool = false) throws {
    clock.advance(by: nanoseconds)
    film()
    if !writerStalls { try write() }
  }

  private mutating func film() {
    while true {
      var isEmpty = false
      do throws(CameraError) {
        let outcome = try stream.next(within: 0) { frame in
          var record = RingRecord(
            kind: frame.isCorrupt ? .lostCorrupt : .frame, sequence: frame.sequence &+ firstSequence,
            timestampNanoseconds: frame.timestampNanoseconds + clockOffset)
          let bytes = frame.isCorrupt ? 0 : frame.byteCount
          let isTaken = producer?.push(record, payloadBytes: bytes) { memory in
            if bytes > 0 { frame.copyBytes(to: memory) }
          }
          if isTaken != true {
            record.kind = .lostInRing
            _ = producer?.push(record, payloadBytes: 0, fill: { _ in })
          }
          arrived.append(
            Arrived(number: record.sequence, timestamp: record.timestampNanoseconds, kind: record.kind))
        }
        if case .frame = outcome {} else { isEmpty = true }
      } catch {
        isEmpty = true
      }
      if isEmpty { return }
    }
  }

  private mutating func write() throws {
    var results: [Result<Recording, CaptureError>] = []
    while try drain.step(now: clock.nanoseconds, onEnd: { results.append(Self.close($0)) }) {
      if drain.isDone { break }
    }
    ended += results
  }

  /// Ends filming as Ctrl-C does.
  mutating func stop() throws {
    if let producer = producer.take() { producer.close() }
    try write()
    if let last = drain.endTake() { ended.append(Self.close(last)) }
  }

  private static func close(_ take: consuming TakeInProgress) -> Result<Recording, CaptureError> {
    do throws(CaptureError) { return .success(try take.finish(failure: nil)) } catch {
      return .failure(error)
    }
  }
}

/// The numbers in the strips of a master of ``StandbyStage``.
func stripNumbers(inMaster path: String) throws -> [UInt32?] {
  var film = try Demuxer(FilePath(path))
  var numbers: [UInt32?] = []
  while let packet = try film.nextPacket() {
    numbers.append(
      packet.withBytes { bytes in
        let luma = [UInt8](bytes)
        return FrameStrip.number(inLuma: luma.span, stride: StandbyStage.width, width: StandbyStage.width)
      })
  }
  return numbers
}
