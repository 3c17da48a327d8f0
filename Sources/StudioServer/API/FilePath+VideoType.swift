import Overcrank

extension FilePath {
  /// The media type of a video, for browsers.
  var videoType: String {
    switch self.extension.flatMap(Container.init(fileExtension:)) {
    case .mp4: "video/mp4"
    case .mov: "video/quicktime"
    case .mkv: "video/x-matroska"
    default: "application/octet-stream"
    }
  }
}
