package import Cameras
import Media
package import Platform
package import Timebase

/// The capture thread's work: frames from the camera into the ring.
///
/// Per frame: the camera's own three system calls, one copy, no lock, no allocation, no reference counted.
package struct CaptureLoop: ~Copyable {
  private var ring: RingProducer
  private let isJPEG: Bool
  private var clock: DriverClock
  /// A run of lost frames, reported to the writer as soon as it fits.
  private var loss: RingRecord?
  /// The last frame, not yet published, and its size in the ring; no size if it is damaged.
  private var staged: (record: RingRecord, size: Int?)?
  /// Since when no usable frame came; `nil` after one that was.
  private var drought: Drought?

  /// So many lost frames in a row are told at the latest, so that the writer hears of a camera that
  /// sends nothing but damage.
  private static let longestRun: UInt32 = 32

  /// How long one wait for a frame lasts; also how soon a stop is noticed.
  private static let wait = Duration.milliseconds(100)

  package init(ring: consuming RingProducer, configuration: StreamConfiguration) {
    self.ring = ring
    clock = DriverClock(
      configuration.frameFormat.clock,
      intervalNanoseconds: configuration.frameFormat.nominalInterval?.wholeNanoseconds ?? 0)
    isJPEG = configuration.frameFormat.pixelFormat.family == .jpeg
  }

  /// How the camera stopped sending.
  package enum End: Hashable, Sendable {
    case stopped
    case streamEnded
    /// Nothing came for so long.
    case silent
    /// Frames came, but for so long none that was whole.
    case damaged
    case failed(OvercrankError)
  }

  /// A time without a usable frame.
  private struct Drought {
    /// When it began, on the session's clock.
    var start: Instant
    /// Whether frames came that could not be used.
    var hasFrames = false
  }

  /// Captures until the stop or the camera's end.
  ///
  /// - Parameters:
  ///   - stream: the camera.
  ///   - stop: ends the capture.
  ///   - silenceLimit: how long it goes on without a usable frame.
  ///   - clock: the session's; is asked only while no usable frame comes.
  package mutating func run<Stream: CameraStream & ~Copyable>(
    _ stream: inout Stream, until stop: StopFlag, silenceLimit: Duration,
    clock: () -> Instant = { MonotonicClock.now }
  ) -> End {
    do throws(OvercrankError) { try stream.begin() } catch { return .failed(error) }
    drought = Drought(start: clock())
    while !stop.isSet {
      do throws(OvercrankError) {
        switch try stream.next(within: Self.wait, { frame in take(frame) }) {
        case .frame:
          if acceptStaged() { drought = nil } else { extendDrought(hasFrames: true, clock) }
        case .overwritten:
          loseStaged()
          extendDrought(hasFrames: true, clock)
        case .nothing: extendDrought(hasFrames: false, clock)
        case .ended: return .streamEnded
        }
      } catch {
        // A frame that was copied is whole, even where the driver then refused its buffer.
        _ = acceptStaged()
        return .failed(error)
      }
      if let drought, clock() - drought.start >= silenceLimit {
        return drought.hasFrames ? .damaged : .silent
      }
    }
    return .stopped
  }

  /// Notes that what came was no usable frame.
  private mutating func extendDrought(hasFrames: Bool, _ clock: () -> Instant) {
    var drought = drought ?? Drought(start: clock())
    drought.hasFrames = drought.hasFrames || hasFrames
    self.drought = drought
  }

  /// Tells the writer of the last losses and closes the ring.
  package consuming func finish() {
    // Losses of the driver after the last frame are not part of the take: no number shows them.
    if loss?.kind != .lostInDriver { _ = tellLoss() }
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
    guard ring.hasRoom(payloadBytes: frame.byteCount), tellLoss(),
      let size = ring.write(
        record, payloadBytes: frame.byteCount, fill: { frame.copyBytes(to: $0) })
    else {
      lose(frame.sequence, .lostInRing, time)
      return
    }
    staged = (record, size)
  }

  /// Publishes the copied frame, now that it is known to be the one that the driver lent. Returns
  /// whether it was whole; one that a full ring had no room for was, too.
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

  /// Drops the frame, because it was overwritten while it was lent.
  private mutating func loseStaged() {
    guard let (record, _) = staged else { return }
    staged = nil
    lose(record.sequence, .lostInDriver, record.timestampNanoseconds)
  }

  /// Whether the frame is whole, as far as the driver and a JPEG's two ends can tell.
  private borrowing func isWhole(_ frame: borrowing Frame) -> Bool {
    guard !frame.isCorrupt, frame.byteCount > 0 else { return false }
    guard isJPEG, let bytes = frame.contiguousBytes else { return true }
    return JPEGMarkers.haveBothEnds(bytes)
  }

  /// Adds a lost frame to the pending run, or begins another run.
  private mutating func lose(_ sequence: UInt32, _ kind: RingRecord.Kind, _ timestamp: Int64) {
    if let run = loss, run.kind == kind, run.sequence &+ run.count == sequence {
      loss?.count += 1
      // A full ring has room for few runs.
      if kind != .lostInRing, run.count >= Self.longestRun { _ = tellLoss() }
      return
    }
    if !tellLoss(), let run = loss {
      // Not even the headroom is left, after hundreds of separate runs in one full ring. What lies between
      // the runs is then told as lost here too: the count stays true, the stage is the one at fault now.
      loss?.count = sequence &- run.sequence &+ 1
      return
    }
    loss = RingRecord(kind: kind, sequence: sequence, timestampNanoseconds: timestamp)
  }

  /// Flushes the pending loss run to the ring. Returns whether none remains.
  private mutating func tellLoss() -> Bool {
    guard let run = loss else { return true }
    guard ring.push(run, payloadBytes: 0, fill: { _ in }) else { return false }
    loss = nil
    return true
  }
}
