import Overcrank

/// The fields that a photo adds to the list of takes.
struct PhotoResponse: Encodable, Sendable {
  var file: String
  /// The media type, for browsers.
  var type: String
  var isMotion: Bool
  /// Whether it has a video in a file of its own, as a Live Photo has.
  var hasVideo: Bool
  /// The number of its pictures: one, or those of a burst.
  var pictures: Int

  private enum CodingKeys: String, CodingKey {
    case file, type, pictures
    case isMotion = "is_motion"
    case hasVideo = "has_video"
  }

  init(_ photo: LibraryPhoto) {
    file = photo.path.name
    type = "image/\(photo.format.rawValue)"
    isMotion = photo.kind == .motionPhoto
    hasVideo = photo.video != nil
    pictures = photo.pictures.count
  }
}
