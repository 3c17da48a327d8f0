import Overcrank

/// What a photo in the list of takes has beyond a take.
struct PhotoAnswer: Encodable, Sendable {
  var file: String
  /// What a browser is told that it is.
  var type: String
  var isMotion: Bool

  private enum CodingKeys: String, CodingKey {
    case file, type
    case isMotion = "is_motion"
  }

  init(_ photo: LibraryPhoto) {
    file = photo.path.name
    type = "image/\(photo.format.rawValue)"
    isMotion = photo.isMotionPhoto
  }
}

extension TakeAnswer {
  init(_ photo: LibraryPhoto, id: String) {
    self.id = id
    name = photo.name
    date = photo.date
    bytes = photo.bytes
    kind = "photo"
    self.photo = PhotoAnswer(photo)
  }
}
