public import CameraModel
import Platform
public import SystemPackage
public import Takes
import Timebase

/// A forecast of whether a disk can take a raw mode's data, and how long a ring can absorb the excess.
public struct RingForecast: Hashable, Sendable, CustomStringConvertible {
  /// The mode's data rate in bytes per second.
  public let modeBytesPerSecond: Int64
  /// The disk's recently measured speed in bytes per second.
  public let diskBytesPerSecond: Int64
  /// The size of the ring in bytes.
  public let ringBytes: Int
  /// The number of cameras that write to the disk at once.
  public private(set) var cameraCount = 1

  /// Creates a forecast from these figures.
  public init(modeBytesPerSecond: Int64, diskBytesPerSecond: Int64, ringBytes: Int) {
    self.modeBytesPerSecond = modeBytesPerSecond
    self.diskBytesPerSecond = diskBytesPerSecond
    self.ringBytes = ringBytes
  }

  /// Creates the forecast for cameras that write to one disk at once, each into a ring of its own; `nil` if
  /// there are none.
  package init?(together forecasts: [RingForecast]) {
    guard let speed = forecasts.map(\.diskBytesPerSecond).min() else { return nil }
    let bytes = forecasts.reduce(Int64(0)) { $0.adding(clamping: $1.modeBytesPerSecond) }
    // The disk serves each camera according to its rate, so the ring that holds the shortest time fills first.
    let depth = forecasts.map { Double($0.ringBytes) / Double(max(1, $0.modeBytesPerSecond)) }.min() ?? 0
    self.init(
      modeBytesPerSecond: bytes, diskBytesPerSecond: speed, ringBytes: Int(clamping: depth * Double(bytes)))
    cameraCount = forecasts.reduce(0) { $0 + $1.cameraCount }
  }

  /// The time until the ring is full; `nil` if the disk keeps up.
  public var timeUntilFull: Duration? {
    let surplus = Double(modeBytesPerSecond) - Double(diskBytesPerSecond)
    return surplus > 0 ? .seconds(Double(ringBytes) / surplus) : nil
  }

  /// Returns whether a recording that ends after `duration`, or at any time, may fill the ring.
  public func concerns(_ duration: Duration?) -> Bool {
    guard let timeUntilFull else { return true }
    return duration.map { timeUntilFull < $0 } ?? true
  }

  /// A line with both rates and the conclusion.
  public var description: String {
    let rates =
      (cameraCount == 1 ? "This mode delivers " : "The modes of \(cameraCount) cameras deliver ")
      + "\(modeBytesPerSecond / 1_000_000) MB/s, and the disk writes "
      + "\(diskBytesPerSecond / 1_000_000) MB/s: "
    guard let seconds = timeUntilFull.map({ $0 / .seconds(1) }) else { return rates + "it keeps up." }
    let figure = seconds < 10 ? "\((seconds * 10).rounded() / 10)" : "\(Int(clamping: seconds.rounded()))"
    return rates
      + "frames would be lost after about \(figure) s, when \(cameraCount == 1 ? "the" : "a") ring is full."
  }
}

extension RingForecast {
  /// The lowest data rate worth a forecast, in bytes per second; any disk takes less.
  private static let leastBytesPerSecond: Int64 = 10_000_000

  /// Creates the forecast for a master at `path`; `nil` for compressed modes, whose data rate is not known in
  /// advance, for data rates that any disk takes, and if the disk's speed cannot be measured.
  ///
  /// Writes to the disk for up to half a second, unless its speed was measured in the last five minutes.
  ///
  /// - Parameters:
  ///   - mode: The mode to record.
  ///   - format: The format of its frames in the master.
  ///   - path: The master's path; its disk is measured.
  ///   - ring: The ring's size; `nil` for the default.
  ///   - preRoll: The length of the pre-roll.
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

/// The trend of a ring's fill, as the writer samples it ten times a second.
struct RingTrend {
  private var samples: [(time: Instant, fill: Int)] = []
  /// The samples of a second; disks usually stall for less.
  private static let most = 10

  /// Adds the ring's `fill` in bytes at `time`.
  mutating func enter(_ fill: Int, at time: Instant) {
    if samples.count == Self.most { samples.removeFirst() }
    samples.append((time, fill))
  }

  /// Returns the time until a ring of `capacity` bytes is full at the current trend; `nil` if it is not
  /// filling up.
  func timeUntilFull(_ capacity: Int) -> Duration? {
    guard let first = samples.first, let last = samples.last, last.time > first.time,
      // A fill that the writer takes in one go is not a trend.
      last.fill > capacity / 20, last.fill > first.fill
    else { return nil }
    let rest = Double(capacity - last.fill) / Double(last.fill - first.fill)
    // Longer times are meaningless, and could overflow.
    return .seconds(min(rest * ((last.time - first.time) / .seconds(1)), 1e10))
  }
}
