import Media
import Platform

/// Writes a clip's file, at a constant frame rate and with the index in front: its segments, several of which
/// are made at once, one after the other, and its audio interleaved.
actor ClipWriter: SegmentSink {
  private var muxer: Muxer?
  private var audio: SlowedAudio?
  /// The next audio packet, which waits for the video to catch up.
  private var nextAudio: Packet?
  private let ticksPerSecond: Int64
  private let ticksPerFrame: Int64
  private let captureRate: Double?
  private let largestSize: Int64?
  /// The segment that is being written.
  private var current = 0
  /// Packets of later segments: a few seconds of the clip, as all segments are about as long.
  private var waiting: [Int: [Packet]] = [:]
  /// The segments that were rendered before.
  private var made: [Int: EarlySegment]
  /// The later segments that are complete.
  private var ended: Set<Int> = []
  /// The number of encoded frames of each segment in progress.
  private var codedCounts: [Int: Int] = [:]
  private var frames: ClipProgress
  private let progress: (@Sendable (ClipProgress) -> Void)?

  /// Players expect ticks much finer than frames. If it fits, the timescale is the rate's numerator times
  /// this.
  private static let fineness: Int64 = 1000

  /// Opens the muxer for the clip.
  ///
  /// - Parameters:
  ///   - track: the track of the packets.
  ///   - audio: the clip's audio; `nil` for none.
  ///   - made: the segments that were rendered already.
  ///   - progress: called after each encoded frame.
  init(
    to output: consuming MuxerOutput, container: Container, _ track: VideoTrack, _ plan: ClipPlan,
    audio: consuming SlowedAudio?, made: [Int: EarlySegment] = [:],
    progress: (@Sendable (ClipProgress) -> Void)?
  ) throws(OvercrankError) {
    let rate = plan.outputRate.framesPerSecond
    let fineness = rate.numerator < 10_000 ? Self.fineness : 1
    let frameCount = plan.outputFrameCount
    self.muxer = try Muxer(
      to: output, container: container,
      video: plan.pictures.turnsPixels ? track : track.turned(like: plan.pictures.video),
      audio: audio?.track,
      timescale: Int32(rate.numerator * fineness), rate: plan.outputRate,
      playCount: plan.spec.playCount ?? 0,
      index: .front(frameCount: frameCount),
      metadata: plan.metadata, hasCaptureRate: plan.captureRate != nil)
    captureRate = plan.captureRate
    largestSize = plan.spec.largestSize
    self.nextAudio = try audio?.nextPacket()
    self.audio = audio
    self.ticksPerSecond = rate.numerator * fineness
    self.ticksPerFrame = rate.denominator * fineness
    self.made = made
    self.frames = ClipProgress(done: made.values.reduce(0) { $0 + $1.packets.count }, total: frameCount)
    self.progress = progress
  }

  /// Writes the segments at the beginning of the clip that were rendered before. Call it first.
  ///
  /// - Throws: as ``write(_:of:)`` does, and `cancelled`.
  func begin() throws(OvercrankError) {
    if !made.isEmpty { progress?(frames) }
    try writeMade()
  }

  /// Writes the segments from ``current`` on that were rendered before, up to the first that was not.
  private func writeMade() throws(OvercrankError) {
    while let segment = made.removeValue(forKey: current) {
      for index in 0..<segment.packets.count {
        try muxer?.path.checkCancellation()
        try write(try segment.packets.packet(index))
      }
      current += 1
    }
  }

  /// Writes `packets` of a segment, or keeps them until all packets before them are written.
  ///
  /// - Throws: the errors of `Muxer` and `SlowedAudio`.
  func write(_ packets: [Packet], of segment: Int) throws(OvercrankError) {
    guard segment == current else { return waiting[segment, default: []] += packets }
    for packet in packets { try write(packet) }
  }

  /// Moves on to the next segment once `segment` and all before it are written.
  func end(_ segment: Int) throws(OvercrankError) {
    ended.insert(segment)
    codedCounts[segment] = nil
    while ended.remove(current) != nil {
      current += 1
      try writeMade()
      try write(waiting.removeValue(forKey: current) ?? [], of: current)
    }
  }

  /// Reports the progress of one more frame of a segment.
  ///
  /// - Returns: whether that segment is ahead of others in progress.
  func countFrame(of segment: Int) -> Bool {
    frames.done += 1
    progress?(frames)
    codedCounts[segment, default: 0] += 1
    let count = codedCounts[segment, default: 0]
    return codedCounts.values.contains { $0 < count }
  }

  /// Finishes the file and gives it its name, once all segments have ended.
  func finish() throws(OvercrankError) {
    try writeAudio(until: .max)
    try muxer.take()?.finish(captureRate: captureRate, atMost: largestSize)
  }

  /// Removes the unfinished clip.
  func abandon() { muxer = nil }

  private func write(_ packet: Packet) throws(OvercrankError) {
    guard let presented = packet.presentationTimestamp else {
      throw OvercrankError(.unsupported, "the encoder returned a packet without a time.")
    }
    let decoded = packet.decodeTimestamp ?? presented
    try muxer?.write(
      packet, presented: presented * ticksPerFrame, decoded: decoded * ticksPerFrame, duration: ticksPerFrame)
    try writeAudio(until: decoded * ticksPerFrame)
  }

  /// Writes the audio up to `end`, in ticks of the video.
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
