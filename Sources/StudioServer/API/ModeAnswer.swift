import CameraModel

/// A mode as the API tells it: as everywhere, and in words.
struct ModeAnswer: Encodable, Sendable {
  let mode: Mode

  init(_ mode: Mode) { self.mode = mode }

  private enum CodingKeys: String, CodingKey { case text }

  func encode(to encoder: any Encoder) throws {
    try mode.encode(to: encoder)
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(mode.description, forKey: .text)
  }
}
