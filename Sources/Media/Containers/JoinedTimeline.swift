/// A timeline that joins the parts of a file whose timestamps restart.
///
/// Recordings joined into one file (`cat a.ts b.ts`) and recorders whose clock was set produce such times.
/// The rules are those of the ffmpeg program for the same containers: a track that goes back by more than 0.1
/// seconds, or is more than 10 seconds from its expected time, begins a new part, and continues where it
/// ended. The other tracks follow with the same shift once they reach that part, so that audio and video stay
/// together.
struct JoinedTimeline {
  /// The number of times that the timestamps have restarted so far.
  var restartCount: Int { shifts.count - 1 }

  /// The offset added to the times of each part, in microseconds.
  private var shifts: [Int64] = [0]
  private var tracks: [Int32: Track] = [:]

  private struct Track {
    var part: Int
    /// The decode time of its last packet, and the expected one of the next; `nil` if unknown.
    var place: (last: Int64, next: Int64)?
    /// The duration of its packets if they do not state one.
    var usual: Int64
    /// The end of the part before; `nil` once it has been passed.
    var joint: Int64?
  }

  private static let longestStep: Int64 = 10_000_000
  private static let longestReturn: Int64 = 100_000

  /// Returns the offset to add to the times of the next packet of `track`, in microseconds; `nil` if the
  /// packet is to be skipped, because the previous part still lasts.
  ///
  /// - Parameters:
  ///   - decoded: its decode time in microseconds of the file; `nil` if unknown.
  ///   - duration: its duration in microseconds; 0 if unknown.
  ///   - isAlone: whether other packets of its track can be decoded without it.
  mutating func shift(track number: Int32, decoded: Int64?, duration: Int64, isAlone: Bool) -> Int64? {
    var track = tracks[number] ?? Track(part: shifts.count - 1, place: nil, usual: 0)
    defer { tracks[number] = track }
    guard let decoded else { return shifts[track.part] }
    if let place = track.place { enter(&track, place, decoded) }
    let time = decoded + shifts[track.part]
    if isAlone, let end = track.joint {
      if time + track.usual / 2 < end { return nil }
      track.joint = nil
    }
    if duration > 0 {
      track.usual = duration
    } else if let last = track.place?.last, time > last {
      track.usual = time - last
    }
    track.place = (time, time + track.usual)
    return shifts[track.part]
  }

  /// Selects the part of a packet that is decoded at `decoded`.
  private mutating func enter(_ track: inout Track, _ place: (last: Int64, next: Int64), _ decoded: Int64) {
    func isNear(_ part: Int) -> Bool { (decoded + shifts[part] - place.next).magnitude <= Self.longestStep }
    func isForward(_ part: Int) -> Bool { decoded + shifts[part] + Self.longestReturn >= place.last }
    if isNear(track.part), isForward(track.part) { return }
    track.joint = place.next
    // Another track may have reached the next part before.
    for part in shifts.indices.dropFirst(track.part + 1) where isNear(part) {
      track.part = part
      // If this track is longer in the part before than the other track, all of this part is delayed.
      if !isForward(part) { shifts[part] = place.next - decoded }
      return
    }
    shifts.append(place.next - decoded)
    track.part = shifts.count - 1
  }

  /// Prepares for a seek to any position of the file.
  mutating func seek() {
    for number in tracks.keys { tracks[number]?.place = nil }
  }
}
