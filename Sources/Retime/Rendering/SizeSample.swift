import Media
import Platform

/// Encodes a sample of a clip's frames, to tell how large the clip will be.
struct SizeSample {
  private let source: ClipSource
  private let part: ClipSpan
  private let container: Container
  /// The clip whose size is known.
  private let known: (bytes: Double, fixed: Double, frameBytes: Double)

  /// The parts of the clip that are sampled, and the frames of the clip in each: a tenth of a clip of 25 s.
  private static let (partCount, partLength) = (4, 16)

  /// Samples a clip that has `bytes`, `fixed` of which are not frames.
  init(
    _ renderer: ClipRenderer, bytes: Int64, fixed: Int64, in container: Container
  ) async throws(OvercrankError) {
    (source, part, self.container) = (renderer.source, renderer.part, container)
    let frameBytes = try await Self.frameBytes(renderer.spec, source, part, container)
    known = (Double(bytes), Double(fixed), max(1, frameBytes))
  }

  /// Returns the size in bytes that the clip will have with other settings.
  func bytes(_ spec: RenderSpec) async throws(OvercrankError) -> Double {
    let ratio = try await Self.frameBytes(spec, source, part, container) / known.frameBytes
    return known.fixed + (known.bytes - known.fixed) * ratio
  }

  /// Returns the approximate bytes of all frames of a clip.
  private static func frameBytes(
    _ spec: RenderSpec, _ source: ClipSource, _ part: ClipSpan, _ container: Container
  ) async throws(OvercrankError) -> Double {
    var plan = try ClipPlan(source, spec, of: part, in: container)
    if spec.codec == .gif { plan.palette = try await plan.palette(in: container) }
    var count = SampleCount()
    let parts = parts(of: plan)
    for part in parts {
      plan.make(only: part)
      let packets = PacketCount()
      _ = try await SegmentRenderer(0, of: plan).render(into: packets)
      await count.add(packets.sizes, ofFrames: packets.frames)
    }
    guard parts.count > 1 else { return count.bytes(ofFrames: plan.outputFrameCount) }
    let interval = spec.codec.isAnimation ? plan.outputFrameCount : ClipPlan.keyframeInterval
    return count.bytes(ofFrames: plan.outputFrameCount, keyframeEvery: max(1, interval))
  }

  /// Returns the captured frames to encode: parts that are spread evenly, or all of a short clip.
  private static func parts(of plan: ClipPlan) -> [Range<Int>] {
    let (all, shown) = (plan.timeline.capturedFrameCount, max(1, plan.timeline.outputFrameCount))
    let length = max(1, all.multiplied(clamping: partLength) / shown)
    guard length < all / partCount else { return [0..<all] }
    return (0..<partCount).map { number in
      let start = (all - length) * number / (partCount - 1)
      return start..<start + length
    }
  }
}

/// The sizes of encoded frames in parts of a clip, each of which begins with a keyframe.
struct SampleCount {
  private var (parts, bytes, frames) = (0, 0, 0)
  /// The bytes of keyframes at the beginning of parts; `nil` if the encoder puts a whole part into one packet.
  private var keyframeBytes: Int? = 0

  /// Adds a part, given the size of each of its packets.
  mutating func add(_ sizes: [Int], ofFrames count: Int) {
    parts += 1
    bytes += sizes.reduce(0, +)
    frames += count
    keyframeBytes = sizes.count > 1 || count <= 1 ? keyframeBytes.map { $0 + (sizes.first ?? 0) } : nil
  }

  /// Returns the approximate bytes of a clip of `count` frames like these, with keyframes as often as here.
  func bytes(ofFrames count: Int) -> Double { Double(bytes) * Double(count) / Double(max(1, frames)) }

  /// Returns the same for a clip with a keyframe every `interval` frames: here, there are more.
  func bytes(ofFrames count: Int, keyframeEvery interval: Int) -> Double {
    guard let keyframeBytes, frames > parts else { return bytes(ofFrames: count) }
    let keyframes = (count + interval - 1) / interval
    return Double(keyframes) * Double(keyframeBytes) / Double(parts)
      + Double(count - keyframes) * Double(bytes - keyframeBytes) / Double(frames - parts)
  }
}

/// Counts the packets of a segment.
private actor PacketCount: SegmentSink {
  /// The bytes of each packet.
  private(set) var sizes: [Int] = []
  /// The frames that were encoded.
  private(set) var frames = 0

  func write(_ packets: [Packet], of segment: Int) { sizes += packets.map(\.byteCount) }

  func end(_ segment: Int) {}

  func countFrame(of segment: Int) -> Bool {
    frames += 1
    return false
  }
}
