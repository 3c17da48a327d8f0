package import CameraModel
package import Cameras
import Platform
import Takes
public import Timebase

/// The size of a ring.
public enum RingSize: Hashable, Sendable {
  /// A number of bytes.
  case bytes(Int)
  /// Room for a number of frames.
  case frames(Int)
  /// Room for the frames of a duration.
  case duration(Duration)

  /// Reads `4s`, `250ms`, `960f`, `960frames`, `512MiB` or `2GiB`.
  public init(text: String) throws(QuantityError) {
    if let size = Self.bytes(text) ?? Self.frames(text) {
      self = size
    } else if let duration = try? Duration(text: text), text.last?.isLetter == true, duration > .zero {
      self = .duration(duration)
    } else {
      throw QuantityError(
        text, expected: "a ring size above zero, such as 4s, 960f, 960frames, 512MiB or 2GiB")
    }
  }

  private static func bytes(_ text: String) -> RingSize? {
    for (suffix, shift) in [("MiB", 20), ("GiB", 30)] where text.hasSuffix(suffix) {
      // An exabyte is more than any machine has, and leaves headroom for arithmetic.
      guard let count = Int(text.dropLast(suffix.count)), (1...1 << (60 - shift)).contains(count) else {
        return nil
      }
      return .bytes(count << shift)
    }
    return nil
  }

  private static func frames(_ text: String) -> RingSize? {
    for suffix in ["frames", "f"] where text.hasSuffix(suffix) {
      guard let count = Int(text.dropLast(suffix.count)), (1...1_000_000_000).contains(count) else {
        return nil
      }
      return .frames(count)
    }
    return nil
  }

  /// Returns the size in bytes of a ring for `frames`.
  ///
  /// Raw frames all have one size. For compressed ones, drivers state a far too large maximum; see
  /// ``Cameras/StreamConfiguration/plausibleFrame``.
  package func byteCount(for frames: FrameFormat, largestFrame: Int) -> Int {
    let least = 4 * RingLayout.recordBytes(payload: largestFrame) + RingProducer.headroom
    let number: Int
    switch self {
    case .bytes(let count): return max(count, least)
    case .frames(let count): number = count
    case .duration(let duration): number = frames.frameCount(in: duration)
    }
    let record = RingLayout.recordBytes(payload: frames.plausibleFrame(ofAtMost: largestFrame))
    let (bytes, overflow) = record.multipliedReportingOverflow(by: number)
    let (sum, overflowed) = bytes.addingReportingOverflow(RingProducer.headroom)
    return overflow || overflowed ? 1 << 60 : max(sum, least)
  }

  /// Returns the size in bytes of a ring for the configuration that a camera accepted.
  package func byteCount(for configuration: StreamConfiguration) -> Int {
    byteCount(for: configuration.frameFormat, largestFrame: configuration.largestFrame)
  }
}

extension RingSize {
  /// Returns the default size of a ring with a pre-roll of `preRoll`: that, and two seconds for stalls of the
  /// disk. Without a pre-roll, compressed frames count as half of their plausible maximum.
  ///
  /// - Parameter available: The available memory in bytes; the ring takes at most half of it, except for a
  ///   minimum of 32 MiB or four frames.
  package static func usual(
    for frames: FrameFormat, largestFrame: Int, preRoll: Duration = .zero,
    available: Int? = SystemMemory.availableBytes
  ) -> RingSize {
    let wanted = RingSize.duration(preRoll + .seconds(2))
      .byteCount(for: frames, largestFrame: largestFrame)
    let least = max(32 << 20, 4 * largestFrame)
    let share = frames.pixelFormat.family == .raw || preRoll > .zero ? wanted : wanted / 2
    let most = preRoll > .zero ? mostForPreRoll : 512 << 20
    return .bytes(max(min(share, most, (available ?? .max) / 2), least))
  }

  /// Returns the default size for the configuration that a camera accepted.
  package static func usual(
    for configuration: StreamConfiguration, preRoll: Duration = .zero,
    available: Int? = SystemMemory.availableBytes
  ) -> RingSize {
    usual(
      for: configuration.frameFormat, largestFrame: configuration.largestFrame, preRoll: preRoll,
      available: available)
  }

  /// The maximum default size of a ring with a pre-roll: 4 GiB.
  static let mostForPreRoll = 4 << 30

  /// Returns the maximum default size of a ring with a pre-roll, in bytes.
  ///
  /// - Parameter taken: The size of the ring that it replaces, in bytes.
  package static func mostBytes(
    beside taken: Int, available: Int? = SystemMemory.availableBytes
  ) -> Int {
    min(mostForPreRoll, (available ?? .max / 2).adding(clamping: taken) / 2)
  }

  /// Returns the minimum data rate of `mode` in bytes per second: exact for a raw mode, a bit per pixel for
  /// others; `nil` if its rate is unknown.
  package static func leastBytesPerSecond(of mode: Mode) -> Double? {
    guard let rate = mode.rate?.framesPerSecond.doubleValue else { return nil }
    let raw = mode.pixelFormat.flatMap(MasterFormat.init)?.codec.byteCount(
      width: Int(mode.width), height: Int(mode.height))
    return rate * (raw.map(Double.init) ?? Double(mode.width) * Double(mode.height) / 8)
  }
}

extension FrameFormat {
  /// Returns the size of a frame, or the plausible maximum of a compressed one, if the driver allows for
  /// `largest` bytes.
  ///
  /// Drivers allow for a compressed frame as if it were not compressed. A webcam's Motion JPEG takes one to
  /// three bits per pixel, so four are plenty.
  func plausibleFrame(ofAtMost largest: Int) -> Int {
    pixelFormat.family == .raw ? largest : min(largest, max(pixelCount / 2, 1 << 16))
  }

  /// Returns the number of frames in `duration`, including a partial one; at 240 fps if the rate is unknown.
  func frameCount(in duration: Duration) -> Int {
    let interval = nominalInterval.flatMap { $0 > .zero ? $0.wholeNanoseconds : nil } ?? 1_000_000_000 / 240
    return Int(duration.wholeNanoseconds / interval) + 1
  }
}

extension StreamConfiguration {
  /// The size of a frame, or the plausible maximum of a compressed one.
  var plausibleFrame: Int { frameFormat.plausibleFrame(ofAtMost: largestFrame) }

  /// Returns the bytes that an armed ring of `capacity` bytes keeps free for the frames that come while the
  /// writer sleeps: at most a quarter, but enough for the next frame, which the ring would otherwise refuse
  /// for good.
  func ringMargin(of capacity: Int) -> Int {
    let frames =
      RingLayout.recordBytes(payload: plausibleFrame) * (frameFormat.frameCount(in: .milliseconds(50)) + 1)
    let next = RingLayout.recordBytes(payload: largestFrame)
    return max(next + RingProducer.headroom, min(capacity / 4, frames + RingProducer.headroom))
  }
}

/// The number of frames that a ring holds.
public struct RingDepth: Hashable, Sendable {
  /// The size of the ring in bytes.
  public var byteCount: Int
  /// The number of frames.
  public var frames: Int
  /// The time in which the camera sends these frames; `nil` if the rate is unknown.
  public var duration: Duration?

  /// Creates the depth of a ring of `byteCount` bytes for frames of `frameBytes` each, `interval` apart.
  init(byteCount: Int, frameBytes: Int, interval: Duration?) {
    self.byteCount = byteCount
    frames = max(0, (byteCount - RingProducer.headroom) / RingLayout.recordBytes(payload: frameBytes))
    duration = interval.map { $0 * frames }
  }
}

/// A description of a ring before the first frame.
public struct RingReport: Hashable, Sendable {
  /// The depth in frames of the plausible maximum size, or of the only size.
  public let depth: RingDepth
  /// Whether all frames have the same size, so that the depth is exact.
  public let isExact: Bool
  /// The errno that explains why the memory may be swapped out; 0 if it is locked.
  public let lockErrno: Int32
  /// The longest possible pre-roll; `nil` if that is as long as requested.
  public let shorterPreRoll: Duration?

  init(_ ring: borrowing RingConsumer, _ configuration: StreamConfiguration, preRoll: Duration) {
    let interval = configuration.frameFormat.nominalInterval
    let frameBytes = configuration.plausibleFrame
    depth = RingDepth(byteCount: ring.capacity, frameBytes: frameBytes, interval: interval)
    let isExact = configuration.frameFormat.pixelFormat.family == .raw
    self.isExact = isExact
    lockErrno = ring.lockErrno
    let kept = RingDepth(
      byteCount: ring.capacity - configuration.ringMargin(of: ring.capacity), frameBytes: frameBytes,
      interval: interval)
    shorterPreRoll = kept.duration.flatMap { isExact && $0 < preRoll ? $0 : nil }
  }
}
