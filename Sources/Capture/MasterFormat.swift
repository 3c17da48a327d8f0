public import Media
public import V4L2

/// How frames of a camera lie in a master: untouched, in the container that holds them.
public struct MasterFormat: Hashable, Sendable {
  /// What each packet is.
  public let codec: VideoCodec
  /// The file's kind.
  public let container: Container

  /// The master for frames of `format`; `nil` where no container holds them yet.
  public init?(_ format: PixelFormat) {
    let codec: VideoCodec
    switch format {
    case .mjpeg, .jpeg: codec = .mjpeg
    case .yuyv: codec = .raw(.yuyv422)
    case .uyvy: codec = .raw(.uyvy422)
    case .nv12, .nv12m: codec = .raw(.nv12)
    case .yuv420: codec = .raw(.yuv420p)
    case .rgb24: codec = .raw(.rgb24)
    case .bgr24: codec = .raw(.bgr24)
    case .grey: codec = .raw(.gray)
    default: return nil
    }
    self.codec = codec
    self.container = Container.forMaster(codec)
  }
}
