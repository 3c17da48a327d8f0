/// The arrangement of several cameras' pictures in one clip.
public enum ClipLayout: String, Codable, Hashable, Sendable, CaseIterable {
  /// From left to right, all of the same height.
  case side
  /// From top to bottom, all of the same width.
  case stack
  /// In rows and columns of equal cells, with black bars around pictures of another shape.
  case grid
  /// The first camera's picture whole, and the others small in its corners, clockwise from the lower right.
  case inset
}
