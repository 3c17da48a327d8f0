public import Platform
internal import CLibAV

/// A decoder of any video codec in libavcodec; for JPEGs, ``JPEGDecoder`` is faster.
///
/// Send packets in the order of the file; after each, take pictures until there is none. They come in display
/// order. Use from one thread at a time; internally, it uses all cores.
public struct VideoDecoder: ~Copyable {
  private let context: CodecContext
  private let track: VideoTrack
  private let damage: DamageWatch
  private var hasReturnedPicture = false
  private var hasFailed = false

  /// Whether pictures from the next one on may differ from run to run: several threads decode, and libavcodec has
  /// reported damage. Failures before the first picture are those of a stream that was entered between keyframes.
  package var isUncertain: Bool {
    context.pointer.pointee.thread_count > 1 && (damage.hasReport || hasFailed)
  }

  /// The largest picture, twice 8K: a damaged stream must not claim gigabytes.
  static let mostPixels = 1 << 26

  /// Creates a decoder for the packets of `track`, as returned by a ``Demuxer``.
  ///
  /// - Parameters:
  ///   - track: the track.
  ///   - isImmediate: whether a picture is returned as soon as its packets have been sent, which takes longer.
  ///     Otherwise, several threads decode pictures at once, and each comes some packets later.
  /// - Throws: `unsupported` if libavcodec has no decoder for it.
  public init(_ track: VideoTrack, isImmediate: Bool = false) throws(OvercrankError) {
    _ = LibAVLog.silenced
    guard let codec = avcodec_find_decoder(track.codec.id) else {
      throw OvercrankError(
        .unsupported, "this libavcodec cannot decode \(track.codec). Install a more complete build.")
    }
    let context = try CodecContext(codec)
    // The file's own parameters, including the container's tag, matter for raw frames.
    guard let parameters = track.parameters ?? CodecParameters(filledBy: track.fill) else {
      throw OvercrankError.outOfMemory("a decoder")
    }
    avcodec_parameters_to_context(context.pointer, parameters.pointer)
    // One thread more, libavcodec's default, is no faster and holds one more picture.
    context.pointer.pointee.thread_count = isImmediate ? 1 : av_cpu_count()
    context.pointer.pointee.max_pixels = Int64(Self.mostPixels)
    try context.open("decoder for \(track.codec)", options: [:])
    let damage = try DamageWatch(threadCount: Int(context.pointer.pointee.thread_count))
    self.damage = damage
    self.context = context
    self.track = track
  }

  /// Sends the decoder the next packet.
  ///
  /// - Precondition: ``nextPicture()`` has returned `nil` since the last packet.
  /// - Throws: `badData` if the packet is damaged; further packets may still be sent.
  public mutating func send(_ packet: Packet) throws(OvercrankError) {
    damage.begin(packet, context)
    try check(avcodec_send_packet(context.pointer, packet.pointer))
  }

  /// Signals the end of the packets to the decoder.
  public mutating func finish() throws(OvercrankError) {
    try check(avcodec_send_packet(context.pointer, nil))
  }

  /// Returns the next picture; `nil` if the decoder needs a packet first, or has no more.
  ///
  /// - Throws: `badData` if a picture could not be decoded; further pictures may still be requested.
  public mutating func nextPicture() throws(OvercrankError) -> Picture? {
    let picture = try Picture()
    let result = avcodec_receive_frame(context.pointer, picture.frame)
    if result == clibav_try_again() || result == clibav_eof() { return nil }
    try check(result)
    hasReturnedPicture = true
    picture.set(picture.color.completed(by: track.pictureColor))
    if damage.take(picture.timestamp) { picture.markDamaged() }
    return picture
  }

  /// Returns the track as described by its decoded frames.
  fileprivate func decodedTrack() -> VideoTrack? {
    CodecParameters(filledBy: { avcodec_parameters_from_context($0, context.pointer) })
      .map { VideoTrack(parameters: $0) }
  }

  private mutating func check(_ result: Int32) throws(OvercrankError) {
    guard result < 0 else { return }
    hasFailed = hasReturnedPicture
    throw OvercrankError(.badData, "a frame of \(track.codec) could not be decoded: \(libavWords(result)).")
  }
}

extension VideoTrack {
  /// Returns this track as a ``Demuxer`` describes it once it is in a file: libav decodes the first frame,
  /// which may add to the colours and the pixels' shape.
  ///
  /// - Throws: `badData` if `packet` is damaged.
  package func read(from packet: Packet) throws(OvercrankError) -> VideoTrack {
    var decoder = try VideoDecoder(self)
    try decoder.send(packet)
    try decoder.finish()
    while try decoder.nextPicture() != nil {}
    return decoder.decodedTrack() ?? self
  }
}
