import Media
import SystemPackage

/// What a pass over all packets of a film tells, where the film has no index that does.
struct PacketScan {
  /// When each frame is shown, in that order.
  let times: [FrameTime]
  /// Whether the packets told; else the times are those of decoding, and without such made up of durations.
  let isStamped: Bool
  /// When each frame is decoded, in the order of the file, made up; empty where the packets told, or nothing is known.
  private let decodeTimes: [Int64]
  /// Where playing can start, in the order of the file: the packet's place among all, and when it is shown.
  let keyframes: [(place: Int, timestamp: Int64)]

  /// Reads the film at `path`; one that is cut off counts as far as it goes.
  init(_ path: FilePath) throws(MediaError) {
    var film = try Demuxer(path)
    var times: [FrameTime] = []
    var isStamped = true
    var decodeTimes: [Int64] = []
    var keyframes: [(place: Int, timestamp: Int64)] = []
    var packetCount = 0
    do {
      while let packet = try film.nextPacket() {
        packetCount += 1
        guard !packet.isHidden else { continue }
        let next = times.last.map { $0.timestamp + max(1, $0.duration) } ?? 0
        isStamped = isStamped && packet.presentationTimestamp != nil
        if let decoded = packet.decodeTimestamp { decodeTimes.append(decoded) }
        times.append(FrameTime(timestamp: packet.presentationTimestamp ?? next, duration: packet.duration))
        if packet.isKeyframe { keyframes.append((packetCount - 1, times[times.count - 1].timestamp)) }
      }
    } catch {
      guard error.code == .badData, !times.isEmpty else { throw error }
    }
    let isDecodeStamped = decodeTimes.count == times.count
    let shown =
      if isStamped {
        times.sorted { $0.timestamp < $1.timestamp }
      } else if isDecodeStamped {
        Self.shownTimes(decodeTimes, durations: times.map(\.duration), delay: film.track.decodingDelay)
      } else {
        times
      }
    self.times = shown
    self.isStamped = isStamped
    self.keyframes = keyframes
    self.decodeTimes = isStamped && !isDecodeStamped ? Self.decodeTimes(of: times, shown: shown) : []
  }

  /// Frames come out of the decoder one for one as others go in, and so many later: what is known of those in AVI, where
  /// a frame that was left out is a step in the times of decoding.
  private static func shownTimes(_ decodeTimes: [Int64], durations: [Int64], delay: Int) -> [FrameTime] {
    var times = decodeTimes.dropFirst(delay)
    while times.count < decodeTimes.count {
      times.append((times.last ?? 0) + max(1, durations.last ?? 0))
    }
    return zip(times, durations).map { FrameTime(timestamp: $0, duration: $1) }
  }

  /// When frame `index` of the file is decoded, where the packets themselves do not tell.
  func decodeTime(_ index: Int) -> Int64? {
    decodeTimes.indices.contains(index) ? decodeTimes[index] : nil
  }

  /// Frames are decoded at the pace they are shown at, and so much earlier that none comes late: what Matroska leaves
  /// out and MP4 has to have.
  private static func decodeTimes(of decoded: [FrameTime], shown: [FrameTime]) -> [Int64] {
    let lead = zip(decoded, shown).map { $1.timestamp - $0.timestamp }.max() ?? 0
    return shown.map { $0.timestamp - lead }
  }
}
