public import Platform
public import Timebase
internal import CLibAV
internal import Glibc

extension VideoEncoder {
  /// A codec for clips.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// Plays everywhere.
    case h264
    /// Half the size of H.264 at the same quality; for recent players.
    case hevc
    /// Even smaller, but slow to encode.
    case av1
    /// For editing programs: ProRes 422 HQ, ten bits.
    case prores
    /// For archives: lossless, in the source's own range and depth.
    case ffv1
    /// A JPEG per frame.
    case mjpeg
    /// A GIF: 256 colours.
    case gif
    /// An animated WebP: lossy.
    case webp
    /// An animated PNG.
    case apng
    /// Uncompressed pictures, for pipes: planar, in the source's own depth.
    case raw

    /// The kinds for files; the others are for pipes.
    public static let allCases: [Kind] = [.h264, .hevc, .av1, .prores, .ffv1, .mjpeg, .gif, .webp, .apng]
  }
}

extension VideoEncoder.Kind {
  /// The kinds for which the installed libavcodec has an encoder.
  public static var available: [VideoEncoder.Kind] { allCases.filter { $0.encoder != nil } }

  /// Checks that the installed libavcodec has an encoder for it.
  ///
  /// - Throws: `unsupported`, which lists the available ones.
  public func check() throws(OvercrankError) { _ = try requiredEncoder() }

  func requiredEncoder() throws(OvercrankError) -> (name: String, codec: UnsafePointer<AVCodec>) {
    if let encoder { return encoder }
    let others = Self.available.map(\.rawValue).joined(separator: ", ")
    throw OvercrankError(
      .unsupported, "the installed libavcodec has no encoder for \(rawValue). It has encoders for \(others).")
  }

  /// The codec of the packets.
  public var codec: VideoCodec {
    switch self {
    case .h264: .h264
    case .mjpeg: .mjpeg
    // libav's name for pictures that are passed on unchanged.
    case .raw: .other("wrapped_avframe")
    default: .other(rawValue)
    }
  }

  /// The container that its players expect.
  public var usualContainer: Container {
    switch self {
    case .h264, .hevc, .av1: .mp4
    case .prores, .mjpeg: .mov
    case .ffv1: .mkv
    case .gif: .gif
    case .webp: .webp
    case .apng: .apng
    case .raw: .y4m
    }
  }

  /// Whether it makes animated images, for web pages and chats.
  public var isAnimation: Bool { usualContainer.isAnimation }

  /// The most frames per second of an animation by default, and the longest side of its pictures, in pixels; `nil`
  /// for other codecs.
  ///
  /// Animations are several times as large as videos. Gifski and video platforms use similar limits.
  public var usualLimits: (rate: Int, side: Int)? {
    switch self {
    case .gif, .apng: (25, 480)
    case .webp: (30, 640)
    default: nil
    }
  }

  /// The highest rate that players show, in frames per second; `nil` if there is no such limit.
  ///
  /// Browsers show a GIF's frame of one hundredth of a second for ten.
  public var highestRate: Fraction? { self == .gif ? Fraction(50) : nil }

  /// The range of its quality, from best to worst; `nil` if it has no quality setting.
  public var qualities: ClosedRange<Double>? {
    switch self {
    case .h264, .hevc: 0...51
    case .av1: 0...63
    case .mjpeg: 1...31
    case .webp: 0...100
    case .prores, .ffv1, .gif, .apng, .raw: nil
    }
  }

  /// The default quality of clips: hardly distinguishable from their master.
  public var usualQuality: Double {
    switch self {
    case .h264: 20
    case .hevc: 22
    case .av1: 30
    // libwebp's own default of 75, on its scale from 0 to 100 for the best.
    case .webp: 25
    default: 3
    }
  }

  /// Whether it has presets that trade time for size.
  public var hasPresets: Bool { [.h264, .hevc, .av1].contains(self) }

  /// Returns the layout of the pictures that it encodes, for a source.
  ///
  /// - Parameters:
  ///   - video: the track of the source.
  ///   - isDeveloped: whether a sensor's values are developed, which keeps their depth.
  public func layout(for video: VideoTrack, isDeveloped: Bool = false) -> PixelLayout {
    let bits = isDeveloped ? Int32(video.sensorBits) : video.bitsPerSample
    return switch self {
    // Only 8 bits play everywhere.
    case .h264: .yuv420p
    case .hevc, .av1: bits > 8 ? deeper(.yuv420p, to: 10) : .yuv420p
    case .prores: PixelLayout(AV_PIX_FMT_YUV422P10LE)
    case .mjpeg: video.subsampled
    case .webp: video.pixels?.hasAlpha == true ? .yuva420p : .yuv420p
    // Encoders of red, green and blue convert them.
    case .gif, .apng: .yuv444p
    case .ffv1: deeper(video.pixels?.isGray == true ? .gray : video.subsampled, to: bits)
    case .raw: deeper(video.pixels?.isGray == true && bits <= 8 ? .gray : video.subsampled, to: bits)
    }
  }

  /// Returns `layout` with at least this many bits per sample, if the encoder supports it.
  private func deeper(_ layout: PixelLayout, to bits: Int32) -> PixelLayout {
    guard let depth = [8, 10, 12, 16].first(where: { $0 >= bits }), depth > 8,
      let deeper = PixelLayout(name: "\(layout)\(depth)le"), takes(deeper)
    else { return layout }
    return deeper
  }

  private func takes(_ layout: PixelLayout) -> Bool {
    guard self != .raw else { return Container.layoutsOfY4M.contains(layout) }
    guard var format = encoder.flatMap({ clibav_pixel_formats($0.codec) }) else { return false }
    while format.pointee != AV_PIX_FMT_NONE {
      if format.pointee == layout.format { return true }
      format += 1
    }
    return false
  }

  /// Returns the colours of the pictures that it encodes, for a source.
  ///
  /// - Parameters:
  ///   - video: the track of the source.
  ///   - height: the number of rows of the encoded pictures.
  public func color(for video: VideoTrack, height: Int) -> ColorDescription {
    let color = video.pictureColor
    var clip = color.inClip(height: height)
    switch self {
    case .mjpeg: clip.range = .full
    // Clips converted from red, green and blue are limited in any case.
    case .ffv1 where color.matrix != .rgb: clip.range = color.range
    case .raw:
      // Y4M can state only the range: readers derive the rest from the size.
      clip.matrix = ColorDescription.usual(height: height).matrix
      // Grey keeps its values, because most readers of Y4M assume full range for it.
      if video.pixels?.isGray == true { clip.range = color.range }
    default: break
    }
    return clip
  }
}

extension VideoEncoder.Kind {
  /// SVT-AV1 logs to the terminal unless disabled, and libavcodec has no option for that.
  private static let quietSVT: Void = { setenv("SVT_LOG", "0", 0) }()

  /// The best available encoder of libavcodec, with its name.
  var encoder: (name: String, codec: UnsafePointer<AVCodec>)? {
    if self == .av1 { Self.quietSVT }
    for name in encoderNames {
      if let codec = avcodec_find_encoder_by_name(name) { return (name, codec) }
    }
    return nil
  }

  private var encoderNames: [String] {
    switch self {
    case .h264: ["libx264"]
    case .hevc: ["libx265"]
    case .av1: ["libsvtav1", "libaom-av1"]
    case .prores: ["prores_ks"]
    case .ffv1: ["ffv1"]
    case .mjpeg: ["mjpeg"]
    case .gif: ["gif"]
    case .webp: ["libwebp_anim"]
    case .apng: ["apng"]
    case .raw: ["wrapped_avframe"]
    }
  }

  /// Returns the unit of the encoder's times, in seconds. libwebp_anim would cut them off to milliseconds.
  func tick(at rate: FrameRate) -> Fraction { self == .webp ? Fraction(1, 1000) : rate.interval }

  /// Returns the number of simultaneous encoders, each of a part of the clip, that uses the cores best.
  ///
  /// Two libx264 encoders keep two cores busier than the threads of one, which wait for each other at every
  /// frame (480 raw frames of 720p: 3.5 s instead of 4.2 s). Large pictures of two encoders do not fit the
  /// cores' caches, and take more memory. Other encoders have threads that need not wait, or take much more
  /// memory.
  public func encoderCount(width: Int, height: Int) -> Int {
    self == .h264 && !isLarge(width, height) ? min(2, Int(av_cpu_count())) : 1
  }

  /// Returns whether memory matters more than the last tenth of speed.
  func isLarge(_ width: Int, _ height: Int) -> Bool { width * height > 1 << 20 }

  /// Returns the number of the encoder's threads.
  ///
  /// libx264's threads wait for each other at every frame; two more than there are cores keep these busy
  /// (720p on two cores: 6.3 s with four threads instead of 6.9 s with two). Each costs 22 MB at 1080p. A
  /// single core needs no more than one.
  func threadCount(cores: Int32, isLarge: Bool) -> Int32 {
    guard self == .h264, cores > 1 else { return cores }
    return max(cores + (isLarge ? 1 : 2), cores * 3 / 2)
  }

  /// Returns the options of the encoder called `name`.
  func options(
    _ name: String, _ preset: VideoEncoder.Preset, _ quality: Double, width: Int, height: Int,
    light: LightMetadata? = nil, cap: SizeCap? = nil
  ) -> [String: String] {
    // AV1 encoders number their presets, from slow to fast.
    let speed = VideoEncoder.Preset.allCases.reversed().firstIndex(of: preset) ?? 0
    let isLarge = isLarge(width, height)
    return switch name {
    case "libx264":
      [
        "preset": preset.rawValue, "crf": "\(quality)",
        "x264-params": Self.x264Parameters(preset, isLarge: isLarge)
          + (light?.parameters(mastering: "mastering-display", light: "cll") ?? "")
          + (cap?.parameters ?? ""),
      ]
    case "libx265":
      [
        "preset": preset.rawValue, "crf": "\(quality)",
        "x265-params": Self.x265Parameters(preset, isLarge: isLarge)
          // Its cutree writes past the end of its memory if half the width has fewer than four blocks of 8.
          + (width <= 48 ? ":cutree=0" : "")
          + (light?.parameters(mastering: "master-display", light: "max-cll") ?? "")
          + (cap?.parameters ?? ""),
      ]
    case "libsvtav1": ["preset": "\(4 + speed)", "crf": "\(Int(clamping: quality.rounded()))"]
    case "libaom-av1":
      ["cpu-used": "\(min(8, speed))", "row-mt": "1", "crf": "\(Int(clamping: quality.rounded()))", "b": "0"]
    case "libwebp_anim": ["quality": "\(100 - quality)"]
    case "prores_ks": ["profile": "hq", "vendor": "apl0"]
    // A slice smaller than a chroma sample is decoded as green, or refused.
    case "ffv1": ["level": "3", "slicecrc": "1", "g": "1", "slices": min(width, height) < 16 ? "1" : "0"]
    default: [:]
    }
  }

  /// Returns libx265's parameters that differ from its preset.
  private static func x265Parameters(_ preset: VideoEncoder.Preset, isLarge: Bool) -> String {
    // Each waiting frame takes 8 MB at 1080p: 15 or more lookahead frames, the B-frames, whose number is
    // limited by the lookahead, and the frames that they refer to. With these values, clips get 4 to 8 %
    // smaller, and 0.2 dB worse. Slower presets are chosen for their search, and have more B-frames.
    guard isLarge, preset != .slower, preset != .veryslow else { return "log-level=none" }
    return "log-level=none:rc-lookahead=3:bframes=2:b-pyramid=0"
  }

  /// Returns libx264's parameters that differ from its preset.
  private static func x264Parameters(_ preset: VideoEncoder.Preset, isLarge: Bool) -> String {
    // The frames between its lookahead and its other threads, four by default, take 7 MB each at 1080p.
    let lookahead = "sync-lookahead=\(isLarge ? 2 : 4)"
    // In slow motion, things move little from frame to frame: a diamond search finds that as well as the
    // preset's hexagon, in about nine tenths of the time. Slower presets are chosen for their search.
    return preset == .veryfast ? "\(lookahead):me=dia" : lookahead
  }
}

extension VideoTrack {
  /// The layout of its decoded pixels; `nil` if unknown.
  var pixels: PixelLayout? {
    codec.layout ?? parameters.flatMap { $0.values.format >= 0 ? PixelLayout(code: $0.values.format) : nil }
  }

  /// The bits per sample; 8 for a mosaic, which is reduced to 8 bits unless it is developed.
  fileprivate var bitsPerSample: Int32 { pixels.map { $0.isMosaic ? 8 : $0.bitsPerSample } ?? 8 }

  /// The planar 8-bit layout with the same chroma subsampling.
  fileprivate var subsampled: PixelLayout {
    if pixels?.hasPalette == true { return .yuv444p }
    guard let layout = pixels.flatMap({ av_pix_fmt_desc_get($0.format) }), layout.pointee.nb_components >= 3
    else { return .yuv420p }
    return switch (layout.pointee.log2_chroma_w, layout.pointee.log2_chroma_h) {
    case (0, 0): .yuv444p
    case (1, 0): .yuv422p
    default: .yuv420p
    }
  }
}
