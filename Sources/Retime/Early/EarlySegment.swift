import Media
import Platform

/// A segment of a clip that was rendered before its master was complete.
struct EarlySegment: Sendable {
  let content: SegmentContent
  let look: ClipAppearance
  let outcome: SegmentRenderer.Outcome
  let packets: EarlyPackets
}

/// The encoded frames of a segment, in an unnamed file.
struct EarlyPackets: Sendable {
  private struct Place {
    let offset: Int64
    let byteCount: Int
    let presented: Int64
    let decoded: Int64
    let isKeyframe: Bool
  }

  private let file: ScratchFile
  private var places: [Place] = []
  /// The number of frames encoded before the recording ended.
  fileprivate(set) var countWhileRecording = 0

  init(in file: ScratchFile) { self.file = file }

  var count: Int { places.count }

  fileprivate mutating func append(_ packet: Packet) throws(OvercrankError) {
    guard let presented = packet.presentationTimestamp else {
      throw OvercrankError(.unsupported, "the encoder returned a packet without a time.")
    }
    let offset = try packet.withBytes { (bytes) throws(OvercrankError) in
      return try file.append(bytes)
    }
    places.append(
      Place(
        offset: offset, byteCount: packet.byteCount, presented: presented,
        decoded: packet.decodeTimestamp ?? presented, isKeyframe: packet.isKeyframe))
  }

  /// Returns packet `index`, in file order.
  ///
  /// - Throws: `inputOutput` if the disk failed.
  func packet(_ index: Int) throws(OvercrankError) -> Packet {
    let place = places[index]
    return try Packet(
      byteCount: place.byteCount, presented: place.presented, decoded: place.decoded,
      isKeyframe: place.isKeyframe
    ) { (buffer) throws(OvercrankError) in
      try file.read(at: place.offset, into: buffer)
    }
  }
}

/// Keeps the encoded frames of a segment for later.
actor EarlySegmentWriter: SegmentSink {
  private(set) var packets: EarlyPackets
  private let isRecording: @Sendable () -> Bool

  /// - Parameter isRecording: returns whether the master may still grow.
  init(to file: ScratchFile, isRecording: @escaping @Sendable () -> Bool) {
    packets = EarlyPackets(in: file)
    self.isRecording = isRecording
  }

  func write(_ packets: [Packet], of segment: Int) throws(OvercrankError) {
    for packet in packets { try self.packets.append(packet) }
  }

  func end(_ segment: Int) {}

  func countFrame(of segment: Int) -> Bool {
    if isRecording() { packets.countWhileRecording += 1 }
    return false
  }
}
