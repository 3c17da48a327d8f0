public import Platform
internal import CLibAV
internal import CLinux
public import Timebase

/// An encoder of pictures with libavcodec: H.264 with libx264, and the other codecs of ``Kind``.
///
/// Send pictures in display order; after each, take packets until there is none. They come in decoding order,
/// later than the pictures, and all the rest at the end. Use from one thread at a time; internally, it uses
/// all cores, or its share of them.
///
/// It may be released at any time. This may wait until pending pictures are encoded, which takes SVT-AV1 a
/// minute at its slow presets.
public struct VideoEncoder: ~Copyable {
  /// A trade of time for size, by libx264's names.
  public enum Preset: String, Codable, Hashable, Sendable, CaseIterable {
    case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow
  }

  /// The parameters of the packets.
  public let track: VideoTrack
  private let context: CodecContext
  private let lent: Picture
  private let ticksPerPicture: Fraction
  /// Converts pictures to those that the encoder takes; `nil` if these are the same.
  private var indexer: PictureIndexer?
  /// The name of the encoder in libavcodec.
  private let name: String

  /// Creates an encoder.
  ///
  /// - Parameters:
  ///   - kind: the codec.
  ///   - layout: the layout of all pictures' pixels; that of ``Kind/layout(for:isDeveloped:)``.
  ///   - width: the pixels per row; even.
  ///   - height: the number of rows; even.
  ///   - rate: the pictures per second; one tick of all timestamps is one picture.
  ///   - color: the colours of the pictures.
  ///   - isChromaLeft: whether a chroma sample for two pixels of a row is known to lie on the first of them.
  ///   - fieldOrder: the field of each picture that was captured first, stated in pipes; `nil` for
  ///     progressive pictures.
  ///   - light: the grading of the source's HDR; `nil` if unknown.
  ///   - pixelAspectRatio: the width of a pixel divided by its height; `nil` for square ones.
  ///   - preset: the trade of time for size.
  ///   - quality: within ``Kind/qualities``, lower is better; H.264's constant rate factor, from 0 (lossless)
  ///     to 51.
  ///   - cap: the most bytes of all packets together; kept by H.264 and HEVC.
  ///   - palette: the colours of a GIF, as a picture of 16 x 16 pixels; `nil` for other codecs.
  ///   - encoderCount: the number of encoders, this one included, that share the cores.
  /// - Throws: `unsupported` if libavcodec has no such encoder, or it refuses these settings.
  public init(
    _ kind: Kind = .h264, layout: PixelLayout = .yuv420p, width: Int, height: Int, rate: FrameRate,
    color: ColorDescription, isChromaLeft: Bool = false, fieldOrder: FieldOrder? = nil,
    light: LightMetadata? = nil, pixelAspectRatio: Fraction? = nil, preset: Preset,
    quality: Double, cap: SizeCap? = nil, palette: Picture? = nil,
    encoderCount: Int = 1
  ) throws(OvercrankError) {
    _ = LibAVLog.silenced
    let (name, codec) = try kind.requiredEncoder()
    let context = try CodecContext(codec)
    context.pointer.pointee.width = Int32(width)
    context.pointer.pointee.height = Int32(height)
    context.pointer.pointee.pix_fmt = kind.codedLayout(of: layout).format
    let tick = kind.tick(at: rate)
    context.pointer.pointee.time_base = tick.libav
    context.pointer.pointee.framerate = rate.framesPerSecond.libav
    context.pointer.pointee.color_primaries = color.libavPrimaries
    context.pointer.pointee.color_trc = color.libavTransfer
    context.pointer.pointee.colorspace = color.libavMatrix
    context.pointer.pointee.color_range = color.libavRange
    // Encoders for files keep the default, as players expect.
    if kind == .raw, isChromaLeft { context.pointer.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT }
    // Encoders for files would then encode fields.
    if kind == .raw { context.pointer.pointee.field_order = fieldOrder.libav }
    if let pixelAspectRatio { context.pointer.pointee.sample_aspect_ratio = pixelAspectRatio.libav }
    let isLarge = kind.isLarge(width, height)
    // libx264 requests huge pages; the last of each of its frames is mostly empty, which wastes 17 MB at
    // 1080p.
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
        name, preset, quality, width: width, height: height, light: light, cap: cap))
    guard
      let parameters = CodecParameters(filledBy: {
        avcodec_parameters_from_context($0, context.pointer)
      })
    else { throw OvercrankError.outOfMemory(name) }
    let lent = try Picture()
    let indexer = try PictureIndexer.forEncoder(of: kind, width: width, height: height, color: color, palette)
    var track = VideoTrack(parameters: parameters)
    track.light = light
    self.init(track, context, lent, rate.interval / tick, indexer, name)
  }

  /// Nothing in it throws: see the initializer of `OutputFile`.
  private init(
    _ track: VideoTrack, _ context: CodecContext, _ lent: Picture, _ ticksPerPicture: Fraction,
    _ indexer: consuming PictureIndexer?, _ name: String
  ) {
    self.track = track
    self.context = context
    self.lent = lent
    self.ticksPerPicture = ticksPerPicture
    self.indexer = indexer
    self.name = name
  }

  /// Sends the encoder the next picture, which is only read; waits while the encoder is busy.
  ///
  /// - Parameters:
  ///   - picture: the picture to encode.
  ///   - timestamp: the time at which it is shown, in pictures; later than the last one's.
  /// - Precondition: ``nextPacket()`` has returned `nil` since the last picture.
  /// - Throws: `unsupported` if the encoder refuses it.
  public mutating func send(_ picture: Picture, timestamp: Int64) throws(OvercrankError) {
    let picture = try indexer?.convert(picture) ?? picture
    // The picture may be shown several times, and used elsewhere at the same time, so its own timestamp is
    // not changed.
    defer { av_frame_unref(lent.frame) }
    guard av_frame_ref(lent.frame, picture.frame) >= 0 else { throw OvercrankError.outOfMemory(name) }
    lent.frame.pointee.pts = ticksPerPicture.scaling(timestamp)
    // The decoder's picture type must not bind the encoder.
    lent.frame.pointee.pict_type = AV_PICTURE_TYPE_NONE
    lent.frame.pointee.quality = context.pointer.pointee.global_quality
    try check(context.send(lent.frame))
  }

  /// Signals the end of the pictures to the encoder.
  public mutating func finish() throws(OvercrankError) {
    // libsvtav1 would wait for the first one.
    guard context.hasBegun else { return }
    try check(context.send(nil))
  }

  /// Returns the next packet; `nil` if the encoder needs a picture first, or has no more.
  public mutating func nextPacket() throws(OvercrankError) -> Packet? {
    let packet = try Packet()
    let result = avcodec_receive_packet(context.pointer, packet.pointer)
    if result == clibav_try_again() || result == clibav_eof() { return nil }
    try check(result)
    // libwebp returns all pictures at once, without a time.
    if packet.presentationTimestamp == nil, track.codec == .other("webp") {
      (packet.pointer.pointee.pts, packet.pointer.pointee.dts) = (0, 0)
    }
    return packet
  }

  private func check(_ result: Int32) throws(OvercrankError) {
    guard result < 0 else { return }
    throw OvercrankError.codec(result, " refused a picture", of: name, "Try another preset or codec.")
  }
}
