public import CameraModel
public import Cameras
public import Platform
import Synchronization
public import Timebase

/// A camera that films a drawn scene, as fast and as badly as it is asked to.
///
/// It behaves as a V4L2 camera does: its sensor goes on whether or not frames are taken, its driver has a few
/// buffers, and a frame that finds none empty leaves a gap in the sequence.
public struct SimulatedCamera<Clock: SimulationClock>: Sendable {
  /// What it is called in messages: `sim:NAME`.
  public let name: String
  /// The modes it has.
  public let description: SimulatedCameraDescription
  /// What goes wrong.
  public let faults: SimulatedFaults
  /// Its controls, which change nothing in its pictures.
  public let controls = HeldControls.webcam()
  /// When its sensor exposes which frame, for a simulated microphone beside it.
  public let exposures = ExposureLog()
  /// The time that it lives in.
  public let clock: Clock
  /// How often it was started.
  private let starts = StartCount()

  /// A camera that lives in the time of `clock`.
  public init(
    name: String = SimulatedCameraAddress.prefix, description: SimulatedCameraDescription = .default,
    faults: SimulatedFaults = SimulatedFaults(), clock: Clock
  ) {
    self.name = name
    self.description = description
    self.faults = faults
    self.clock = clock
  }

  /// Draws all that frames of this mode are made of, then starts filming.
  ///
  /// - Parameters:
  ///   - format: the pixel format.
  ///   - width: pixels in a row.
  ///   - height: rows.
  ///   - interval: seconds per frame.
  ///   - start: When the sensor starts, on the camera's clock; `nil` for when the stream
  ///     is told to begin. Frame 0 comes one interval later.
  ///   - controls: how its controls stand meanwhile.
  ///   - isStopped: is asked while it draws. Where it says so, the stream has no frames, and ends as soon as it begins.
  /// - Throws: `OvercrankError` with `noMode`, which names the nearest modes, where there is no such mode.
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
        "\(name.asSubject) \(rate) fps of \(format) \(width)x\(height) is more than the million that a simulated camera makes at most. "
          + "Correct this rate in its table, or name another.")
    }
    let sensorInterval = faults.sensorInterval(rate.interval)
    let scenes = try scenes(format, width, height, sensorInterval, isStopped)
    let largestFrame =
      switch scenes {
      case .some(let drawn): drawn.largestFrame
      case nil: 0
      }
    let configuration = StreamConfiguration(
      FrameFormat(
        format, width: width, height: height,
        acceptedInterval: rate == asked ? interval : FrameInterval(rate), clock: .monotonic,
        colorimetry: Self.colorimetry(of: format)),
      largestFrame: largestFrame, bufferCount: faults.bufferCount, controls: controls)
    var faults = faults
    let failure = faults.failure?.frame(ofStart: starts.next())
    // The sensor ends where either happens first.
    if let failure { faults.disconnect = min(failure, faults.disconnect ?? .max) }
    let schedule = SensorSchedule(
      startNanoseconds: (start ?? clock.now).nanoseconds, interval: rate.interval, faults: faults)
    if start != nil { exposures.begin(schedule.timing) }
    return SimulatedStream(
      name: name, configuration: configuration, scenes: scenes, schedule: schedule, faults: faults,
      failure: failure, clock: clock, startsWhenAsked: start == nil, exposures: exposures)
  }

  /// Draws what the sensor sees; `nil` where it was stopped.
  private func scenes(
    _ format: PixelFormat, _ width: Int, _ height: Int, _ interval: Fraction,
    _ isStopped: @escaping () -> Bool
  ) throws(OvercrankError) -> SimulatedScenes? {
    do throws(OvercrankError) {
      var conditions = faults.conditions(interval: interval)
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

  /// Times are microseconds in masters, and no camera is near it.
  private static var fastest: Fraction { Fraction(1_000_000) }

  /// What the driver makes of `rate`; see ``SimulatedFaults/accepted``.
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
        + (nearest.isEmpty ? "it has none at all" : "nearest: " + nearest.joined(separator: ", ")))
  }

  private static func colorimetry(of format: PixelFormat) -> Colorimetry {
    // What uvcvideo says of most webcams, with the range spelt out.
    let isFullRange = [.mjpeg, .jpeg, .rgb24, .bgr24].contains(format)
    return Colorimetry(
      colorspace: .srgb, transfer: .srgb, encoding: .bt601,
      quantization: isFullRange ? .full : .limited)
  }
}

/// How often a simulated camera was started.
private final class StartCount: Sendable {
  private let count = Atomic<Int>(0)

  /// The number of the next start, from 0.
  func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}

extension SimulatedCamera where Clock == SessionClock {
  /// A camera that lives in real time.
  public init(
    name: String = SimulatedCameraAddress.prefix, description: SimulatedCameraDescription = .default,
    faults: SimulatedFaults = SimulatedFaults()
  ) {
    self.init(name: name, description: description, faults: faults, clock: .monotonic)
  }
}
