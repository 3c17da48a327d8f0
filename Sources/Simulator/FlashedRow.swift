import Media
import Platform

/// A coder of a Motion JPEG mode's rows in which a flash whitens some of the pixel rows.
final class FlashedRow {
  private var decoder: JPEGDecoder
  private let encoder: JPEGEncoder
  private let width: Int

  /// Creates a coder with the tables of rows that were coded at `quality`.
  init(width: Int, quality: Int) throws(OvercrankError) {
    decoder = try JPEGDecoder()
    encoder = try JPEGEncoder(quality: quality)
    self.width = width
  }

  /// Returns `jpeg`, a row coded as a separate picture, with white in the pixel rows `white`; `nil` if it
  /// cannot be decoded.
  func code(_ jpeg: [UInt8], white: Range<Int>) -> [UInt8]? {
    guard let picture = try? jpeg.withUnsafeBytes({ try decoder.decode($0) }) else { return nil }
    let stride = JPEGEncoder.lumaStride(width: width)
    let planes = (0..<3).map { plane in
      (0..<picture.height).flatMap { row in
        picture.withRow(row, plane: plane) { span in
          let count = plane == 0 ? stride : stride / 2
          guard !white.contains(row) else { return [UInt8](repeating: plane == 0 ? 255 : 128, count: count) }
          return (0..<count).map { span[min($0, span.count - 1)] }
        }
      }
    }
    let (luma, blue, red) = (planes[0], planes[1], planes[2])
    return try? encoder.encode(
      luma: luma.span, blue: blue.span, red: red.span, width: width, height: picture.height)
  }
}
