public import Platform
internal import CLibAV
internal import CLinux
public import Timebase

/// Encodes pictures with libavcodec's encoders: H.264 with libx264, and those of ``Kind``.
///
/// Send pictures in the order they are shown; after each, take packets until there is none. They come in the order they
/// are decoded, later than the pictures and all at once at the end. Use from one thread at a time; inside, it uses all
/// cores, or its share of them.
///
/// It may be dropped at any time. Dropping one that has pictures left may wait until it has coded them, which takes SVT-AV1 a
/// minute at its slow presets.
public struct VideoEncoder: ~Copyable {
  /// Trades of time for size, by libx264's names.
  public enum Preset: String, Codable, Hashable, Sendable, CaseIterable {
    case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow
  }

  /// What the packets are.
  public let track: VideoTrack
  private let context: CodecContext
  private let lent: Picture
  /// libavcodec's name of the encoder.
  private let name: String

  /// An encoder.
  ///
  /// - Parameters:
  ///   - kind: the codec.
  ///   - layout: how the pixels of all pictures lie in memory; what ``Kind/layout(for:isDeveloped:)`` says.
  ///   - width: pixels in a row; even.
  ///   - height: rows; even.
  ///   - rate: pictures per second; one tick of all timestamps is one picture.
  ///   - color: what the pictures are.
  ///   - isChromaLeft: whether a chroma sample for two pixels of a row lies on the first of them, as far as is known.
  ///   - fieldOrder: which field of each picture was filmed first, for pipes to say; `nil` where pictures are whole.
  ///   - light: what the film's HDR was graded for; `nil` where nobody knows.
  ///   - pixelAspectRatio: the width of a pixel in heights; `nil` for square ones.
  ///   - preset: how much time is traded for size.
  ///   - quality: within ``Kind/qualities``, less is better; H.264's constant rate factor, from 0
  ///     (lossless) to 51.
  ///   - encoderCount: how many encoders, this one among them, share the cores.
  /// - Throws: `unsupported` where libavcodec has no such encoder, or that refuses these settings.
  public init(
    _ kind: Kind = .h264, layout: PixelLayout = .yuv420p, width: Int, height: Int, rate: FrameRate,
    color: ColorDescription, isChromaLeft: Bool = false, fieldOrder: FieldOrder? = nil,
    light: LightMetadata? = nil, pixelAspectRatio: Fraction? = nil, preset: Preset,
    quality: Double,
    encoderCount: Int = 1
  ) throws(OvercrankError) {
    _ = LibAVLog.silenced
    let (name, codec) = try kind.requiredEncoder()
    let context = try CodecContext(codec)
    context.pointer.pointee.width = Int32(width)
    context.pointer.pointee.height = Int32(height)
    context.pointer.pointee.pix_fmt = layout.format
    context.pointer.pointee.time_base = rate.interval.libav
    context.pointer.pointee.framerate = rate.framesPerSecond.libav
    context.pointer.pointee.color_primaries = color.libavPrimaries
    context.pointer.pointee.color_trc = color.libavTransfer
    context.pointer.pointee.colorspace = color.libavMatrix
    context.pointer.pointee.color_range = color.libavRange
    // Encoders of files leave it at what players expect.
    if kind == .raw, isChromaLeft { context.pointer.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT }
    // Encoders of files would code fields then.
    if kind == .raw { context.pointer.pointee.field_order = fieldOrder.libav }
    if let pixelAspectRatio { context.pointer.pointee.sample_aspect_ratio = pixelAspectRatio.libav }
    let isLarge = kind.isLarge(width, height)
    // libx264 asks for huge pages, of which the last of each of its frames is mostly empty: 17 MB in all at 1080p.
    if isLarge { clinux_leave_out_huge_pages() }
    context.pointer.pointee.thread_count = kind.threadCount(
      cores: max(1, av_cpu_count() / Int32(encoderCount)), isLarge: isLarge)
    // MP4 keeps the parameter sets in its header.
    context.pointer.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    if kind == .mjpeg {
      context.pointer.pointee.flags |= AV_CODEC_FLAG_QSCALE
      context.pointer.pointee.global_quality = Int32(clamping: quality.rounded()) * FF_QP2LAMBDA
    }
    try context.open(
      name,
      options: kind.options(
        name, preset, quality, isLarge: isLarge, isTiny: min(width, height) < 16, light: light))
    guard
      let parameters = CodecParameters(filledBy: {
        avcodec_parameters_from_context($0, context.pointer)
      })
    else { throw OvercrankError.outOfMemory(name) }
    let lent = try Picture()
    var track = VideoTrack(parameters: parameters)
    track.light = light
    self.track = track
    self.context = context
    self.lent = lent
    self.name = name
  }

  /// Gives the encoder the next picture, which is only read; waits while it is busy.
  ///
  /// - Parameters:
  ///   - picture: the picture to encode.
  ///   - timestamp: when it is shown, in pictures; later than the last one's.
  /// - Precondition: ``nextPacket()`` has given `nil` since the last.
  /// - Throws: `unsupported` where the encoder refuses it.
  public mutating func send(_ picture: Picture, timestamp: Int64) throws(OvercrankError) {
    // The picture itself may be shown several times, and elsewhere at once: its time is not written to it.
    defer { av_frame_unref(lent.frame) }
    guard av_frame_ref(lent.frame, picture.frame) >= 0 else { throw OvercrankError.outOfMemory(name) }
    lent.frame.pointee.pts = timestamp
    // What the decoder found it to be must not bind the encoder.
    lent.frame.pointee.pict_type = AV_PICTURE_TYPE_NONE
    lent.frame.pointee.quality = context.pointer.pointee.global_quality
    try check(context.send(lent.frame))
  }

  /// Tells the encoder that no more pictures come.
  public mutating func finish() throws(OvercrankError) {
    // libsvtav1 would wait for the first one.
    guard context.hasBegun else { return }
    try check(context.send(nil))
  }

  /// The next packet; `nil` where the encoder wants a picture first, or has no more.
  public mutating func nextPacket() throws(OvercrankError) -> Packet? {
    let packet = try Packet()
    let result = avcodec_receive_packet(context.pointer, packet.pointer)
    if result == clibav_try_again() || result == clibav_eof() { return nil }
    try check(result)
    return packet
  }

  private func check(_ result: Int32) throws(OvercrankError) {
    guard result < 0 else { return }
    throw OvercrankError.codec(result, " refused a picture", of: name, "Try another preset or codec.")
  }
}
