/// The end of a flash, as the rows of a rolling shutter tell it: between the starts of two exposures.
///
/// A row that begins to be exposed before a light goes out sees it, and one that begins later does not, however long
/// exposures last. So the end is the same moment for all cameras, and the beginning is not.
package struct FlashEnd: Hashable, Sendable {
  /// A row of a frame.
  package struct Place: Hashable, Sendable {
    /// The frame's place in the take.
    package var frame: Int
    /// The row, from 0 at the top.
    package var row: Int

    /// Creates the place of a row.
    package init(frame: Int, row: Int) { (self.frame, self.row) = (frame, row) }
  }

  /// The last row that saw the flash.
  package var lit: Place
  /// The next row that did not, though it sees other flashes. Its frame may be beyond the end of the take, and the row
  /// beyond that of the frame.
  package var dark: Place

  /// Creates the end of a flash between two rows.
  package init(lit: Place, dark: Place) { (self.lit, self.dark) = (lit, dark) }

  /// Whether both rows are in one frame, so that the line time places it.
  var isWithinFrame: Bool { lit.frame == dark.frame }
}

extension FlashDetector {
  /// The part of a row's light from which it surely saw the flash, and up to which it surely did not.
  private static let (litPart, darkPart): (Float, Float) = (0.5, 0.15)

  /// The ends of the flashes, in their order.
  package var ends: [FlashEnd] {
    let flashes = flashes
    guard let rowCount = flashes.first?.brightening.count else { return [] }
    var most = [Float](repeating: 0, count: rowCount)
    for flash in flashes {
      for (row, rise) in zip(most.indices, flash.brightening) { most[row] = max(most[row], rise) }
    }
    // An overlay, or what is far away, sees no flash. Twice the least rise, so that half of it is one.
    let sensitive = most.indices.filter { most[$0] >= 2 * leastRise(of: $0) }
    guard let first = sensitive.first else { return [] }
    return flashes.compactMap { flash in
      guard let scale = sensitive.map({ flash.brightening[$0] / most[$0] }).max(), scale > 0 else {
        return nil
      }
      var (lit, dark): (FlashEnd.Place?, FlashEnd.Place?)
      for frame in flash.frames {
        for row in sensitive where row < frame.rows.count {
          let part = frame.rows[row] / (most[row] * scale)
          let place = FlashEnd.Place(frame: frame.frame, row: row)
          if part >= Self.litPart {
            (lit, dark) = (place, nil)
          } else if part <= Self.darkPart, dark == nil {
            dark = place
          }
        }
      }
      guard let lit else { return nil }
      var end = FlashEnd(lit: lit, dark: dark ?? FlashEnd.Place(frame: lit.frame + 1, row: first))
      // A light that takes a while to go out leaves rows in between, and reaches none only beyond the dark row.
      if end.isWithinFrame { end.dark.row += (end.dark.row - end.lit.row) / 2 }
      return end
    }
  }
}
