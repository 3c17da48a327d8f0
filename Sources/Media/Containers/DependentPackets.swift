/// The packets behind a gap in a file that depend on the missing ones: those before the next keyframe, in the order of
/// the file or of the times at which they are shown.
struct DependentPackets {
  private var isBehindGap = false
  /// The time of the keyframe after the gap.
  private var recovery: Int64?

  /// Begins after a gap.
  mutating func begin() { isBehindGap = true }

  /// Returns whether the next packet is one of them.
  mutating func includes(_ packet: Packet) -> Bool {
    if packet.isKeyframe {
      if isBehindGap { recovery = packet.presentationTimestamp }
      isBehindGap = false
      return false
    }
    guard !isBehindGap else { return true }
    guard let recovery, let time = packet.presentationTimestamp, time < recovery else {
      recovery = nil
      return false
    }
    return true
  }
}
