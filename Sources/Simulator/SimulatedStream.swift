import CameraModel
public import Cameras
public import Platform
import Timebase

/// A running simulated camera.
public struct SimulatedStream<Clock: SimulationClock>: ~Copyable, CameraStream, @unchecked Sendable {
  // Unchecked: it is the only owner of its memory, and taking a frame requires exclusive access.

  /// The configuration that the camera accepted.
  public let configuration: StreamConfiguration
  private let name: String
  private let isRaw: Bool
  private let faults: SimulatedFaults
  /// The frame before which the driver fails; `nil` if it does not.
  private let failure: Int64?
  private let corruptNoise: FrameNoise
  private let flaggedNoise: FrameNoise
  private let clock: Clock
  /// The pictures; `nil` if drawing was cancelled, so that no frame comes.
  private var scenes: SimulatedScenes?
  /// The pictures while the camera's light is on; `nil` if they are the same.
  private var litScenes: SimulatedScenes?
  /// The controls with the camera's light; `nil` if it has none.
  private let light: HeldControls?
  private var schedule: SensorSchedule
  private let plane: FrameMemory
  private let startsOnRequest: Bool
  private let exposures: ExposureLog

  init(
    name: String, configuration: StreamConfiguration, scenes: consuming SimulatedScenes?,
    litScenes: consuming SimulatedScenes?, light: HeldControls?, schedule: SensorSchedule,
    faults: SimulatedFaults, failure: Int64?, clock: Clock, startsOnRequest: Bool,
    exposures: ExposureLog
  ) {
    self.exposures = exposures
    self.startsOnRequest = startsOnRequest
    self.name = name
    self.configuration = configuration
    self.isRaw = configuration.frameFormat.pixelFormat.family == .raw
    self.faults = faults
    self.corruptNoise = FrameNoise(seed: faults.seed, stream: 3)
    self.flaggedNoise = FrameNoise(seed: faults.seed, stream: 4)
    self.clock = clock
    self.scenes = scenes
    self.litScenes = litScenes
    self.light = light
    self.failure = failure
    self.schedule = schedule
    self.plane = FrameMemory(count: MemoryLayout<FramePlane>.stride)
  }

  /// Starts the sensor, unless it has a fixed start time.
  public mutating func begin() {
    guard startsOnRequest else { return }
    schedule.restart(at: clock.now.nanoseconds)
    exposures.begin(schedule.timing)
  }

  /// Waits at most `timeout` for the next frame, composes it and lends it to `body`.
  ///
  /// Frames that were exposed before the camera is unplugged are still delivered.
  ///
  /// - Throws: `OvercrankError` with `disconnected` once the camera is unplugged, and `failed` once its
  ///   driver fails.
  public mutating func next(
    within timeout: Duration, _ body: (borrowing Frame) -> Void
  ) throws(OvercrankError) -> Arrival {
    guard scenes != nil else { return .ended }
    let deadline = clock.now + timeout
    while true {
      let now = clock.now
      schedule.advance(to: now.nanoseconds)
      if let exposure = schedule.dequeue() {
        lend(exposure, body)
        schedule.requeue(at: clock.now.nanoseconds)
        return .frame
      }
      if schedule.isDisconnected(at: now.nanoseconds) {
        if failure == faults.disconnect {
          throw OvercrankError(
            .failed, "\(name.asSubject) its driver failed during the capture, as requested by fail=.")
        }
        throw OvercrankError(
          .disconnected, "\(name) was unplugged during the capture, as requested by disconnect=.")
      }
      guard now < deadline else { return .nothing }
      clock.wait(until: min(deadline, Instant(nanoseconds: schedule.nextExposureNanoseconds)))
    }
  }

  /// Stops capturing; nothing has to be restored.
  public consuming func stop() {}

  private mutating func lend(_ exposure: Exposure, _ body: (borrowing Frame) -> Void) {
    let number = UInt32(truncatingIfNeeded: exposure.number)
    let isLit = light?.isLit == true
    let composed: UnsafeRawBufferPointer?
    if schedule.hasFlashes {
      let white = schedule.flashedRows(of: exposure.number, height: configuration.frameFormat.height)
      composed = isLit ? litScenes?.compose(number, white: white) : scenes?.compose(number, white: white)
    } else {
      // No array is made, and none is released: this is the capture thread.
      composed = isLit ? litScenes?.compose(number, white: []) : scenes?.compose(number, white: [])
    }
    guard let whole = composed, let header = scenes?.headerByteCount else {
      return
    }
    var byteCount = whole.count
    if faults.corrupt.contains(exposure.number, noise: corruptNoise) {
      byteCount = (header + whole.count) / 2
    }
    // A V4L2 camera itself detects an uncompressed frame that is too short.
    let isShort = isRaw && byteCount < whole.count
    let isFlagged = faults.flagged.contains(exposure.number, noise: flaggedNoise)
    guard let base = whole.baseAddress else { return }
    let planes = plane.base.initializeMemory(
      as: FramePlane.self, to: FramePlane(base: base, rows: 1, rowBytes: byteCount, stride: byteCount))
    body(
      Frame(
        sequence: number, timestampNanoseconds: exposure.timestampNanoseconds,
        receivedNanoseconds: clock.now.nanoseconds,
        isCorrupt: isShort || isFlagged,
        planes: UnsafeBufferPointer(start: planes, count: 1)))
  }
}

/// Memory that is allocated once and freed with its owner.
struct FrameMemory: ~Copyable {
  /// The address of the first byte.
  let base: UnsafeMutableRawPointer

  /// Allocates `count` zeroed bytes, aligned to 64 bytes.
  init(count: Int) {
    base = .allocate(byteCount: count, alignment: 64)
    base.initializeMemory(as: UInt8.self, repeating: 0, count: count)
  }

  deinit { base.deallocate() }
}
