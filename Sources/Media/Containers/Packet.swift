package import Platform
internal import CLibAV

/// One coded frame from a file or an encoder.
///
/// Sendable because it is not modified once it is handed out.
public final class Packet: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<AVPacket>
  /// Whether decoding it needs a packet that is missing in its file.
  var isBehindGap = false

  init() throws(OvercrankError) {
    guard let pointer = av_packet_alloc() else { throw OvercrankError.outOfMemory("a packet") }
    self.pointer = pointer
  }

  /// Creates a packet of `byteCount` bytes, which `fill` writes.
  ///
  /// - Parameters:
  ///   - presented: the time at which it is shown, in ticks.
  ///   - decoded: the time at which it is decoded, in ticks.
  ///   - isKeyframe: whether decoding can start here.
  /// - Throws: the error of `fill`, and `OvercrankError` if memory runs out.
  package convenience init(
    byteCount: Int, presented: Int64, decoded: Int64, isKeyframe: Bool,
    filledBy fill: (UnsafeMutableRawBufferPointer) throws(OvercrankError) -> Void
  ) throws(OvercrankError) {
    try self.init()
    guard let size = Int32(exactly: byteCount), size >= 0, av_new_packet(pointer, size) >= 0 else {
      throw OvercrankError.outOfMemory("a packet")
    }
    pointer.pointee.pts = presented
    pointer.pointee.dts = decoded
    pointer.pointee.flags = isKeyframe ? AV_PKT_FLAG_KEY : 0
    try fill(UnsafeMutableRawBufferPointer(start: pointer.pointee.data, count: byteCount))
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVPacket>? = pointer
    av_packet_free(&pointer)
  }

  /// The time at which it is shown, in ticks of its source's time base; `nil` if unknown.
  public var presentationTimestamp: Int64? { Self.known(pointer.pointee.pts) }
  /// The time at which it is decoded, in ticks of its source's time base; `nil` if unknown.
  public var decodeTimestamp: Int64? { Self.known(pointer.pointee.dts) }
  /// The time for which it is shown, in ticks; 0 if unknown.
  public var duration: Int64 { max(0, pointer.pointee.duration) }
  /// Whether decoding can start here.
  public var isKeyframe: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
  /// Whether it is decoded but not shown.
  public var isHidden: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
  /// Whether libav found a part of it missing.
  var isDamaged: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
  /// The offset of its bytes in its file; `nil` if unknown.
  public var position: Int64? { pointer.pointee.pos >= 0 ? pointer.pointee.pos : nil }
  /// Its size in bytes.
  public var byteCount: Int { Int(pointer.pointee.size) }

  /// The palette of its pixels, if it is stored apart from its bytes; valid as long as the packet.
  package var palette: UnsafeRawBufferPointer? { sideData(AV_PKT_DATA_PALETTE) }

  /// Returns data that libav stores beside the bytes; valid as long as the packet.
  func sideData(_ type: AVPacketSideDataType) -> UnsafeRawBufferPointer? {
    var size = 0
    let data = av_packet_get_side_data(pointer, type, &size)
    return data.map { UnsafeRawBufferPointer(start: $0, count: size) }
  }

  /// Calls `body` with the coded bytes, which are valid only during the call.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: pointer.pointee.data, count: byteCount))
  }

  private static func known(_ timestamp: Int64) -> Int64? {
    timestamp == clibav_no_timestamp() ? nil : timestamp
  }
}
