public import CameraModel
public import Cameras
public import Platform
import Synchronization
public import Timebase

/// A camera that captures a drawn scene, at the requested rate and with the requested faults.
///
/// It behaves like a V4L2 camera: its sensor keeps running whether or not frames are dequeued, its driver has
/// a few buffers, and a frame that finds none empty leaves a gap in the sequence.
public struct SimulatedCamera<Clock: SimulationClock>: Sendable {
  /// The name in messages: `sim:NAME`.
  public let name: String
  /// The camera's modes.
  public let description: SimulatedCameraDescription
  /// The camera's faults.
  public let faults: SimulatedFaults
  /// The camera's controls, of which only a light affects its pictures.
  public let controls: HeldControls
  /// The sensor's exposure times, for a simulated microphone beside the camera.
  public let exposures = ExposureLog()
  /// The camera's clock.
  public let clock: Clock
  /// The number of starts.
  private let starts = StartCount()

  /// Creates a camera that runs on `clock`.
  public init(
    name: String = SimulatedCameraAddress.prefix, description: SimulatedCameraDescription = .default,
    faults: SimulatedFaults = SimulatedFaults(), clock: Clock
  ) {
    self.name = name
    self.description = description
    self.faults = faults
    controls = faults.light.map { HeldControls.webcam().having($0) } ?? .webcam()
    self.clock = clock
  }

  /// Prerenders this mode's frames, then starts capturing.
  ///
  /// - Parameters:
  ///   - format: The pixel format.
  ///   - width: The number of pixels in a row.
  ///   - height: The number of rows.
  ///   - interval: Seconds per frame.
  ///   - start: The start of the sensor on the camera's clock; `nil` to start it when the stream begins.
  ///     Frame 0 comes one interval later.
  ///   - controls: The states of the controls during the stream.
  ///   - isStopped: Called during drawing; if it returns `true`, the stream has no frames and ends as soon as
  ///     it begins.
  /// - Throws: `OvercrankError` with `noMode`, which names the nearest modes, if there is no such mode.
  public func start(
    format: PixelFormat, width: Int, height: Int, interval: FrameInterval, startingAt start: Instant? = nil,
    controls: [String: ControlInForce] = [:], unless isStopped: @escaping () -> Bool = { false }
  ) throws(OvercrankError) -> SimulatedStream<Clock> {
    guard description.has(format: format, width: width, height: height, interval: interval),
      let asked = interval.rate
    else { throw noMode(format, width, height, interval) }
    let rate = acceptedRate(asked, width: width, height: height)
    guard rate.framesPerSecond <= Self.fastest else {
      throw OvercrankError(
        .noMode,
        "\(name.asSubject) \(rate) fps of \(format) \(width)x\(height) is above a simulated camera's limit of a million. "
          + "Correct this rate in its table, or choose another.")
    }
    let sensorInterval = faults.sensorInterval(rate.interval)
    // Frames of a compressed stream depend on the ones before them, so their scene is lit throughout.
    let hasLight = faults.light != nil && SimulatedPicture.formats.contains(format)
    let scenes = try scenes(format, width, height, sensorInterval, isLit: !hasLight, isStopped)
    let litScenes: SimulatedScenes? =
      if hasLight { try self.scenes(format, width, height, sensorInterval, isLit: true, isStopped) } else {
        nil
      }
    let largestFrame = max(Self.largestFrame(of: scenes), Self.largestFrame(of: litScenes))
    let configuration = StreamConfiguration(
      FrameFormat(
        format, width: width, height: height,
        acceptedInterval: rate == asked ? interval : FrameInterval(rate), clock: .monotonic,
        colorimetry: Self.colorimetry(of: format)),
      largestFrame: largestFrame, bufferCount: faults.bufferCount, controls: controls)
    var faults = faults
    let failure = faults.failure?.frame(ofStart: starts.next())
    // The sensor stops at the earlier of the two.
    if let failure { faults.disconnect = min(failure, faults.disconnect ?? .max) }
    let schedule = SensorSchedule(
      startNanoseconds: (start ?? clock.now).nanoseconds, interval: rate.interval, faults: faults,
      epochNanoseconds: clock.epoch.nanoseconds)
    if start != nil { exposures.begin(schedule.timing) }
    return SimulatedStream(
      name: name, configuration: configuration, scenes: scenes, litScenes: litScenes,
      light: hasLight ? self.controls : nil, schedule: schedule, faults: faults,
      failure: failure, clock: clock, startsOnRequest: start == nil, exposures: exposures)
  }

  private static func largestFrame(of scenes: borrowing SimulatedScenes?) -> Int {
    switch scenes {
    case .some(let drawn): drawn.largestFrame
    case nil: 0
    }
  }

  /// Prerenders the scenes; `nil` if cancelled.
  private func scenes(
    _ format: PixelFormat, _ width: Int, _ height: Int, _ interval: Fraction, isLit: Bool,
    _ isStopped: @escaping () -> Bool
  ) throws(OvercrankError) -> SimulatedScenes? {
    do throws(OvercrankError) {
      var conditions = faults.conditions(interval: interval, isLit: isLit)
      let picture = try SimulatedPicture(
        format: format, width: width, height: height, huffmanTables: faults.huffmanTables,
        conditions: conditions, isStopped: isStopped)
      guard let change = faults.otherSceneBegins(interval: interval) else { return SimulatedScenes(picture) }
      conditions.isOtherScene = true
      let other = try SimulatedPicture(
        format: format, width: width, height: height, huffmanTables: faults.huffmanTables,
        conditions: conditions, isStopped: isStopped)
      return SimulatedScenes(picture, other, from: change)
    } catch {
      guard error.code == .cancelled else { throw error }
      return nil
    }
  }

  /// Masters count microseconds, and no real camera comes close to this rate.
  private static var fastest: Fraction { Fraction(1_000_000) }

  /// Returns the rate that the driver accepts for `rate`; see ``SimulatedFaults/accepted``.
  func acceptedRate(_ rate: FrameRate, width: Int, height: Int) -> FrameRate {
    faults.accepted.filter { limit in
      limit.size.map { (Int($0.width), Int($0.height)) == (width, height) } ?? true
    }.reduce(rate) { min($0, $1.rate) }
  }

  private func noMode(
    _ format: PixelFormat, _ width: Int, _ height: Int, _ interval: FrameInterval
  ) -> OvercrankError {
    let rate = interval.rate.map { "\($0)" } ?? "\(interval.denominator)/\(interval.numerator)"
    let nearest = description.nearest(format: format, width: width, height: height, interval: interval)
    return OvercrankError(
      .noMode,
      "\(name) has no mode \(format) \(width)x\(height) at \(rate) fps; "
        + (nearest.isEmpty ? "it has no modes" : "nearest: " + nearest.joined(separator: ", ")))
  }

  private static func colorimetry(of format: PixelFormat) -> Colorimetry {
    // As uvcvideo reports for most webcams, with an explicit range.
    let isFullRange = [PixelFormat.mjpeg, .jpeg, .rgb24, .bgr24, .apple420f].contains(format)
    return Colorimetry(
      colorspace: .srgb, transfer: .srgb, encoding: .bt601,
      quantization: isFullRange ? .full : .limited)
  }
}

/// A counter of a simulated camera's starts.
private final class StartCount: Sendable {
  private let count = Atomic<Int>(0)

  /// Returns the number of the next start, from 0.
  func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}

extension SimulatedCamera where Clock == SessionClock {
  /// Creates a camera that runs in real time.
  public init(
    name: String = SimulatedCameraAddress.prefix, description: SimulatedCameraDescription = .default,
    faults: SimulatedFaults = SimulatedFaults()
  ) {
    self.init(name: name, description: description, faults: faults, clock: .monotonic)
  }
}
