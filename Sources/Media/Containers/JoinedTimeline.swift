/// Lays the parts of a file whose times start again behind one another.
///
/// Recordings joined into one file (`cat a.ts b.ts`) and recorders whose clock was set leave such times. The rules are
/// those of the program ffmpeg, for the same containers: a track that goes back by more than 0.1 seconds, or is more than
/// 10 seconds away from where it should go on, begins a new part, and goes on where it ended. The other tracks follow it
/// with the same shift once they come to that part, so that audio and video stay together.
struct JoinedTimeline {
  /// How many times the times have started again so far.
  var restartCount: Int { shifts.count - 1 }

  /// What is added to the times of each part, in microseconds.
  private var shifts: [Int64] = [0]
  private var tracks: [Int32: Track] = [:]

  private struct Track {
    var part: Int
    /// When its last packet was decoded, and when the next one should be; `nil` where that is not known.
    var place: (last: Int64, next: Int64)?
    /// How long its packets last where they do not say.
    var usual: Int64
    /// Where the part before ends; `nil` once it has been passed.
    var joint: Int64?
  }

  private static let longestStep: Int64 = 10_000_000
  private static let longestReturn: Int64 = 100_000

  /// What is to be added to the times of the next packet of `track`, in microseconds; `nil` where it is to be left out, as
  /// the part before still lasts.
  ///
  /// - Parameters:
  ///   - decoded: when it is decoded, in microseconds of the file; `nil` where that is not said.
  ///   - duration: how long it lasts, in microseconds; 0 where that is not said.
  ///   - isAlone: whether others of its track can do without it.
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

  /// Chooses the part that a packet belongs to which is decoded at `decoded`.
  private mutating func enter(_ track: inout Track, _ place: (last: Int64, next: Int64), _ decoded: Int64) {
    func isNear(_ part: Int) -> Bool { (decoded + shifts[part] - place.next).magnitude <= Self.longestStep }
    func isForward(_ part: Int) -> Bool { decoded + shifts[part] + Self.longestReturn >= place.last }
    if isNear(track.part), isForward(track.part) { return }
    track.joint = place.next
    // Another track may have come to the next part before.
    for part in shifts.indices.dropFirst(track.part + 1) where isNear(part) {
      track.part = part
      // What is longer in the part before than the other track holds up all of this part.
      if !isForward(part) { shifts[part] = place.next - decoded }
      return
    }
    shifts.append(place.next - decoded)
    track.part = shifts.count - 1
  }

  /// Goes on anywhere in the file.
  mutating func seek() {
    for number in tracks.keys { tracks[number]?.place = nil }
  }
}
