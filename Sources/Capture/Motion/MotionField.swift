import Platform
import Media
import SystemPackage

/// The grid on which a picture is analysed, and the cells that count.
///
/// The grid hardly depends on the picture's size, so neither does the detection of motion.
struct MotionField: Hashable, Sendable {
  /// The maximum number of columns, and of rows.
  static let mostCells = 160
  /// The darkest grey that counts as white in a mask.
  private static let white: UInt8 = 128

  let columns: Int
  let rows: Int
  /// 1 for each cell that counts, row by row.
  let counted: [UInt8]
  /// The number of cells that count.
  let count: Int

  /// Creates the field for pictures of this size.
  ///
  /// - Throws: `OvercrankError` if the region is not in the picture, the mask cannot be read or has another
  ///   size, or no cell is left.
  init(_ settings: MotionSettings, width: Int, height: Int) throws(OvercrankError) {
    let size = Self.size(width: width, height: height)
    var cells = [UInt8](repeating: 1, count: size.columns * size.rows)
    if let region = settings.region {
      guard region.liesWithin(width: width, height: height) else {
        throw OvercrankError(
          .badValue,
          "The region \(region) extends beyond the picture, which is \(width)x\(height). Give a region within \(width)x\(height)+0+0.",
          remedy: .watchMotion)
      }
      for row in 0..<size.rows {
        let y = (2 * row + 1) * height
        for column in 0..<size.columns {
          let x = (2 * column + 1) * width
          // A cell belongs to the region that contains its centre.
          let isInside =
            x >= 2 * size.columns * region.x && x < 2 * size.columns * (region.x + region.width)
            && y >= 2 * size.rows * region.y && y < 2 * size.rows * (region.y + region.height)
          if !isInside { cells[row * size.columns + column] = 0 }
        }
      }
    }
    if let path = settings.mask {
      let mask = try Self.mask(path, width: width, height: height, size)
      for index in cells.indices where mask[index] < Self.white { cells[index] = 0 }
    }
    (columns, rows) = size
    counted = cells
    count = cells.reduce(0) { $0 + Int($1) }
    guard count > 0 else {
      throw OvercrankError(
        .badValue, "The region and the mask leave no part of the picture to watch. Make them larger.",
        remedy: .watchMotion)
    }
  }

  /// Returns the field resampled to another number of columns and rows.
  func resized(columns: Int, rows: Int) -> MotionField {
    MotionField(
      columns: columns, rows: rows,
      counted: (0..<columns * rows).map { index in
        counted[index / columns * self.rows / rows * self.columns + index % columns * self.columns / columns]
      })
  }

  /// Creates a field in which all cells count.
  init(columns: Int, rows: Int) {
    self.init(columns: columns, rows: rows, counted: [UInt8](repeating: 1, count: columns * rows))
  }

  private init(columns: Int, rows: Int, counted: [UInt8]) {
    (self.columns, self.rows, self.counted) = (columns, rows, counted)
    count = max(1, counted.reduce(0) { $0 + Int($1) })
  }

  /// Returns the largest grid in the picture's proportions.
  static func size(width: Int, height: Int) -> (columns: Int, rows: Int) {
    let (width, height) = (max(1, width), max(1, height))
    let longest = max(width, height)
    guard longest > mostCells else { return (width, height) }
    return (max(1, width * mostCells / longest), max(1, height * mostCells / longest))
  }

  private static func mask(
    _ path: FilePath, width: Int, height: Int, _ size: (columns: Int, rows: Int)
  ) throws(OvercrankError) -> [UInt8] {
    do throws(OvercrankError) {
      let picture = try firstPicture(of: path)
      guard picture.width == width, picture.height == height else {
        throw OvercrankError(
          .outOfRange,
          "\(path): the mask is \(picture.width)x\(picture.height), but the camera's picture is \(width)x\(height). Make the mask as large as the picture."
        )
      }
      var converter = PictureConverter(
        width: size.columns, height: size.rows, color: .jpeg, layout: .gray)
      return LumaGrid(try converter.convert(picture)).values
    } catch {
      let words = error.description
      throw OvercrankError(
        error.code, words.hasPrefix("\(path)") ? words : "\(path): is not a mask: \(words)")
    }
  }

  private static func firstPicture(of path: FilePath) throws(OvercrankError) -> Picture {
    var video = try Demuxer(path)
    var decoder = try VideoDecoder(video.track)
    if let packet = try video.nextPacket() {
      try decoder.send(packet)
      try decoder.finish()
      if let picture = try decoder.nextPicture() { return picture }
    }
    throw OvercrankError(.badData, "\(path): has no picture that can be decoded. Give a PNG.")
  }
}

/// The luma of a picture on a coarse grid.
struct LumaGrid: Hashable, Sendable {
  let columns: Int
  let rows: Int
  /// The values, row by row.
  let values: [UInt8]

  init(columns: Int, rows: Int, values: [UInt8]) {
    precondition(values.count == columns * rows, "a grid has a value for each cell")
    self.columns = columns
    self.rows = rows
    self.values = values
  }

  /// Creates a grid of `picture`'s luma, one cell per pixel.
  init(_ picture: Picture) {
    var values: [UInt8] = []
    values.reserveCapacity(picture.width * picture.height)
    for row in 0..<picture.height {
      picture.withRow(row, plane: 0) { line in
        line.withUnsafeBufferPointer { values.append(contentsOf: $0) }
      }
    }
    self.init(columns: picture.width, rows: picture.height, values: values)
  }
}
