public import CameraModel

/// A rotation and mirroring of pictures by quarter turns: rows and columns may be exchanged first, then each
/// direction may be reversed.
public struct Orientation: Hashable, Sendable {
  /// Whether rows are shown as columns.
  public var isTurned = false
  /// Whether the result is reversed from left to right.
  public var isMirroredAcross = false
  /// Whether the result is reversed from top to bottom.
  public var isMirroredDown = false

  /// The orientation of the pictures in the file.
  public static let upright = Orientation()

  /// Creates the upright orientation.
  public init() {}

  /// Creates the orientation that results from `turn`.
  public init(_ turn: PictureTurn) {
    isTurned = turn.degrees % 180 != 0
    // A quarter turn clockwise makes the first column the first row, in reverse.
    isMirroredAcross = (turn.degrees == 90 || turn.degrees == 180) != turn.isMirrored
    isMirroredDown = turn.degrees == 180 || turn.degrees == 270
  }

  /// Returns this orientation followed by `other`.
  public func followed(by other: Orientation) -> Orientation {
    var both = Orientation()
    both.isTurned = isTurned != other.isTurned
    both.isMirroredAcross =
      (other.isTurned ? isMirroredDown : isMirroredAcross) != other.isMirroredAcross
    both.isMirroredDown = (other.isTurned ? isMirroredAcross : isMirroredDown) != other.isMirroredDown
    return both
  }

  /// Returns the shown size of a picture with this size, and vice versa.
  public func turned(width: Int, height: Int) -> (width: Int, height: Int) {
    isTurned ? (height, width) : (width, height)
  }

  /// Returns the part of a stored picture that is seen as `crop` of the picture shown as `width` x `height`.
  ///
  /// - Parameters:
  ///   - crop: a rectangle with even numbers; the result has even numbers too, up to a pixel off at an odd
  ///     width or height.
  ///   - width: the shown pixels per row.
  ///   - height: the shown number of rows.
  public func stored(_ crop: PictureCrop, shownWidth width: Int, shownHeight height: Int) -> PictureCrop {
    let x = isMirroredAcross ? (width - crop.x - crop.width) & ~1 : crop.x
    let y = isMirroredDown ? (height - crop.y - crop.height) & ~1 : crop.y
    return isTurned
      ? PictureCrop(width: crop.height, height: crop.width, x: y, y: x)
      : PictureCrop(width: crop.width, height: crop.height, x: x, y: y)
  }
}

extension DisplayMatrix {
  /// Creates the matrix of an orientation; `nil` for upright.
  init?(_ orientation: Orientation) {
    guard orientation != .upright else { return nil }
    // Fixed point: 16 fractional bits, 30 in the last column (ISO/IEC 14496-12, 8.3.2).
    let one: Int32 = 1 << 16
    let (x, y) = (orientation.isMirroredAcross ? -one : one, orientation.isMirroredDown ? -one : one)
    let terms = orientation.isTurned ? [0, y, 0, x, 0, 0, 0, 0, 1 << 30] : [x, 0, 0, 0, y, 0, 0, 0, 1 << 30]
    self.init(terms: terms)
  }
}

extension Orientation {
  /// Creates the orientation nearest to a display matrix, whose terms a, b, u, c, d, v, ... map a pixel's
  /// position to `a x + c y` and `b x + d y`.
  init(_ matrix: DisplayMatrix) {
    let (a, b) = (Int64(matrix.terms[0]), Int64(matrix.terms[1]))
    let (c, d) = (Int64(matrix.terms[3]), Int64(matrix.terms[4]))
    isTurned = b.magnitude + c.magnitude > a.magnitude + d.magnitude
    isMirroredAcross = (isTurned ? c : a) < 0
    isMirroredDown = (isTurned ? b : d) < 0
  }
}
