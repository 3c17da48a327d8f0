internal import CLibAV
public import Timebase

/// Encodes pictures as H.264 with libx264.
///
/// Send pictures in the order they are shown; after each, take packets until there is none. They come in the order they
/// are decoded, later than the pictures and all at once at the end. Use from one thread at a time; inside, it uses all
/// cores.
public struct VideoEncoder: ~Copyable {
  /// libx264's trades of time for size.
  public enum Preset: String, Hashable, Sendable, CaseIterable {
    case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow
  }

  /// What the packets are.
  public let track: VideoTrack
  private let context: CodecContext
  private let lent: Picture

  /// An encoder.
  ///
  /// - Parameters:
  ///   - width: pixels in a row; even.
  ///   - height: rows; even.
  ///   - rate: pictures per second; one tick of all timestamps is one picture.
  ///   - color: what the pictures are.
  ///   - quality: libx264's constant rate factor, from 0 (lossless) to 51 (worst).
  /// - Throws: ``MediaError/Code/unsupported`` where libavcodec has no libx264, or that refuses these settings.
  public init(
    width: Int, height: Int, rate: FrameRate, color: ColorDescription, pixelAspectRatio: Fraction? = nil,
    preset: Preset, quality: Double
  ) throws(MediaError) {
    _ = LibAVLog.silenced
    guard let codec = avcodec_find_encoder_by_name("libx264") else {
      throw MediaError(.unsupported, "this libavcodec was built without libx264. Install one with it.")
    }
    let context = try CodecContext(codec)
    context.pointer.pointee.width = Int32(width)
    context.pointer.pointee.height = Int32(height)
    context.pointer.pointee.pix_fmt = AV_PIX_FMT_YUV420P
    context.pointer.pointee.time_base = rate.interval.libav
    context.pointer.pointee.framerate = rate.framesPerSecond.libav
    context.pointer.pointee.color_primaries = color.libavPrimaries
    context.pointer.pointee.color_trc = color.libavTransfer
    context.pointer.pointee.colorspace = color.libavMatrix
    context.pointer.pointee.color_range = color.libavRange
    if let pixelAspectRatio { context.pointer.pointee.sample_aspect_ratio = pixelAspectRatio.libav }
    // libx264 takes half as many again, each with some 25 MB of frames at 1080p; whoever decodes beside it fills the
    // cores as well.
    context.pointer.pointee.thread_count = av_cpu_count()
    // MP4 keeps the parameter sets in its header.
    context.pointer.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    try context.open(
      "libx264", options: ["preset": preset.rawValue, "crf": "\(quality)"])
    guard
      let parameters = CodecParameters(filledBy: {
        avcodec_parameters_from_context($0, context.pointer)
      })
    else { throw MediaError.outOfMemory("libx264") }
    let lent = try Picture()
    self.track = VideoTrack(parameters: parameters)
    self.context = context
    self.lent = lent
  }

  /// Gives the encoder the next picture, which is only read; waits while it is busy.
  ///
  /// - Parameter timestamp: when it is shown, in pictures; later than the last one's.
  /// - Precondition: ``nextPacket()`` has given `nil` since the last.
  /// - Throws: ``MediaError/Code/unsupported`` where libx264 refuses it.
  public mutating func send(_ picture: Picture, timestamp: Int64) throws(MediaError) {
    // The picture itself may be shown several times, and elsewhere at once: its time is not written to it.
    defer { av_frame_unref(lent.frame) }
    guard av_frame_ref(lent.frame, picture.frame) >= 0 else { throw MediaError.outOfMemory("libx264") }
    lent.frame.pointee.pts = timestamp
    // What the decoder found it to be must not bind the encoder.
    lent.frame.pointee.pict_type = AV_PICTURE_TYPE_NONE
    try check(avcodec_send_frame(context.pointer, lent.frame))
  }

  /// Tells the encoder that no more pictures come.
  public mutating func finish() throws(MediaError) {
    try check(avcodec_send_frame(context.pointer, nil))
  }

  /// The next packet; `nil` where the encoder wants a picture first, or has no more.
  public mutating func nextPacket() throws(MediaError) -> Packet? {
    let packet = try Packet()
    let result = avcodec_receive_packet(context.pointer, packet.pointer)
    if result == clibav_try_again() || result == clibav_eof() { return nil }
    try check(result)
    return packet
  }

  private func check(_ result: Int32) throws(MediaError) {
    guard result < 0 else { return }
    throw MediaError(.unsupported, "libx264 refused a picture: \(libavWords(result)). Try another preset.")
  }
}
