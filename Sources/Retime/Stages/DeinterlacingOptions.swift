import Platform
import Media
import SystemPackage

/// A request to split an interlaced source into its fields, with the origin of their order.
///
/// It comes before all other stages because it makes frames: see `FieldReader`.
public enum DeinterlacingOptions: String, PictureStage, CaseIterable {
  /// The order that the source states.
  case auto
  /// Top field first: lines 1, 3, 5 and so on.
  case top
  /// Bottom field first: lines 2, 4, 6 and so on.
  case bottom

  /// The stage's key in the description of a clip.
  public static var name: String { "deinterlace" }

  /// Returns the order of the fields of `video`.
  ///
  /// - Throws: `outOfRange` if the source should state it and does not; `badData` if it cannot have fields.
  func order(of video: VideoTrack, _ path: FilePath) throws(OvercrankError) -> FieldOrder {
    guard !video.isRaw || video.isGrey else {
      throw OvercrankError(
        .badData,
        "\(path): is a sensor's mosaic, whose lines have different colours and are not fields. Do not "
          + "deinterlace it.")
    }
    switch self {
    case .top: return .top
    case .bottom: return .bottom
    case .auto:
      if let order = video.fieldOrder { return order }
      throw OvercrankError(
        .outOfRange,
        "\(path): does not state that it is interlaced. If it is, choose the field that was captured first; "
          + "if not, do not deinterlace it.",
        remedy: .chooseFieldOrder)
    }
  }
}
