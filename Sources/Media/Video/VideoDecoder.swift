public import Platform
internal import CLibAV

/// Decodes any video codec that libavcodec knows; for JPEGs, ``JPEGDecoder`` is faster.
///
/// Send packets in the order of the file; after each, take pictures until there is none. They come in the order they
/// are shown. Use from one thread at a time; inside, it uses all cores.
public struct VideoDecoder: ~Copyable {
  private let context: CodecContext
  private let track: VideoTrack

  /// Twice 8K: a damaged stream must not claim gigabytes.
  static let mostPixels = 1 << 26

  /// A decoder for the packets of `track`, as a ``Demuxer`` gives them.
  ///
  /// - Throws: `unsupported` where libavcodec has no decoder for it.
  public init(_ track: VideoTrack) throws(OvercrankError) {
    _ = LibAVLog.silenced
    guard let codec = avcodec_find_decoder(track.codec.id) else {
      throw OvercrankError(
        .unsupported, "this libavcodec cannot decode \(track.codec). Install a fuller one.")
    }
    let context = try CodecContext(codec)
    // As the file had them, container's tag and all: for raw frames it matters.
    guard let parameters = track.parameters ?? CodecParameters(filledBy: track.fill) else {
      throw OvercrankError.outOfMemory("a decoder")
    }
    avcodec_parameters_to_context(context.pointer, parameters.pointer)
    // One more, as libavcodec would have of itself, is no faster and holds a picture more.
    context.pointer.pointee.thread_count = av_cpu_count()
    context.pointer.pointee.max_pixels = Int64(Self.mostPixels)
    try context.open("decoder for \(track.codec)", options: [:])
    self.context = context
    self.track = track
  }

  /// Gives the decoder the next packet.
  ///
  /// - Precondition: ``nextPicture()`` has given `nil` since the last.
  /// - Throws: `badData` where the packet is damaged; the next may be sent all the same.
  public mutating func send(_ packet: Packet) throws(OvercrankError) {
    try check(avcodec_send_packet(context.pointer, packet.pointer))
  }

  /// Tells the decoder that no more packets come.
  public mutating func finish() throws(OvercrankError) {
    try check(avcodec_send_packet(context.pointer, nil))
  }

  /// The next picture; `nil` where the decoder wants a packet first, or has no more.
  ///
  /// - Throws: `badData` where a picture could not be decoded; the next may be asked for all the same.
  public mutating func nextPicture() throws(OvercrankError) -> Picture? {
    let picture = try Picture()
    let result = avcodec_receive_frame(context.pointer, picture.frame)
    if result == clibav_try_again() || result == clibav_eof() { return nil }
    try check(result)
    picture.set(picture.color.completed(by: track.pictureColor))
    return picture
  }

  /// What is known of the track by what was decoded of it.
  fileprivate func decodedTrack() -> VideoTrack? {
    CodecParameters(filledBy: { avcodec_parameters_from_context($0, context.pointer) })
      .map { VideoTrack(parameters: $0) }
  }

  private func check(_ result: Int32) throws(OvercrankError) {
    guard result < 0 else { return }
    throw OvercrankError(.badData, "a frame of \(track.codec) could not be decoded: \(libavWords(result)).")
  }
}

extension VideoTrack {
  /// This track as a ``Demuxer`` describes it once it lies in a file: libav looks into the first frame, which may say more
  /// of its colours and the shape of its pixels.
  ///
  /// - Throws: `badData` where `packet` is damaged.
  package func read(from packet: Packet) throws(OvercrankError) -> VideoTrack {
    var decoder = try VideoDecoder(self)
    try decoder.send(packet)
    try decoder.finish()
    while try decoder.nextPicture() != nil {}
    return decoder.decodedTrack() ?? self
  }
}
