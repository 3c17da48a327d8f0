package import Cameras
import Media
package import Platform
package import Timebase

/// The capture thread's loop: it moves frames from the camera into the ring.
///
/// Per frame: the camera's own three system calls, one copy, no lock, no allocation, no reference counting.
package struct CaptureLoop: ~Copyable {
  private var ring: RingProducer
  private let isJPEG: Bool
  private var clock: DriverClock
  /// A run of lost frames, reported to the writer as soon as it fits.
  private var loss: RingRecord?
  /// The last frame, not yet published, and its size in the ring; no size if it is damaged.
  private var staged: (record: RingRecord, size: Int?)?
  /// The current time without a usable frame; `nil` after a usable one.
  private var framelessPeriod: FramelessPeriod?

  /// The maximum length of a run of lost frames, so that the writer hears of a camera that sends only damaged
  /// ones.
  private static let longestRun: UInt32 = 32

  /// The timeout of a wait for a frame, and so the maximum delay of a stop.
  private static let wait = Duration.milliseconds(100)

  package init(ring: consuming RingProducer, configuration: StreamConfiguration) {
    self.ring = ring
    clock = DriverClock(
      configuration.frameFormat.clock,
      intervalNanoseconds: configuration.frameFormat.nominalInterval?.wholeNanoseconds ?? 0)
    isJPEG = configuration.frameFormat.pixelFormat.family == .jpeg
  }

  /// The reason why the camera stopped sending.
  package enum End: Hashable, Sendable {
    case stopped
    case streamEnded
    /// No frame came within the limit.
    case silent
    /// No intact frame came within the limit.
    case damaged
    case failed(OvercrankError)
  }

  /// A time without a usable frame.
  private struct FramelessPeriod {
    /// The start, on the session's clock.
    var start: Instant
    /// Whether unusable frames came.
    var hasFrames = false
  }

  /// Captures until `stop` is set or the camera stops.
  ///
  /// - Parameters:
  ///   - stream: The camera.
  ///   - stop: The flag that ends the capture.
  ///   - silenceLimit: The maximum time without a usable frame.
  ///   - clock: The session's clock; called only while no usable frame comes.
  package mutating func run<Stream: CameraStream & ~Copyable>(
    _ stream: inout Stream, until stop: StopFlag, silenceLimit: Duration,
    clock: () -> Instant = { MonotonicClock.now }
  ) -> End {
    do throws(OvercrankError) { try stream.begin() } catch { return .failed(error) }
    framelessPeriod = FramelessPeriod(start: clock())
    while !stop.isSet {
      do throws(OvercrankError) {
        switch try stream.next(within: Self.wait, { frame in take(frame) }) {
        case .frame:
          if acceptStaged() { framelessPeriod = nil } else { extendDrought(hasFrames: true, clock) }
        case .overwritten:
          loseStaged()
          extendDrought(hasFrames: true, clock)
        case .nothing: extendDrought(hasFrames: false, clock)
        case .ended: return .streamEnded
        }
      } catch {
        // A copied frame is intact even if the driver then fails to requeue its buffer.
        _ = acceptStaged()
        return .failed(error)
      }
      if let framelessPeriod, clock() - framelessPeriod.start >= silenceLimit {
        return framelessPeriod.hasFrames ? .damaged : .silent
      }
    }
    return .stopped
  }

  /// Starts or extends a time without a usable frame.
  private mutating func extendDrought(hasFrames: Bool, _ clock: () -> Instant) {
    var framelessPeriod = framelessPeriod ?? FramelessPeriod(start: clock())
    framelessPeriod.hasFrames = framelessPeriod.hasFrames || hasFrames
    self.framelessPeriod = framelessPeriod
  }

  /// Reports the last losses to the writer and closes the ring.
  package consuming func finish() {
    // Losses of the driver after the last frame are not part of the take, because no sequence number shows
    // them.
    if loss?.kind != .lostInDriver { _ = reportLoss() }
    ring.close()
  }

  private mutating func take(_ frame: borrowing Frame) {
    let isWhole = isWhole(frame)
    // The timestamp of a damaged frame may be damaged too.
    let (time, isReceipt) =
      isWhole
      ? clock.time(stamped: frame.timestampNanoseconds, received: frame.receivedNanoseconds)
      : (clock.time(received: frame.receivedNanoseconds), true)
    let record = RingRecord(
      kind: .frame, sequence: frame.sequence, timestampNanoseconds: time, isTimedAtDequeue: isReceipt)
    guard isWhole else {
      staged = (record, nil)
      return
    }
    guard ring.hasRoom(payloadBytes: frame.byteCount), reportLoss(),
      let size = ring.write(
        record, payloadBytes: frame.byteCount, fill: { frame.copyBytes(to: $0) })
    else {
      lose(frame.sequence, .lostInRing, time)
      return
    }
    staged = (record, size)
  }

  /// Publishes the copied frame, now that it is known not to have been overwritten. Returns whether it was
  /// intact, even if the ring had no room for it.
  private mutating func acceptStaged() -> Bool {
    guard let (record, size) = staged else { return true }
    staged = nil
    guard let size else {
      lose(record.sequence, .lostCorrupt, record.timestampNanoseconds)
      return false
    }
    ring.publish(size)
    return true
  }

  /// Counts the frame as lost, because it was overwritten while it was lent.
  private mutating func loseStaged() {
    guard let (record, _) = staged else { return }
    staged = nil
    lose(record.sequence, .lostInDriver, record.timestampNanoseconds)
  }

  /// Returns whether the frame is intact, by the driver's flag and a JPEG's two end markers.
  private borrowing func isWhole(_ frame: borrowing Frame) -> Bool {
    guard !frame.isCorrupt, frame.byteCount > 0 else { return false }
    guard isJPEG, let bytes = frame.contiguousBytes else { return true }
    return JPEGMarkers.haveBothEnds(bytes)
  }

  /// Adds a lost frame to the pending run, or starts another run.
  private mutating func lose(_ sequence: UInt32, _ kind: RingRecord.Kind, _ timestamp: Int64) {
    if let run = loss, run.kind == kind, run.sequence &+ run.count == sequence {
      loss?.count += 1
      // Runs lost to a full ring are not split, because it has little room for records.
      if kind != .lostInRing, run.count >= Self.longestRun { _ = reportLoss() }
      return
    }
    if !reportLoss(), let run = loss {
      // Not even the headroom is left, after hundreds of separate runs in one full ring. The pending run then
      // covers every frame up to this one: the total stays correct, attributed to that run's stage.
      loss?.count = sequence &- run.sequence &+ 1
      return
    }
    loss = RingRecord(kind: kind, sequence: sequence, timestampNanoseconds: timestamp)
  }

  /// Flushes the pending loss run to the ring. Returns whether none remains.
  private mutating func reportLoss() -> Bool {
    guard let run = loss else { return true }
    guard ring.push(run, payloadBytes: 0, fill: { _ in }) else { return false }
    loss = nil
    return true
  }
}
