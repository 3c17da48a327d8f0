public import CameraModel
public import Media

/// How frames of a camera lie in a master: untouched, in the container that holds them.
public struct MasterFormat: Hashable, Sendable {
  /// What each packet is.
  public let codec: VideoCodec
  /// The file's kind.
  public let container: Container

  /// The master for frames of `format`; `nil` where no container holds them yet.
  public init?(_ format: PixelFormat) {
    guard let codec = format.codec else { return nil }
    self.codec = codec
    self.container = Container.forMaster(codec)
  }
}
