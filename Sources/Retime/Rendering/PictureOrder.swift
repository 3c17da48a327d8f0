/// The order of pictures from a decoder whose source may state a wrong time for one.
///
/// A decoder returns pictures in the order in which they are shown, which the coded pictures state themselves.
/// Their times come from the container, where one may be wrong. A picture whose time puts it after many that
/// the decoder returns later takes its place by that order; otherwise all of those would come too late for
/// the clip.
struct PictureOrder<Picture> {
  /// The newest picture, until the next one shows whether its index is plausible.
  private var held: (index: Int, picture: Picture)?
  /// The indices that pictures before them stated wrongly.
  private var vacated: [Int] = []

  /// The most places by which decoders return pictures out of order if they underestimate the reordering.
  private static var reordering: Int { 4 }

  /// Adds a picture with its index by its time, and returns the picture whose turn it is; `nil` for none yet.
  mutating func add(_ picture: Picture, _ index: Int) -> (index: Int, picture: Picture)? {
    let place = index + vacated.count { $0 > index }
    vacated.removeAll { $0 <= index }
    guard let before = held else {
      held = (place, picture)
      return nil
    }
    guard place < before.index else {
      held = (place, picture)
      return before
    }
    guard before.index - place > Self.reordering else { return (place, picture) }
    vacated.append(before.index)
    held = (place + 1, picture)
    return (place, before.picture)
  }

  /// Returns the last picture, after which there is none.
  mutating func last() -> (index: Int, picture: Picture)? {
    defer { held = nil }
    return held
  }
}
