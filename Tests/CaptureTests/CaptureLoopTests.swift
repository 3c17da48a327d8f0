import Platform
import CameraModel
import Cameras
import Testing
import Timebase

@testable import Capture

/// A stream of scripted frames, without a clock.
struct ScriptedStream: ~Copyable, CameraStream, @unchecked Sendable {
  struct Shot {
    var sequence: UInt32
    var timestamp: Int64
    var bytes: Int = 100
    var isCorrupt = false
    var isOverwritten = false
    var received: Int64?
  }

  let configuration = StreamConfiguration(
    FrameFormat(
      .grey, width: 10, height: 10, acceptedInterval: FrameInterval(1, 100_000_000), clock: .monotonic),
    largestFrame: 100, bufferCount: 4)
  var shots: [Shot?]
  var end: Result<Arrival, OvercrankError> = .success(.ended)
  private var place = 0
  private let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 64)

  init(_ shots: [Shot?], end: Result<Arrival, OvercrankError> = .success(.ended)) {
    self.shots = shots
    self.end = end
  }

  mutating func begin() throws(OvercrankError) {}

  mutating func next(
    within timeout: Duration, _ body: (borrowing Frame) -> Void
  ) throws(OvercrankError) -> Arrival {
    guard place < shots.count else { return try end.get() }
    defer { place += 1 }
    guard let shot = shots[place] else { return .nothing }
    let plane = FramePlane(base: memory, rows: 1, rowBytes: shot.bytes, stride: shot.bytes)
    withUnsafePointer(to: plane) { pointer in
      body(
        Frame(
          sequence: shot.sequence, timestampNanoseconds: shot.timestamp,
          receivedNanoseconds: shot.received, isCorrupt: shot.isCorrupt,
          planes: UnsafeBufferPointer(start: pointer, count: 1)))
    }
    return shot.isOverwritten ? .overwritten : .frame
  }

  consuming func stop() throws(OvercrankError) {}
  deinit { memory.deallocate() }
}

@Suite("The capture loop")
struct CaptureLoopTests {
  /// Returns the records that the writer would see, and how the loop ended.
  private func record(
    _ shots: [ScriptedStream.Shot?], ring capacity: Int = 1 << 20,
    end: Result<Arrival, OvercrankError> = .success(.ended), silence: Duration = .seconds(1),
    lookDuration: Duration = .milliseconds(50), isReadBeforeItsEnd: Bool = false
  ) throws -> (records: [RingRecord], end: CaptureLoop.End) {
    let ends = try Ring.make(minimumCapacity: capacity)
    var consumer = ends.consumer
    var stream = ScriptedStream(shots, end: end)
    var loop = CaptureLoop(ring: ends.producer, configuration: stream.configuration)
    var now = Instant(nanoseconds: 0)
    let how = loop.run(&stream, until: StopFlag(), silenceLimit: silence) {
      now += lookDuration
      return now
    }
    var records: [RingRecord] = []
    if isReadBeforeItsEnd { while consumer.pop({ record, _ in records.append(record) }) != nil {} }
    loop.finish()
    while consumer.pop({ record, _ in records.append(record) }) != nil {}
    let isClosed = consumer.isClosed
    #expect(isClosed)
    return (records, how)
  }

  private func shots(_ range: Range<UInt32>, bytes: Int = 100) -> [ScriptedStream.Shot] {
    range.map { .init(sequence: $0, timestamp: Int64($0) * 10, bytes: bytes) }
  }

  @Test("passes every frame to the writer with its number and time")
  func plain() throws {
    let (records, end) = try record(shots(0..<50))
    #expect(records.map(\.sequence) == Array(0..<50))
    #expect(records.map(\.timestampNanoseconds) == (0..<50).map { $0 * 10 })
    #expect(end == .streamEnded)
  }

  @Test("reports damaged frames as they arrive, and ends if all frames are damaged for too long")
  func damage() throws {
    var all = shots(0..<2000)
    for index in all.indices {
      // 100 frames a second.
      all[index].timestamp *= 1_000_000
      all[index].received = all[index].timestamp
      all[index].isCorrupt = index != 50
    }
    let (records, end) = try record(all, silence: .seconds(10), lookDuration: .milliseconds(10))
    #expect(end == .damaged)
    #expect(records.filter { $0.kind == .frame }.map(\.sequence) == [50])
    // The last whole frame came at half a second, and the limit is reached after another 1000 frames.
    #expect(records.map { $0.kind == .frame ? 1 : $0.count }.reduce(0, +) == 1051)
    #expect(records.allSatisfy { $0.count <= 33 })
    #expect(zip(records, records.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
  }

  @Test("counts an overwritten frame as lost in the driver, even if it looks damaged")
  func overwritten() throws {
    var all = shots(0..<9)
    for index in [3, 5] { all[index].isOverwritten = true }
    for index in [5, 7] { all[index].isCorrupt = true }
    let (records, _) = try record(all)
    #expect(records.map(\.sequence) == Array(0..<9))
    let kinds: [UInt32: RingRecord.Kind] = [3: .lostInDriver, 5: .lostInDriver, 7: .lostCorrupt]
    #expect(records.map(\.kind) == (0..<9).map { kinds[$0] ?? .frame })
  }

  @Test("keeps the frames' times if the driver's clock is set back or forward", arguments: [-1, 1])
  func step(_ hours: Int64) throws {
    var all = shots(0..<50)
    for index in all.indices {
      // Whole milliseconds, because a driver's clock cannot tell times apart within a microsecond.
      all[index].timestamp *= 1_000_000
      all[index].received = all[index].timestamp
      if index >= 10 { all[index].timestamp += hours * 3_600_000_000_000 }
    }
    all[5].isCorrupt = true
    all[5].timestamp = 1 << 62
    let (records, _) = try record(all)
    #expect(records.map(\.sequence) == Array(0..<50))
    #expect(records.map(\.timestampNanoseconds) == (0..<50).map { $0 * 10_000_000 })
    #expect(records.map(\.isTimedAtDequeue) == (0..<50).map { $0 >= 10 })
  }

  @Test("loses a frame that is larger than the ring, but not those around it")
  func huge() throws {
    var all = shots(0..<9)
    all[4].bytes = 1 << 20
    let (records, _) = try record(all, ring: 1 << 16)
    #expect(records.map(\.sequence) == Array(0..<9))
    #expect(records.map(\.kind) == (0..<9).map { $0 == 4 ? .lostInRing : .frame })
  }

  @Test("loses the newest frames if the ring is full, and reports exactly which")
  func fullRing() throws {
    let (records, _) = try record(shots(0..<100, bytes: 4000), ring: 1 << 16)
    #expect(records.filter { $0.kind == .frame }.map(\.sequence) == Array(0..<12))
    #expect(records.last == RingRecord(kind: .lostInRing, sequence: 12, count: 88, timestampNanoseconds: 120))
  }

  @Test("keeps the order and stages of different losses if the ring is full")
  func mixedLosses() throws {
    var all = shots(0..<40, bytes: 4000)
    all[20].isCorrupt = true
    let (records, _) = try record(all, ring: 1 << 16)
    #expect(
      records.filter { $0.kind != .frame }.map { [UInt32($0.kind.rawValue), $0.sequence, $0.count] } == [
        [1, 12, 8], [2, 20, 1], [1, 21, 19],
      ])
  }

  @Test("counts each lost frame once, even if there are too many runs of losses for the full ring")
  func manyRuns() throws {
    var all = shots(0..<1000, bytes: 4000)
    for index in all.indices where index.isMultiple(of: 2) { all[index].isCorrupt = index >= 12 }
    let (records, _) = try record(all, ring: 1 << 16, isReadBeforeItsEnd: true)
    #expect(records.prefix(12).map(\.kind) == Array(repeating: .frame, count: 12))
    // No gap, and no frame twice.
    #expect(zip(records, records.dropFirst()).allSatisfy { $0.sequence + $0.count == $1.sequence })
    let last = try #require(records.last)
    #expect(last.sequence + last.count == 1000)
    // The headroom is 256 records of one cache line each.
    #expect(records.count == 12 + 256 + 1)
    #expect(records.dropFirst(12).dropLast().allSatisfy { $0.count == 1 })
    #expect(last.kind == .lostCorrupt)
  }

  @Test("ends after silence, but not after a shorter pause")
  func silence() throws {
    let pause: [ScriptedStream.Shot?] = Array(repeating: nil, count: 5)
    let (records, end) = try record(
      shots(0..<5) + pause + shots(5..<10) + Array(repeating: nil, count: 100), silence: .milliseconds(700))
    #expect(records.count == 10)
    #expect(end == .silent)
  }

  @Test("does not end at a burst of empty waits that takes no time")
  func burst() throws {
    let burst: [ScriptedStream.Shot?] = Array(repeating: nil, count: 1000)
    let (records, end) = try record(
      shots(0..<5) + burst + shots(5..<10), silence: .milliseconds(100), lookDuration: .microseconds(1))
    #expect(records.count == 10)
    #expect(end == .streamEnded)
  }

  @Test("ends if no undamaged frame arrives for too long", arguments: [false, true])
  func damaged(isOverwritten: Bool) throws {
    var all = shots(0..<100)
    for index in 5..<100 {
      if isOverwritten { all[index].isOverwritten = true } else { all[index].isCorrupt = true }
    }
    let (records, end) = try record(all, silence: .milliseconds(700))
    #expect(records.count { $0.kind == .frame } == 5)
    #expect(end == .damaged)
  }

  @Test("does not count a full ring as silence")
  func fullRingIsNoSilence() throws {
    let (_, end) = try record(shots(0..<100, bytes: 4000), ring: 1 << 16, silence: .milliseconds(1))
    #expect(end == .streamEnded)
  }

  @Test("keeps the frames before a camera's failure")
  func failure() throws {
    let gone = OvercrankError(.disconnected, "gone")
    let (records, end) = try record(shots(0..<5), end: .failure(gone))
    #expect(records.count == 5)
    #expect(end == .failed(gone))
  }
}
