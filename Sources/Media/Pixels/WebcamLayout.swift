/// The order of a webcam's bytes that are neither packed pixels nor whole planes, by the "Reserved Format Identifiers" of
/// the kernel's manual and the drivers named there.
enum WebcamLayout: Hashable, Sendable {
  /// 4:2:0 in rows, in an order that repeats every two rows of luma: `Y` is a row of luma, `U` and `V` are rows of Cb and
  /// Cr, and `P` is a row of luma with the chroma of both rows, as Cr Y Cb Y.
  ///
  /// If it is signed, 0 stands for 128.
  case rows(String, isSigned: Bool = false)
  /// 4:2:0 in pieces: 256 samples of luma in reading order, then 64 of Cb and 64 of Cr.
  case pieces
  /// 4:2:0 in blocks of 16 x 8 pixels: two of 8 x 8 samples of luma, then one of 8 x 4 of Cb and one of Cr.
  case blocks
  /// A mosaic with the even columns of a row first, then the odd ones.
  case halves

  /// Returns the bytes of a row on average, if a frame can have this size; `nil` if it cannot.
  func bytesPerRow(width: Int, height: Int) -> Int? {
    switch self {
    case .rows: width % 2 == 0 && height % 2 == 0 ? width / 2 * 3 : nil
    case .pieces: width % 2 == 0 && height % 2 == 0 && width * height % 256 == 0 ? width / 2 * 3 : nil
    case .blocks: width % 16 == 0 && height % 8 == 0 ? width / 2 * 3 : nil
    case .halves: width % 2 == 0 ? width : nil
    }
  }

  /// Unpacks a frame of the picture's size.
  func unpack(_ frame: UnsafePointer<UInt8>, to picture: Picture) {
    var planes = (0..<3).compactMap { SampleWriter(picture, plane: $0) }
    var source = frame
    func take(_ count: Int, to plane: Int, step: Int = 1, flipping: UInt8 = 0) {
      planes[plane].write(source, count, step: step, flipping: flipping)
    }
    let (width, height) = (picture.width, picture.height)
    switch self {
    case .rows(let order, let isSigned):
      let flipping: UInt8 = isSigned ? 0x80 : 0
      for _ in 0..<height / 2 {
        for row in order {
          switch row {
          case "P":
            for (offset, plane) in [(0, 2), (2, 1)] {
              planes[plane].write(source + offset, width / 2, step: 4, flipping: flipping)
            }
            planes[0].write(source + 1, width, step: 2, flipping: flipping)
            source += 2 * width
          case "Y":
            take(width, to: 0, flipping: flipping)
            source += width
          default:
            take(width / 2, to: row == "U" ? 1 : 2, flipping: flipping)
            source += width / 2
          }
        }
      }
    case .pieces:
      for _ in 0..<width * height / 256 {
        for (plane, count) in [256, 64, 64].enumerated() {
          take(count, to: plane)
          source += count
        }
      }
    case .blocks:
      for top in stride(from: 0, to: height, by: 8) {
        for left in stride(from: 0, to: width, by: 16) {
          for (plane, x, rows) in [(0, left, 8), (0, left + 8, 8), (1, left / 2, 4), (2, left / 2, 4)] {
            for row in 0..<rows {
              planes[plane].move(toColumn: x, row: (plane == 0 ? top : top / 2) + row)
              take(8, to: plane)
              source += 8
            }
          }
        }
      }
    case .halves:
      for row in 0..<height {
        for half in 0..<2 {
          for index in 0..<width / 2 {
            planes[0].move(toColumn: 2 * index + half, row: row)
            take(1, to: 0)
            source += 1
          }
        }
      }
    }
  }
}

/// A writer of a plane's samples in reading order.
private struct SampleWriter {
  private let base: UnsafeMutablePointer<UInt8>
  private let stride: Int
  private let width: Int
  private var column = 0
  private var row = 0

  /// Creates a writer of the plane `plane` of `picture`; `nil` if there is none.
  init?(_ picture: Picture, plane: Int) {
    guard let base = picture.planeBases[plane],
      let planes = picture.layout.planes(width: picture.width, height: picture.height),
      planes.indices.contains(plane)
    else { return nil }
    self.base = base
    stride = Int(picture.planeStrides[plane])
    width = planes[plane].bytesPerRow
  }

  mutating func move(toColumn column: Int, row: Int) { (self.column, self.row) = (column, row) }

  /// Writes `count` samples that are `step` bytes apart, each with the bits `flipping` inverted.
  mutating func write(_ source: UnsafePointer<UInt8>, _ count: Int, step: Int, flipping: UInt8) {
    for index in 0..<count {
      base[row * stride + column] = source[index * step] ^ flipping
      column += 1
      if column == width { (column, row) = (0, row + 1) }
    }
  }
}
