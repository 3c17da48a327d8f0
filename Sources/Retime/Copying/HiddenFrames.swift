import Platform
import Media
import SystemPackage

/// The frames that a source's edit list hides.
///
/// A copy can leave most of them out. Those needed to decode a shown frame must stay, hidden in the copy too.
struct HiddenFrames {
  /// The packets that no shown frame needs, by their indices in the file.
  let dropped: Set<Int>
  /// The number of hidden packets that must stay.
  let keptCount: Int
  /// Whether all packets that must stay come before the first shown frame or after the last one.
  let areOutside: Bool
  /// The timestamp of the first shown frame; `nil` if none is shown.
  let firstShown: Int64?

  /// Finds the hidden frames of the source at `path`.
  init(_ path: FilePath) throws(OvercrankError) {
    var video = try Demuxer(path)
    let isIntraOnly = video.track.codec.isIntraOnly
    var dropped: Set<Int> = []
    var kept: [Int64?] = []
    /// Hidden packets since the last keyframe that no shown frame has followed yet.
    var waiting: [(place: Int, time: Int64?)] = []
    var shown: ClosedRange<Int64>?
    var place = -1
    while let packet = try video.nextPacket() {
      place += 1
      let time = packet.presentationTimestamp
      if packet.isKeyframe || isIntraOnly {
        dropped.formUnion(waiting.map(\.place))
        waiting = []
      }
      guard !packet.isHidden else {
        waiting.append((place, time))
        continue
      }
      kept += waiting.map(\.time)
      waiting = []
      if let time { shown = min(shown?.lowerBound ?? time, time)...max(shown?.upperBound ?? time, time) }
    }
    self.dropped = dropped.union(waiting.map(\.place))
    keptCount = kept.count
    firstShown = shown?.lowerBound
    areOutside = kept.allSatisfy { time in
      guard let time, let shown else { return false }
      return !shown.contains(time)
    }
  }

  /// Checks that a copy into `container` can hide the packets that must stay.
  func check(_ path: FilePath, _ container: Container) throws(OvercrankError) {
    guard keptCount > 0 else { return }
    let frames = keptCount == 1 ? "a frame" : "\(keptCount) frames"
    guard areOutside else {
      throw OvercrankError(
        .unsupported,
        "\(path): its edit list hides \(frames) in its middle that other frames need, and a copy can hide "
          + "frames only before its first or after its last one. Encode a clip of it instead.",
        remedy: .encode)
    }
    guard container.hidesFrames else {
      throw OvercrankError(
        .unsupported,
        "\(path): its edit list hides \(frames) that other frames need, and \(container) cannot hide any. "
          + "Write a MOV or MP4, or encode a clip of it instead.", remedy: .encode)
    }
  }
}
