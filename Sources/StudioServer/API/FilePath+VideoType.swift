import Overcrank

extension FilePath {
  /// The media type of a video, for browsers.
  var videoType: String {
    switch self.extension.flatMap(Container.init(fileExtension:)) {
    case .mp4: "video/mp4"
    case .mov: "video/quicktime"
    case .mkv: "video/x-matroska"
    case .gif: "image/gif"
    case .webp: "image/webp"
    case .apng: "image/apng"
    default: "application/octet-stream"
    }
  }
}
