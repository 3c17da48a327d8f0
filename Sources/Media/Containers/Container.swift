internal import CLibAV

/// A kind of media file.
public enum Container: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The containers of takes and clips; the others are for exports and pipes.
  public static let allCases: [Container] = [.mov, .mp4, .mkv, .nut, .gif, .webp, .apng]

  /// QuickTime: any timescale, all codecs, few raw layouts.
  case mov
  /// MP4: plays everywhere.
  case mp4
  /// Matroska: times in whole milliseconds.
  case mkv
  /// NUT: any time base, all raw layouts; only programs based on libav read it.
  case nut
  /// GIF: 256 colours, times in hundredths of a second.
  case gif
  /// WebP: times in milliseconds.
  case webp
  /// Animated PNG: without loss, and large.
  case apng
  /// AVI, for exports: frames at a constant rate. Programs of laboratories read it.
  case avi
  /// YUV4MPEG2, for pipes: consecutive uncompressed pictures at a constant rate.
  case y4m

  /// Returns the container for untouched frames of a camera: MOV, or NUT if MOV cannot hold the pixels, or would
  /// rewrite the frames.
  public static func forMaster(_ codec: VideoCodec) -> Container {
    switch codec {
    case .mjpeg, .raw, .packed: Container.mov.canHold(codec) ? .mov : .nut
    // MOV and Matroska replace the start codes of H.264 and HEVC, and need the parameter sets before the first frame.
    case .h264, .other: .nut
    }
  }

  /// Creates the container that a file extension names, ignoring case; `nil` for any other.
  public init?(fileExtension: String) {
    guard let container = Self.allCases.first(where: { $0.rawValue == fileExtension.lowercased() }) else {
      return nil
    }
    self = container
  }

  /// The usual file extension, without a dot.
  public var fileExtension: String { rawValue }

  /// Returns whether frames of `codec` can be written and read back unchanged.
  public func canHold(_ codec: VideoCodec) -> Bool {
    if case .packed = codec { return self == .nut }
    if case .raw(let layout) = codec {
      switch self {
      case .mov: return Self.layoutsOfMOV.contains(layout)
      case .nut: return avcodec_pix_fmt_to_codec_tag(layout.format) != 0
      case .mp4, .mkv, .avi, .y4m, .gif, .webp, .apng: return false
      }
    }
    // libavformat lists the codecs below for all of QuickTime's family, but writes the first two only into
    // MP4, and the third into none; it lists RealVideo for Matroska, but writes no header for it.
    switch codec.id {
    case AV_CODEC_ID_AV1, AV_CODEC_ID_VP9: if self == .mov { return false }
    case AV_CODEC_ID_VP8: if self == .mov || self == .mp4 { return false }
    case AV_CODEC_ID_RV10, AV_CODEC_ID_RV20: if self == .mkv { return false }
    default: break
    }
    let format = av_guess_format(libavName, nil, nil)
    return avformat_query_codec(format, codec.id, FF_COMPLIANCE_NORMAL) == 1
  }

  /// Whether its files are animated images, which have no audio and repeat.
  public var isAnimation: Bool { self == .gif || self == .webp || self == .apng }

  /// The codec of an animation, which can have no other; `nil` for other containers.
  public var onlyCodec: VideoEncoder.Kind? {
    VideoEncoder.Kind.allCases.first { isAnimation && $0.usualContainer == self }
  }

  /// Whether it stores the picture's orientation: libav 5.1 does not support that in the others.
  public var keepsOrientation: Bool { self == .mov || self == .mp4 }

  /// The longest time between two frames, in ticks: libavformat's check_pkt requires less than 2^31 - 1 in a
  /// movie.
  var longestGap: Int64 { self == .mov || self == .mp4 ? Int64(Int32.max) - 1 : .max }

  /// Whether it can mark frames as decoded but not shown.
  public var hidesFrames: Bool { self == .mov || self == .mp4 }

  /// Returns the containers that can hold frames of `codec`.
  public static func holding(_ codec: VideoCodec) -> [Container] {
    allCases.filter { $0.canHold(codec) }
  }

  /// The layouts that libav 5.1 reads back from MOV bit for bit. It writes others too, but reads them
  /// incorrectly.
  private static let layoutsOfMOV: Set<PixelLayout> = [.yuyv422, .uyvy422, .rgb24, .bgr24]

  /// The layouts that ffmpeg reads.
  static let layoutsOfY4M: Set<PixelLayout> = {
    let planar: [PixelLayout] = [.yuv420p, .yuv422p, .yuv444p]
    let deep = planar.flatMap { layout in [10, 12, 16].compactMap { PixelLayout(name: "\(layout)\($0)le") } }
    return Set(planar + deep + [.gray])
  }()

  var libavName: String {
    switch self {
    case .mkv: "matroska"
    case .y4m: "yuv4mpegpipe"
    default: rawValue
    }
  }

  /// The name, such as `MOV`.
  public var description: String { rawValue.uppercased() }

  /// Returns the largest size in bytes of index entries for `frameCount` frames.
  static func indexSize(frameCount: Int) -> Int {
    // A frame of MOV needs at most 8 bytes each in stts and ctts, 12 in stsc, 8 in co64, and 4 each in stsz
    // and stss.
    // Matroska's cues and NUT's index take less.
    frameCount * 44
  }
}
