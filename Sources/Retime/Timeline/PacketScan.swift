import Platform
import Media
import SystemPackage

/// What a pass over all packets of a film tells, where the film has no index that does.
struct PacketScan {
  /// When each frame is shown, in that order.
  let times: [FrameTime]
  /// Whether the packets told; else the times are those of decoding, and without such made up of durations.
  let isStamped: Bool
  /// When the first frame is shown, in ticks of the file, or decoded where only that is told; `nil` where neither is.
  ///
  /// What libavformat calls the start of a track is a guess at times, and 0 of every ASF.
  let start: Int64?
  /// When each frame is decoded, in the order of the file, made up; empty where the packets' own times do, or nothing is
  /// known.
  private let decodeTimes: [Int64]
  /// When each frame is shown, in the order of the file, where frames wait for a later one; empty where the packets told, or
  /// nothing is known.
  private let shownTimes: [Int64]
  /// Where playing can start, in the order of the file: the packet's place among all, and when it is shown.
  let keyframes: [(place: Int, timestamp: Int64)]
  /// Why the film ends where it does; `nil` where that is its end.
  let cutOff: OvercrankError?
  /// How often its times start again.
  let restartCount: Int

  /// Reads the film at `path`; one that is cut off counts as far as it goes.
  ///
  /// - Throws: `OvercrankError`, also where images are not alike.
  init(_ path: FilePath) throws(OvercrankError) {
    var film = try Demuxer(path)
    var times: [FrameTime] = []
    var isStamped = true
    var decodeTimes: [Int64] = []
    var firstStamp: Int64?
    var keyframes: [(place: Int, index: Int, stamp: Int64?)] = []
    var waiting: [Int] = []
    var isPacked = false
    var packetCount = 0
    var cutOff: OvercrankError?
    let imageCheck = try ImageShapeCheck(path, film.track)
    /// The next packet; `nil` at the end, and where the film is cut off.
    func nextPacket() throws(OvercrankError) -> Packet? {
      do {
        return try film.nextPacket()
      } catch {
        guard error.code == .badData, !times.isEmpty else { throw error }
        cutOff = Self.cutOff(path, after: times.count)
        return nil
      }
    }
    while let packet = try nextPacket() {
      try imageCheck?.check(packet, index: packetCount)
      packetCount += 1
      guard !packet.isHidden else { continue }
      let next = times.last.map { $0.timestamp + max(1, $0.duration) } ?? 0
      isStamped = isStamped && packet.presentationTimestamp != nil
      if packet.presentationTimestamp == nil { waiting.append(times.count) }
      isPacked = isPacked || Self.holdsTwoFrames(packet, film.track.codec)
      if let decoded = packet.decodeTimestamp { decodeTimes.append(decoded) }
      times.append(FrameTime(timestamp: packet.presentationTimestamp ?? next, duration: packet.duration))
      let stamp = packet.presentationTimestamp ?? packet.decodeTimestamp
      if times.count == 1 { firstStamp = stamp }
      if packet.isKeyframe { keyframes.append((packetCount - 1, times.count - 1, stamp)) }
    }
    self.cutOff = cutOff
    restartCount = film.restartCount
    let isDecodeStamped = decodeTimes.count == times.count
    let shown =
      if isStamped {
        times.sorted { $0.timestamp < $1.timestamp }
      } else if isDecodeStamped {
        Self.shownTimes(decodeTimes, durations: times.map(\.duration), delay: film.track.decodingDelay)
      } else {
        Self.inOrder(times, waiting: waiting)
      }
    self.times = shown
    self.isStamped = isStamped
    // Frames without times in front of others have theirs from these.
    let isLaidInFront = !isStamped && !isDecodeStamped && firstStamp == nil && waiting.count < times.count
    start = isStamped || isLaidInFront ? shown.first?.timestamp : firstStamp
    let isKnown = Self.tellsOrder(film.track) && !isStamped && isDecodeStamped && !isPacked
    let (presented, decoded) =
      isKnown ? Self.reordered(decodeTimes, waiting: waiting, last: times.last?.duration ?? 1) : ([], [])
    shownTimes = presented
    let areTold = keyframes.count < packetCount || !Self.callsAllKeyframes(film.track.codec)
    self.keyframes = keyframes.prefix(areTold ? .max : 1).map { place, index, stamp in
      (place, isKnown ? presented[index] : stamp ?? times[index].timestamp)
    }
    self.decodeTimes = isStamped && !isDecodeStamped ? Self.decodeTimes(of: times, shown: shown) : decoded
  }

  private static func cutOff(_ path: FilePath, after count: Int) -> OvercrankError {
    OvercrankError(
      .badData,
      "\(path): is cut off or damaged after \(count == 1 ? "its first frame" : "\(count) frames"). The clip shows what "
        + "comes before. Try another copy of it.")
  }

  /// Lays frames without times in front of the first one that has one: Matroska knows no times before 0. Those behind it follow
  /// one another.
  private static func inOrder(_ times: [FrameTime], waiting: [Int]) -> [FrameTime] {
    let count = zip(waiting, 0...).prefix { $0 == $1 }.count
    guard count > 0, count < times.count else { return times }
    var times = times
    for place in (0..<count).reversed() {
      times[place].timestamp = times[place + 1].timestamp - max(1, times[place].duration)
    }
    return times.sorted { $0.timestamp < $1.timestamp }
  }

  /// Whether the order of frames can be known where packets only say when they are decoded.
  static func tellsOrder(_ track: VideoTrack) -> Bool {
    track.codec == .other("mpeg4") && track.decodingDelay == 1
  }

  /// Whether libav calls every packet of `codec` a keyframe where the file does not say: only the first surely is one.
  private static func callsAllKeyframes(_ codec: VideoCodec) -> Bool {
    [.other("h261"), .other("h263"), .other("h263p")].contains(codec)
  }

  /// Frames that others lean on wait in the decoder until the next of their kind comes; the others, for which libav gives
  /// the time, are shown at once.
  ///
  /// - Returns: when each is shown, the first at its own time of decoding, and when each is decoded so that none comes late.
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

  /// Whether `packet` is one of DivX's, which put a frame and the one shown before it into one: they would have to be taken
  /// apart.
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

  /// Frames come out of the decoder one for one as others go in, and so many later: what is known of those in AVI, where
  /// a frame that was left out is a step in the times of decoding.
  private static func shownTimes(_ decodeTimes: [Int64], durations: [Int64], delay: Int) -> [FrameTime] {
    let stated = max(1, durations.last ?? 0)
    // Of GXF, libav states the duration of a field.
    let step = zip(decodeTimes, decodeTimes.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.min() ?? stated
    let last = max(stated, min(step, 2 * stated))
    var times = decodeTimes.dropFirst(delay)
    while times.count < decodeTimes.count { times.append((times.last ?? 0) + last) }
    return zip(times, durations).map { FrameTime(timestamp: $0, duration: max($1, last)) }
  }

  /// When frame `index` of the file is decoded, where the packets themselves do not tell.
  func decodeTime(_ index: Int) -> Int64? {
    decodeTimes.indices.contains(index) ? decodeTimes[index] : nil
  }

  /// When frame `index` of the file is shown, where not all packets tell.
  func shownTime(_ index: Int) -> Int64? {
    shownTimes.indices.contains(index) ? shownTimes[index] : nil
  }

  /// Frames are decoded at the pace they are shown at, and so much earlier that none comes late: what Matroska leaves
  /// out and MP4 has to have.
  private static func decodeTimes(of decoded: [FrameTime], shown: [FrameTime]) -> [Int64] {
    let lead = zip(decoded, shown).map { $1.timestamp - $0.timestamp }.max() ?? 0
    return shown.map { $0.timestamp - lead }
  }
}
