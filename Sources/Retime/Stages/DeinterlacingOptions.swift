import Platform
import Media
import SystemPackage

/// That an interlaced film is made of its fields, and what says which comes first.
///
/// It stands before all other stages, as it makes frames: see `FieldReader`.
public enum DeinterlacingOptions: String, PictureStage, CaseIterable {
  /// The film says it.
  case auto
  /// The first, third and further lines were filmed first.
  case top
  /// The second, fourth and further lines were filmed first.
  case bottom

  /// Its key in the description of a clip.
  public static var name: String { "deinterlace" }

  /// - Throws: `outOfRange` where the film should say it and does not; `badData` where
  ///   it can have no fields.
  func order(of film: VideoTrack, _ path: FilePath) throws(OvercrankError) -> FieldOrder {
    guard !film.isRaw || film.isGrey else {
      throw OvercrankError(
        .badData,
        "\(path): is a sensor's mosaic, whose lines have different colours and are no fields. Leave it as it is."
      )
    }
    switch self {
    case .top: return .top
    case .bottom: return .bottom
    case .auto:
      if let order = film.fieldOrder { return order }
      throw OvercrankError(
        .outOfRange,
        "\(path): does not say that it is interlaced. If it is, say which field was filmed first; if not, leave it as it is.",
        remedy: .chooseFieldOrder)
    }
  }
}
