public import CameraModel
import Platform
public import SystemPackage
public import Takes
import Timebase

/// Whether a disk will take what a raw mode gives, and how long a ring bridges what it does not.
public struct RingForecast: Hashable, Sendable, CustomStringConvertible {
  /// Bytes per second that the mode gives.
  public let modeBytesPerSecond: Int64
  /// Bytes per second that the disk took of late.
  public let diskBytesPerSecond: Int64
  /// Bytes in the ring.
  public let ringBytes: Int

  /// A forecast from these figures.
  public init(modeBytesPerSecond: Int64, diskBytesPerSecond: Int64, ringBytes: Int) {
    self.modeBytesPerSecond = modeBytesPerSecond
    self.diskBytesPerSecond = diskBytesPerSecond
    self.ringBytes = ringBytes
  }

  /// How long it takes until the ring is full; `nil` where the disk keeps up.
  public var timeUntilFull: Duration? {
    let surplus = Double(modeBytesPerSecond) - Double(diskBytesPerSecond)
    return surplus > 0 ? .seconds(Double(ringBytes) / surplus) : nil
  }

  /// One line: both rates, and what follows.
  public var description: String {
    let rates =
      "This mode gives \(modeBytesPerSecond / 1_000_000) MB/s, the disk takes \(diskBytesPerSecond / 1_000_000) MB/s: "
    guard let seconds = timeUntilFull.map({ $0 / .seconds(1) }) else { return rates + "fits." }
    let figure = seconds < 10 ? "\((seconds * 10).rounded() / 10)" : "\(Int(clamping: seconds.rounded()))"
    return rates + "loses frames after about \(figure) s, when the ring is full."
  }
}

extension RingForecast {
  /// Below this a forecast is not worth the probe: any disk takes it.
  private static let leastBytesPerSecond: Int64 = 10_000_000

  /// The forecast for a master at `path`; `nil` for compressed modes, whose rate is not known before, for those that any
  /// disk takes, and where the disk's speed cannot be measured.
  ///
  /// Writes to the disk for up to half a second, unless that was done in the last five minutes.
  ///
  /// - Parameters:
  ///   - mode: the mode that is recorded.
  ///   - format: how its frames lie in the master.
  ///   - path: the master's path; its disk is measured.
  ///   - ring: the ring's size; `nil` for the usual one.
  ///   - preRoll: how much of the time before a trigger it keeps.
  public init?(
    _ mode: Mode, as format: MasterFormat, to path: FilePath, ring: RingSize? = nil, preRoll: Duration = .zero
  ) {
    guard let rate = mode.rate, let pixelFormat = mode.pixelFormat,
      let frame = format.codec.byteCount(width: Int(mode.width), height: Int(mode.height))
    else { return nil }
    let bytes = rate.framesPerSecond.scaling(Int64(frame))
    guard bytes >= Self.leastBytesPerSecond,
      let speed = DiskMemory().speed(
        of: path.folder,
        measure: {
          let probe = try? DiskProbe(folder: path.folder, lasting: .milliseconds(500))
          return probe.map { Int64(clamping: $0.bytesPerSecond) }
        })
    else { return nil }
    let frames = FrameFormat(
      pixelFormat, width: Int(mode.width), height: Int(mode.height), acceptedInterval: mode.interval)
    let size = ring ?? .usual(for: frames, largestFrame: frame, preRoll: preRoll)
    self.init(
      modeBytesPerSecond: bytes, diskBytesPerSecond: speed,
      ringBytes: size.byteCount(for: frames, largestFrame: frame))
  }
}

/// How a ring fills up, by what the writer sees of it ten times a second.
struct RingTrend {
  private var samples: [(time: Instant, fill: Int)] = []
  /// A second's worth: a disk's pauses are shorter, as a rule.
  private static let most = 10

  /// Enters the ring's `fill` in bytes at `time`.
  mutating func enter(_ fill: Int, at time: Instant) {
    if samples.count == Self.most { samples.removeFirst() }
    samples.append((time, fill))
  }

  /// How long it takes until a ring of `capacity` bytes is full, if it goes on like that; `nil` where it does not fill up.
  func timeUntilFull(_ capacity: Int) -> Duration? {
    guard let first = samples.first, let last = samples.last, last.time > first.time,
      // What the writer takes in one go is no trend.
      last.fill > capacity / 20, last.fill > first.fill
    else { return nil }
    let rest = Double(capacity - last.fill) / Double(last.fill - first.fill)
    // A ring that takes centuries has no other words.
    return .seconds(min(rest * ((last.time - first.time) / .seconds(1)), 1e10))
  }
}
