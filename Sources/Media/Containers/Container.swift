internal import CLibAV

/// A kind of media file.
public enum Container: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Those of files; the others are for pipes.
  public static let allCases: [Container] = [.mov, .mp4, .mkv, .nut]

  /// QuickTime: any timescale, all codecs, few raw layouts.
  case mov
  /// MP4: plays anywhere.
  case mp4
  /// Matroska: times in whole milliseconds.
  case mkv
  /// NUT: any time base, all raw layouts; read by libav's family alone.
  case nut
  /// YUV4MPEG2, for pipes: uncompressed pictures one after another, at one steady rate.
  case y4m

  /// The container for the untouched frames of a camera: MOV, and NUT where MOV cannot hold the pixels.
  public static func forMaster(_ codec: VideoCodec) -> Container {
    Container.mov.canHold(codec) ? .mov : .nut
  }

  /// The container that a file's extension names, in any case; `nil` for others.
  public init?(fileExtension: String) {
    guard let container = Self.allCases.first(where: { $0.rawValue == fileExtension.lowercased() }) else {
      return nil
    }
    self = container
  }

  /// The usual file extension, without a dot.
  public var fileExtension: String { rawValue }

  /// Whether frames of `codec` can be written and read back as they were.
  public func canHold(_ codec: VideoCodec) -> Bool {
    if case .packed = codec { return self == .nut }
    if case .raw(let layout) = codec {
      switch self {
      case .mov: return Self.layoutsOfMOV.contains(layout)
      case .nut: return avcodec_pix_fmt_to_codec_tag(layout.format) != 0
      case .mp4, .mkv, .y4m: return false
      }
    }
    // libavformat lists them for all of QuickTime's family, and then writes the first two into MP4 alone, the last nowhere;
    // and it lists RealVideo's for Matroska, and writes no header for them.
    switch codec.id {
    case AV_CODEC_ID_AV1, AV_CODEC_ID_VP9: if self == .mov { return false }
    case AV_CODEC_ID_VP8: if self == .mov || self == .mp4 { return false }
    case AV_CODEC_ID_RV10, AV_CODEC_ID_RV20: if self == .mkv { return false }
    default: break
    }
    let format = av_guess_format(libavName, nil, nil)
    return avformat_query_codec(format, codec.id, FF_COMPLIANCE_NORMAL) == 1
  }

  /// Whether it says how a player is to turn the picture: libav 5.1 has no such thing in the others.
  public var keepsOrientation: Bool { self == .mov || self == .mp4 }

  /// How many ticks may lie between two frames at most: libavformat's check_pkt wants fewer than 2^31 - 1 in a movie.
  var longestGap: Int64 { self == .mov || self == .mp4 ? Int64(Int32.max) - 1 : .max }

  /// Whether it can say that frames are there to be decoded but not to be shown.
  public var hidesFrames: Bool { self == .mov || self == .mp4 }

  /// The containers that can hold frames of `codec`.
  public static func holding(_ codec: VideoCodec) -> [Container] {
    allCases.filter { $0.canHold(codec) }
  }

  /// What libav 5.1 reads back from MOV bit for bit. It writes others too, and reads them wrongly.
  private static let layoutsOfMOV: Set<PixelLayout> = [.yuyv422, .uyvy422, .rgb24, .bgr24]

  /// What ffmpeg reads.
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

  /// `MOV`.
  public var description: String { rawValue.uppercased() }

  /// The most bytes that an index of `frameCount` frames takes for them.
  static func indexSize(frameCount: Int) -> Int {
    // A frame of MOV has at worst 8 bytes each in stts and ctts, 12 in stsc, 8 in co64, 4 each in stsz and stss.
    // Matroska's cues and NUT's index take less.
    frameCount * 44
  }
}
