public import CameraModel

/// The pixels are turned, which every player shows: many know no matrix that mirrors, and Matroska none at all. What the
/// film itself says comes first.
extension PictureTurn: PictureStage {
  /// Its key in the description of a clip.
  public static var name: String { "turn" }
}
