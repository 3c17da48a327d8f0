public import CameraModel

/// How a player turns and mirrors pictures by quarters of a turn: first rows may become columns, then either way may be
/// turned round.
public struct Orientation: Hashable, Sendable {
  /// Whether rows are shown as columns.
  public var isTurned = false
  /// Whether what is shown is turned round from left to right.
  public var isMirroredAcross = false
  /// Whether what is shown is turned round from top to bottom.
  public var isMirroredDown = false

  /// As the pictures lie in the file.
  public static let upright = Orientation()

  /// As the pictures lie in the file, turned and mirrored.
  public init() {}

  /// What comes of `turn`.
  public init(_ turn: PictureTurn) {
    isTurned = turn.degrees % 180 != 0
    // A quarter clockwise has the first column as its first row, and begins at the other end of it.
    isMirroredAcross = (turn.degrees == 90 || turn.degrees == 180) != turn.isMirrored
    isMirroredDown = turn.degrees == 180 || turn.degrees == 270
  }

  /// This one, with what is shown turned and mirrored once more.
  public func followed(by other: Orientation) -> Orientation {
    var both = Orientation()
    both.isTurned = isTurned != other.isTurned
    both.isMirroredAcross =
      (other.isTurned ? isMirroredDown : isMirroredAcross) != other.isMirroredAcross
    both.isMirroredDown = (other.isTurned ? isMirroredAcross : isMirroredDown) != other.isMirroredDown
    return both
  }

  /// How a picture of these sides is shown, and the other way round.
  public func turned(width: Int, height: Int) -> (width: Int, height: Int) {
    isTurned ? (height, width) : (width, height)
  }

  /// The part of a picture in the file that is seen as `crop` of one that is shown as `width` x `height`.
  ///
  /// - Parameters:
  ///   - crop: in even numbers; so is the part, at an odd width or height up to a pixel beside it.
  ///   - width: pixels in a row, as shown.
  ///   - height: rows, as shown.
  public func stored(_ crop: PictureCrop, shownWidth width: Int, shownHeight height: Int) -> PictureCrop {
    let x = isMirroredAcross ? (width - crop.x - crop.width) & ~1 : crop.x
    let y = isMirroredDown ? (height - crop.y - crop.height) & ~1 : crop.y
    return isTurned
      ? PictureCrop(width: crop.height, height: crop.width, x: y, y: x)
      : PictureCrop(width: crop.width, height: crop.height, x: x, y: y)
  }
}

extension DisplayMatrix {
  /// The matrix of an orientation; `nil` for upright.
  init?(_ orientation: Orientation) {
    guard orientation != .upright else { return nil }
    // Fixed point: 16 bits behind the point, 30 in the last column (ISO/IEC 14496-12, 8.3.2).
    let one: Int32 = 1 << 16
    let (x, y) = (orientation.isMirroredAcross ? -one : one, orientation.isMirroredDown ? -one : one)
    let terms = orientation.isTurned ? [0, y, 0, x, 0, 0, 0, 0, 1 << 30] : [x, 0, 0, 0, y, 0, 0, 0, 1 << 30]
    self.init(terms: terms)
  }
}

extension Orientation {
  /// The orientation nearest to a display matrix, whose terms a, b, u, c, d, v, ... make `a x + c y` and `b x + d y` of a
  /// pixel's place.
  init(_ matrix: DisplayMatrix) {
    let (a, b) = (Int64(matrix.terms[0]), Int64(matrix.terms[1]))
    let (c, d) = (Int64(matrix.terms[3]), Int64(matrix.terms[4]))
    isTurned = b.magnitude + c.magnitude > a.magnitude + d.magnitude
    isMirroredAcross = (isTurned ? c : a) < 0
    isMirroredDown = (isTurned ? b : d) < 0
  }
}
