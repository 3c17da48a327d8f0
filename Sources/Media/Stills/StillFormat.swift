/// A kind of picture file.
public enum StillFormat: String, CaseIterable, Codable, Hashable, Sendable {
  /// Small; also the original form of a JPEG camera's frames.
  case jpeg
  /// Lossless; may include notes.
  case png
  /// Lossless, for measurement programs.
  case tiff

  /// The usual extension, without a dot.
  public var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .tiff: "tif"
    }
  }

  /// Creates the format that a file extension names, ignoring case; `nil` for any other.
  public init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "jpg", "jpeg": self = .jpeg
    case "png": self = .png
    case "tif", "tiff": self = .tiff
    default: return nil
    }
  }

  /// Returns the layout of pictures for this format, given the layout of a source's pictures, `video`: grey if
  /// the source is grey, and with 16 bits per sample if it has more than 8, except for JPEG.
  public func layout(for video: PixelLayout?) -> PixelLayout {
    let isGray = video?.isGray ?? false
    guard self != .jpeg, video?.bitsPerSample ?? 8 > 8 else { return isGray ? .gray : .rgb24 }
    let order = self == .png ? "be" : "le"
    return PixelLayout(name: (isGray ? "gray16" : "rgb48") + order) ?? .rgb24
  }
}
