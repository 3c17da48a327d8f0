package import Platform
internal import CLibAV

/// One coded frame out of a file or an encoder.
///
/// Sendable because nothing writes to it once it is handed out.
public final class Packet: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<AVPacket>

  init() throws(OvercrankError) {
    guard let pointer = av_packet_alloc() else { throw OvercrankError.outOfMemory("a packet") }
    self.pointer = pointer
  }

  /// A packet of `byteCount` bytes, which `fill` writes.
  ///
  /// - Parameters:
  ///   - presented: when it is shown, in ticks.
  ///   - decoded: when it is decoded, in ticks.
  ///   - isKeyframe: whether decoding can start here.
  /// - Throws: `OvercrankError` of `fill`, and where there is no memory.
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

  /// When it is shown, in ticks of its source's time base; `nil` where nobody said.
  public var presentationTimestamp: Int64? { Self.known(pointer.pointee.pts) }
  /// When it is decoded, in ticks of its source's time base; `nil` where nobody said.
  public var decodeTimestamp: Int64? { Self.known(pointer.pointee.dts) }
  /// How long it is shown, in ticks; 0 where nobody said.
  public var duration: Int64 { max(0, pointer.pointee.duration) }
  /// Whether decoding can start here.
  public var isKeyframe: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
  /// Whether it is there to be decoded but not to be shown.
  public var isHidden: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
  /// Whether libav found that a part of it is missing.
  var isDamaged: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
  /// Where its bytes lie in the file that it was read from; `nil` where nobody said.
  public var position: Int64? { pointer.pointee.pos >= 0 ? pointer.pointee.pos : nil }
  /// Its size in bytes.
  public var byteCount: Int { Int(pointer.pointee.size) }

  /// The colours that its pixels are numbers of, where they are told beside its bytes; valid as long as the packet.
  package var palette: UnsafeRawBufferPointer? {
    var size = 0
    let data = av_packet_get_side_data(pointer, AV_PKT_DATA_PALETTE, &size)
    return data.map { UnsafeRawBufferPointer(start: $0, count: size) }
  }

  /// Lends the coded bytes for the length of the call.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: pointer.pointee.data, count: byteCount))
  }

  private static func known(_ timestamp: Int64) -> Int64? {
    timestamp == clibav_no_timestamp() ? nil : timestamp
  }
}
