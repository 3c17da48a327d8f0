package import CameraModel
package import Cameras
import Platform
import Takes
public import Timebase

/// How large a ring is to be.
public enum RingSize: Hashable, Sendable {
  /// This many bytes.
  case bytes(Int)
  /// Room for this many frames.
  case frames(Int)
  /// Room for the frames of this time.
  case duration(Duration)

  /// Reads `4s`, `250ms`, `960f`, `960frames`, `512MiB` or `2GiB`.
  public init(text: String) throws(QuantityError) {
    if let size = Self.bytes(text) ?? Self.frames(text) {
      self = size
    } else if let duration = try? Duration(text: text), text.last?.isLetter == true, duration > .zero {
      self = .duration(duration)
    } else {
      throw QuantityError(
        text, expected: "a ring's size of more than nothing, such as 4s, 960f, 960frames, 512MiB or 2GiB")
    }
  }

  private static func bytes(_ text: String) -> RingSize? {
    for (suffix, shift) in [("MiB", 20), ("GiB", 30)] where text.hasSuffix(suffix) {
      // An exabyte is more than any machine has, and leaves room to reckon with.
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

  /// The bytes that a ring of this size has for frames as `configuration` says they may come.
  ///
  /// Raw frames are all of one size. Of compressed ones the largest is known, which drivers put far too high; see
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

  /// The same for what a camera agreed to.
  package func byteCount(for configuration: StreamConfiguration) -> Int {
    byteCount(for: configuration.frameFormat, largestFrame: configuration.largestFrame)
  }
}

extension RingSize {
  /// The usual size for `configuration`, where `preRoll` is kept: that, and two seconds in which the disk may
  /// stall; of compressed frames at half of what they plausibly come to at most.
  ///
  /// - Parameter available: the memory that can be had, in bytes, of which the ring takes a half at most.
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

  /// The same for what a camera agreed to.
  package static func usual(
    for configuration: StreamConfiguration, preRoll: Duration = .zero,
    available: Int? = SystemMemory.availableBytes
  ) -> RingSize {
    usual(
      for: configuration.frameFormat, largestFrame: configuration.largestFrame, preRoll: preRoll,
      available: available)
  }

  /// What a ring takes at most unless more is asked for: 4 GiB.
  static let mostForPreRoll = 4 << 30

  /// The bytes of the largest ring that can be had for a pre-roll without being asked for by its size.
  ///
  /// - Parameter taken: the bytes of a ring that makes room for it.
  package static func mostBytes(
    beside taken: Int, available: Int? = SystemMemory.availableBytes
  ) -> Int {
    min(mostForPreRoll, (available ?? .max / 2).adding(clamping: taken) / 2)
  }

  /// The bytes that `mode` gives in a second at least, so far as that can be told: all of a raw mode, a bit for each
  /// pixel of others; `nil` where its rate is not known.
  package static func leastBytesPerSecond(of mode: Mode) -> Double? {
    guard let rate = mode.rate?.framesPerSecond.doubleValue else { return nil }
    let raw = mode.pixelFormat.flatMap(MasterFormat.init)?.codec.byteCount(
      width: Int(mode.width), height: Int(mode.height))
    return rate * (raw.map(Double.init) ?? Double(mode.width) * Double(mode.height) / 8)
  }
}

extension FrameFormat {
  /// The bytes that a frame has, or that one plausibly has at most, where the driver gives room for `largest`.
  ///
  /// Drivers give room for a compressed frame as if it were not compressed. Motion JPEG of webcams takes one to three
  /// bits a pixel, so four are plenty.
  func plausibleFrame(ofAtMost largest: Int) -> Int {
    pixelFormat.family == .raw ? largest : min(largest, max(pixelCount / 2, 1 << 16))
  }

  /// How many frames come in `duration`, the last one begun counted; at 240 a second where no rate is known.
  func frameCount(in duration: Duration) -> Int {
    let interval = nominalInterval.flatMap { $0 > .zero ? $0.wholeNanoseconds : nil } ?? 1_000_000_000 / 240
    return Int(duration.wholeNanoseconds / interval) + 1
  }
}

extension StreamConfiguration {
  /// The bytes that a frame has, or that one plausibly has at most.
  var plausibleFrame: Int { frameFormat.plausibleFrame(ofAtMost: largestFrame) }

  /// What an armed ring of `capacity` bytes keeps free for the frames that come while the writer sleeps: a quarter of
  /// it where that suffices for the next one, which the ring would otherwise refuse for good.
  func ringMargin(of capacity: Int) -> Int {
    let frames =
      RingLayout.recordBytes(payload: plausibleFrame) * (frameFormat.frameCount(in: .milliseconds(50)) + 1)
    let next = RingLayout.recordBytes(payload: largestFrame)
    return max(next + RingProducer.headroom, min(capacity / 4, frames + RingProducer.headroom))
  }
}

/// What a ring of a certain size holds of frames of a certain size.
public struct RingDepth: Hashable, Sendable {
  /// Bytes in the ring.
  public var byteCount: Int
  /// How many frames it holds.
  public var frames: Int
  /// How long it takes the camera to send these; `nil` where no rate is known.
  public var duration: Duration?

  /// The depth of a ring of `byteCount` bytes for frames of `frameBytes` each, `interval` apart.
  init(byteCount: Int, frameBytes: Int, interval: Duration?) {
    self.byteCount = byteCount
    frames = max(0, (byteCount - RingProducer.headroom) / RingLayout.recordBytes(payload: frameBytes))
    duration = interval.map { $0 * frames }
  }
}

/// What a ring is before the first frame comes.
public struct RingReport: Hashable, Sendable {
  /// What it holds of the largest frames that are likely, or of all frames where they are of one size.
  public let depth: RingDepth
  /// Whether all frames are of one size, so that the depth is exact.
  public let isExact: Bool
  /// Why its memory could be swapped out, as an errno; 0 where it could not.
  public let lockErrno: Int32
  /// How much time before a trigger it keeps at most; `nil` where that is as much as was asked for.
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
