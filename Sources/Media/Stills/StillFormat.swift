/// A kind of picture file.
public enum StillFormat: String, CaseIterable, Codable, Hashable, Sendable {
  /// Small, and what a camera of JPEGs sent itself.
  case jpeg
  /// Without loss; with what a note says in it.
  case png
  /// Without loss, for programs that measure.
  case tiff

  /// The usual extension, without a dot.
  public var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .tiff: "tif"
    }
  }

  /// The format that a file's extension names, in any case; `nil` for others.
  public init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "jpg", "jpeg": self = .jpeg
    case "png": self = .png
    case "tif", "tiff": self = .tiff
    default: return nil
    }
  }

  /// The layout of the pictures that it is made of, for a film of pictures in `film`: without colour where that has
  /// none, and with 16 bits a sample where it has more than 8, but for JPEGs.
  public func layout(for film: PixelLayout?) -> PixelLayout {
    let isGray = film?.isGray ?? false
    guard self != .jpeg, film?.bitsPerSample ?? 8 > 8 else { return isGray ? .gray : .rgb24 }
    let order = self == .png ? "be" : "le"
    return PixelLayout(name: (isGray ? "gray16" : "rgb48") + order) ?? .rgb24
  }
}
