import Media

/// The times of frames whose file shows several parts of its track, one after another.
///
/// An edit list may cut between keyframes, and frames that are stored in another order than they are shown. At such a
/// cut, libav shows a few frames of one part at the times of the next, while the decoder returns part after part.
struct EditedTimes {
  /// The index of each part's first frame, except for that of the first part.
  private var starts: [Int] = []
  private var lastDecoded: Int64?

  /// Notes the next packet of a MOV or MP4, shown or hidden: only a new part decodes again what was decoded before.
  ///
  /// - Parameter count: the number of shown frames before it.
  mutating func note(_ packet: Packet, after count: Int) {
    guard let decoded = packet.decodeTimestamp else { return }
    note(decodedAt: decoded, isKeyframe: packet.isKeyframe, after: count)
  }

  mutating func note(decodedAt decoded: Int64, isKeyframe: Bool, after count: Int) {
    if let last = lastDecoded, isKeyframe, decoded <= last, count > starts.last ?? 0 { starts.append(count) }
    lastDecoded = decoded
  }

  /// Returns times for `frames`, in file order, so that each part begins where the one before it ends, or later; `nil` if
  /// that is so already.
  func joined(_ frames: [FrameTime]) -> [FrameTime]? {
    var joined = frames
    var isMoved = false
    var (end, step) = (Int64.min, Int64(1))
    // Rounding, or a shorter last frame, is no overlap.
    let bounds = [0] + starts.filter { $0 < frames.count } + [frames.count]
    for (start, next) in zip(bounds, bounds.dropFirst()) {
      let part = frames[start..<next].map(\.timestamp).sorted()
      guard let first = part.first, let last = part.last else { continue }
      let overlap = end.subtracting(clamping: first)
      let shift = overlap > step / 2 ? overlap : 0
      isMoved = isMoved || shift > 0
      for place in start..<next {
        joined[place].timestamp = joined[place].timestamp.adding(clamping: shift)
      }
      // The durations of some codecs' frames are not reliable.
      step =
        zip(part, part.dropFirst()).map { $1.subtracting(clamping: $0) }.last { $0 > 0 }
        ?? (start == 0 ? max(1, frames[start].duration) : step)
      end = last.adding(clamping: shift).adding(clamping: step)
    }
    return isMoved ? joined : nil
  }
}
