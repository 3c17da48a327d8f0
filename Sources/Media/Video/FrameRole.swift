/// The role of a frame in a stream whose frames may depend on others.
package enum FrameRole: Hashable, Sendable {
  /// It depends on frames before it.
  case dependent
  /// It stands alone, but needs parameter sets that came before.
  case key
  /// It needs nothing before it: a recording can begin with it.
  case entry
}

extension VideoCodec {
  /// Returns the role of `frame`, an access unit in Annex B if the codec is H.264 or HEVC. In other codecs of cameras,
  /// every frame stands alone.
  ///
  /// Only the frame's head is read, up to its first slice. A frame that becomes whole by intra refresh counts as
  /// dependent.
  package func role(of frame: UnsafeRawBufferPointer) -> FrameRole {
    switch self {
    case .h264:
      // ITU-T H.264, table 7-1: slices without and with all they need, and the sequence and picture parameter sets.
      Self.role(of: frame, dependent: 1...4, key: 5...5, sets: 7...8) { $0 & 0x1f }
    case .other("hevc"):
      // ITU-T H.265, table 7-1: the video, sequence and picture parameter sets.
      Self.role(of: frame, dependent: 0...15, key: 16...21, sets: 32...34) { $0 >> 1 & 0x3f }
    default: .entry
    }
  }

  private static func role(
    of frame: UnsafeRawBufferPointer, dependent: ClosedRange<UInt8>, key: ClosedRange<UInt8>,
    sets: ClosedRange<UInt8>, _ type: (UInt8) -> UInt8
  ) -> FrameRole {
    var found: UInt64 = 0
    var place = 0
    while place + 3 < frame.count {
      guard frame[place] == 0, frame[place + 1] == 0, frame[place + 2] == 1 else {
        place += 1
        continue
      }
      let type = type(frame[place + 3])
      if dependent.contains(type) { return .dependent }
      if key.contains(type) { return sets.allSatisfy { found & 1 << UInt64($0) != 0 } ? .entry : .key }
      found |= 1 << UInt64(type)
      place += 4
    }
    return .dependent
  }
}
