import Media
import Platform
import Timebase

/// Writes the file of a clip, at one steady rate and with the index in front: its segments, of which several are made at
/// once, one after the other, and its audio between them.
actor ClipWriter: SegmentSink {
  private var muxer: Muxer?
  private var audio: SlowedAudio?
  /// Audio that waits for the picture to get there.
  private var nextAudio: Packet?
  private let ticksPerSecond: Int64
  private let ticksPerFrame: Int64
  private let captureRate: Double?
  /// The segment that is being written.
  private var current = 0
  /// Packets of later ones: a few seconds of the clip, as all segments are about as long.
  private var waiting: [Int: [Packet]] = [:]
  /// Those that were made before.
  private var made: [Int: EarlySegment]
  /// Later ones of which all is there.
  private var ended: Set<Int> = []
  /// How many frames of each segment that is being made are coded.
  private var codedCounts: [Int: Int] = [:]
  private var frames: ClipProgress
  private let progress: (@Sendable (ClipProgress) -> Void)?

  /// Players expect ticks much finer than frames; a rate's numerator times this is its timescale where it fits.
  private static let fineness: Int64 = 1000

  /// - Parameters:
  ///   - track: what the packets are.
  ///   - audio: what is heard; `nil` for silence.
  ///   - made: the segments that were made already.
  ///   - progress: called after each frame that was coded.
  init(
    to output: consuming MuxerOutput, container: Container, _ track: VideoTrack, _ plan: ClipPlan,
    audio: consuming SlowedAudio?, made: [Int: EarlySegment] = [:],
    progress: (@Sendable (ClipProgress) -> Void)?
  ) throws(OvercrankError) {
    let rate = plan.outputRate.framesPerSecond
    let fineness = rate.numerator < 10_000 ? Self.fineness : 1
    let frameCount = plan.timeline.outputFrameCount
    self.muxer = try Muxer(
      to: output, container: container,
      video: plan.pictures.turnsPixels ? track : track.turned(like: plan.pictures.film),
      audio: audio?.track,
      timescale: Int32(rate.numerator * fineness), rate: plan.outputRate,
      index: .front(frameCount: frameCount),
      metadata: plan.metadata, hasCaptureRate: plan.captureRate != nil)
    captureRate = plan.captureRate
    self.nextAudio = try audio?.nextPacket()
    self.audio = audio
    self.ticksPerSecond = rate.numerator * fineness
    self.ticksPerFrame = rate.denominator * fineness
    self.made = made
    self.frames = ClipProgress(done: made.values.reduce(0) { $0 + $1.packets.count }, total: frameCount)
    self.progress = progress
  }

  /// Writes the segments with which the clip begins, as far as they were made before; to be called first.
  ///
  /// - Throws: as ``write(_:of:)`` does, and `cancelled`.
  func begin() throws(OvercrankError) {
    if !made.isEmpty { progress?(frames) }
    try writeMade()
  }

  /// Writes what was made before of the segments from ``current`` on, and goes on to the next that was not.
  private func writeMade() throws(OvercrankError) {
    while let segment = made.removeValue(forKey: current) {
      for index in 0..<segment.packets.count {
        try muxer?.path.checkCancellation()
        try write(try segment.packets.packet(index))
      }
      current += 1
    }
  }

  /// Writes `packets` of a segment, or keeps them until all before it is written.
  ///
  /// - Throws: what `Muxer` throws, and `SlowedAudio`.
  func write(_ packets: [Packet], of segment: Int) throws(OvercrankError) {
    guard segment == current else { return waiting[segment, default: []] += packets }
    for packet in packets { try write(packet) }
  }

  /// Goes on to the next segment once `segment` and all before it are written.
  func end(_ segment: Int) throws(OvercrankError) {
    ended.insert(segment)
    codedCounts[segment] = nil
    while ended.remove(current) != nil {
      current += 1
      try writeMade()
      try write(waiting.removeValue(forKey: current) ?? [], of: current)
    }
  }

  /// Tells the progress of one more frame, of a segment.
  ///
  /// - Returns: whether that segment is ahead of others that are made at the same time.
  func countFrame(of segment: Int) -> Bool {
    frames.done += 1
    progress?(frames)
    codedCounts[segment, default: 0] += 1
    let count = codedCounts[segment, default: 0]
    return codedCounts.values.contains { $0 < count }
  }

  /// Gives the clip its name, once all segments have ended.
  func finish() throws(OvercrankError) {
    try writeAudio(until: .max)
    try muxer.take()?.finish(captureRate: captureRate)
  }

  /// Removes what there is of the clip.
  func abandon() { muxer = nil }

  private func write(_ packet: Packet) throws(OvercrankError) {
    guard let presented = packet.presentationTimestamp else {
      throw OvercrankError(.unsupported, "the encoder gave a packet without a time.")
    }
    let decoded = packet.decodeTimestamp ?? presented
    try packet.withBytes { bytes throws(OvercrankError) in
      try muxer?.write(
        bytes, presented: presented * ticksPerFrame, decoded: decoded * ticksPerFrame,
        duration: ticksPerFrame,
        isKeyframe: packet.isKeyframe)
    }
    try writeAudio(until: decoded * ticksPerFrame)
  }

  /// Writes what is heard up to `end`, in ticks of the picture.
  private func writeAudio(until end: Int64) throws(OvercrankError) {
    while let packet = nextAudio {
      let sample = Int128(packet.presentationTimestamp ?? 0)
      guard end == .max || sample * Int128(ticksPerSecond) <= Int128(end) * Int128(SlowedAudio.rate) else {
        return
      }
      try muxer?.writeAudio(packet)
      nextAudio = try audio?.nextPacket()
    }
  }
}
