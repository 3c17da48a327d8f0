import Platform
import Media
import SystemPackage
import Timebase

/// The times of a source's frames from a pass over all its packets, for sources whose index does not give
/// them.
struct PacketScan {
  /// The presentation times of the frames, ascending.
  let times: [FrameTime]
  /// The timestamps that the packets state for these frames; `nil` if they are those of ``times``.
  let statedTimes: [Int64]?
  /// Whether the times come from the packets; otherwise they are decode times, or sums of durations.
  let isStamped: Bool
  /// The presentation time of the first frame in ticks of the file, or its decode time if only that is
  /// stated; `nil` if neither is.
  ///
  /// The start of a track according to libavformat is sometimes a guess, and always 0 for ASF.
  let start: Int64?
  /// Generated decode times of the frames, in file order; empty if the packets state them, or nothing is
  /// known.
  private let decodeTimes: [Int64]
  /// The presentation times of the frames, in file order, if frames wait for a later one; empty if the
  /// packets state them, or nothing is known.
  private let shownTimes: [Int64]
  /// The points at which playback can start, in file order: the packet's index among all, and its
  /// presentation time.
  let keyframes: [(place: Int, timestamp: Int64)]
  /// The reason why the source ends early; `nil` if it is complete.
  let cutOff: OvercrankError?
  /// The number of times that its timestamps start again.
  let restartCount: Int
  /// Whether the packets' presentation times contradict one another and are not used.
  let hasContradictoryTimes: Bool
  /// Whether one of these times is ten seconds or more from the others around it.
  let hasFarTime: Bool

  /// Scans the source at `path`, up to its end or to where it is cut off.
  ///
  /// - Throws: `OvercrankError`, also if numbered images differ in shape.
  init(_ path: FilePath) throws(OvercrankError) {
    var video = try Demuxer(path)
    var times: [FrameTime] = []
    var isStamped = true
    var decodeTimes: [Int64] = []
    var firstStamp: Int64?
    var keyframes: [(place: Int, index: Int, stamp: Int64?)] = []
    var waiting: [Int] = []
    var isPacked = false
    var edits = EditedTimes()
    var packetCount = 0
    var cutOff: OvercrankError?
    let imageCheck = try ImageShapeCheck(path, video.track)
    /// Returns the next packet; `nil` at the end, or if the source is cut off.
    func nextPacket() throws(OvercrankError) -> Packet? {
      do {
        return try video.nextPacket()
      } catch {
        guard error.code == .badData, !times.isEmpty else { throw error }
        cutOff = video.hole ?? Self.cutOff(path, after: times.count)
        return nil
      }
    }
    while let packet = try nextPacket() {
      try imageCheck?.check(packet, index: packetCount)
      packetCount += 1
      if video.isMOV { edits.note(packet, after: times.count) }
      guard !packet.isHidden else { continue }
      let next = times.last.map { $0.timestamp + max(1, $0.duration) } ?? 0
      isStamped = isStamped && packet.presentationTimestamp != nil
      if packet.presentationTimestamp == nil { waiting.append(times.count) }
      isPacked = isPacked || Self.holdsTwoFrames(packet, video.track.codec)
      if let decoded = packet.decodeTimestamp { decodeTimes.append(decoded) }
      times.append(FrameTime(timestamp: packet.presentationTimestamp ?? next, duration: packet.duration))
      let stamp = packet.presentationTimestamp ?? packet.decodeTimestamp
      if times.count == 1 { firstStamp = stamp }
      if packet.isKeyframe { keyframes.append((packetCount - 1, times.count - 1, stamp)) }
    }
    self.cutOff = cutOff
    restartCount = video.restartCount
    let isDecodeStamped = decodeTimes.count == times.count
    let edited = isStamped ? edits.joined(times) : nil
    let isWhole = isStamped && edited == nil
    hasFarTime =
      isWhole
      && StatedTimes.includeFarTime(
        times, decodeTimes: decodeTimes, far: (Fraction(10) / video.timeBase).rounded)
    hasContradictoryTimes =
      hasFarTime
      || isWhole
        && StatedTimes.areContradictory(times, decodeTimes: decodeTimes, delay: video.track.decodingDelay)
    isStamped = isStamped && !hasContradictoryTimes
    let isAscending =
      edited == nil && !isDecodeStamped
      && StatedTimes.hideReordering(times, delay: video.track.decodingDelay)
    let shown =
      if let edited {
        edited.sorted { $0.timestamp < $1.timestamp }
      } else if hasContradictoryTimes {
        StatedTimes.replaced(
          times, decodeTimes: decodeTimes,
          step: video.averageRate.map { $0.interval / video.timeBase } ?? Fraction(times[0].duration))
      } else if isStamped {
        times.sorted { $0.timestamp < $1.timestamp }
      } else if isDecodeStamped {
        Self.shownTimes(decodeTimes, durations: times.map(\.duration), delay: video.track.decodingDelay)
      } else {
        Self.inOrder(times, waiting: waiting)
      }
    self.times = shown
    statedTimes = edited.map { edited in
      zip(edited, times).sorted { $0.0.timestamp < $1.0.timestamp }.map(\.1.timestamp)
    }
    self.isStamped = isStamped && !isAscending
    // Leading frames without times take theirs from the frames after them.
    let isLaidInFront = !isStamped && !isDecodeStamped && firstStamp == nil && waiting.count < times.count
    start =
      isStamped || isLaidInFront || hasContradictoryTimes ? shown.first?.timestamp : firstStamp
    let isKnown =
      Self.tellsOrder(video.track) && !isStamped && !hasContradictoryTimes && isDecodeStamped && !isPacked
    let (presented, decoded) =
      isKnown ? Self.reordered(decodeTimes, waiting: waiting, last: times.last?.duration ?? 1) : ([], [])
    shownTimes = presented
    let areReported = keyframes.count < packetCount || !Self.callsAllKeyframes(video.track.codec)
    self.keyframes = keyframes.prefix(areReported ? .max : 1).map { place, index, stamp in
      (place, isKnown ? presented[index] : stamp ?? times[index].timestamp)
    }
    self.decodeTimes =
      isStamped && !isDecodeStamped ? Self.decodeTimes(of: times, shown: shown) : decoded
  }

  private static func cutOff(_ path: FilePath, after count: Int) -> OvercrankError {
    OvercrankError(
      .badData,
      "\(path): is cut off or damaged: \(count == 1 ? "one frame" : "\(count) frames") can be read, and the clip "
        + "shows only \(count == 1 ? "that" : "those"). Try another copy of it.")
  }

  /// Places leading frames without times in front of the first one that has one, because Matroska has no
  /// times below 0. Later ones without times already follow one another.
  private static func inOrder(_ times: [FrameTime], waiting: [Int]) -> [FrameTime] {
    let count = zip(waiting, 0...).prefix { $0 == $1 }.count
    guard count > 0, count < times.count else { return times }
    var times = times
    for place in (0..<count).reversed() {
      times[place].timestamp = times[place + 1].timestamp - max(1, times[place].duration)
    }
    return times.sorted { $0.timestamp < $1.timestamp }
  }

  /// Whether the order of frames can be determined from decode times alone.
  static func tellsOrder(_ track: VideoTrack) -> Bool {
    track.codec == .other("mpeg4") && track.decodingDelay == 1
  }

  /// Whether libav calls every packet of `codec` a keyframe if the file does not say; only the first surely
  /// is one.
  private static func callsAllKeyframes(_ codec: VideoCodec) -> Bool {
    [.other("h261"), .other("h263"), .other("h263p")].contains(codec)
  }

  /// Reorders frames: those that others depend on wait in the decoder until the next of their kind arrives;
  /// the others, whose time libav states, are shown at once.
  ///
  /// - Returns: the presentation times, with the first frame's at its own decode time, and the decode times,
  ///   early enough for each frame.
  private static func reordered(
    _ decodeTimes: [Int64], waiting: [Int], last: Int64
  ) -> (shown: [Int64], decoded: [Int64]) {
    var times = decodeTimes
    let end = (decodeTimes.last ?? 0) + max(1, last)
    for (place, next) in zip(waiting, waiting.dropFirst().map { decodeTimes[$0] } + [end]) {
      times[place] = next
    }
    let lead = (times.min() ?? 0) - (decodeTimes.first ?? 0)
    return (times.map { $0 - lead }, decodeTimes.map { $0 - lead })
  }

  /// Whether `packet` is one of DivX's that contain both a frame and the one shown before it, and would have
  /// to be split.
  private static func holdsTwoFrames(_ packet: Packet, _ codec: VideoCodec) -> Bool {
    guard codec == .other("mpeg4") else { return false }
    return packet.withBytes { bytes in
      // ISO/IEC 14496-2: vop_start_code.
      var count = 0
      var word: UInt32 = 0xffff_ffff
      for byte in bytes {
        word = word << 8 | UInt32(byte)
        if word == 0x0000_01b6 { count += 1 }
      }
      return count > 1
    }
  }

  /// Returns presentation times for frames that leave the decoder one for one as others enter, `delay` frames
  /// later. This holds for AVI, where a dropped frame is a step in the decode times.
  private static func shownTimes(_ decodeTimes: [Int64], durations: [Int64], delay: Int) -> [FrameTime] {
    let stated = max(1, durations.last ?? 0)
    // For GXF, libav states the duration of a field.
    let step = zip(decodeTimes, decodeTimes.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.min() ?? stated
    let last = max(stated, min(step, 2 * stated))
    var times = decodeTimes.dropFirst(delay)
    while times.count < decodeTimes.count { times.append((times.last ?? 0) + last) }
    return zip(times, durations).map { FrameTime(timestamp: $0, duration: max($1, last)) }
  }

  /// Returns the generated decode time of frame `index` of the file; `nil` if the packets state it or it is
  /// unknown.
  func decodeTime(_ index: Int) -> Int64? {
    decodeTimes.indices.contains(index) ? decodeTimes[index] : nil
  }

  /// Returns the reordered presentation time of frame `index` of the file; `nil` if all packets state theirs
  /// or it is unknown.
  func shownTime(_ index: Int) -> Int64? {
    shownTimes.indices.contains(index) ? shownTimes[index] : nil
  }

  /// Returns decode times at the pace of the presentation times, early enough for each frame: Matroska omits
  /// them, and MP4 requires them.
  private static func decodeTimes(of decoded: [FrameTime], shown: [FrameTime]) -> [Int64] {
    let lead = zip(decoded, shown).map { $1.timestamp - $0.timestamp }.max() ?? 0
    return shown.map { $0.timestamp - lead }
  }
}
