import Platform
import CameraModel
import Cameras
import Media
public import Timebase

/// What a look at a frame says of motion.
public struct MotionLook: Hashable, Sendable {
  /// The camera's number of the frame.
  public var sequence: UInt32
  /// When it was captured, on the camera's clock.
  public var timestamp: Instant
  /// Which part of the region has changed within a thirtieth of a second, from 0 to 1.
  public var score: Double
  /// Whether motion begins here: once, and again after stillness.
  public var isOnset: Bool
  /// Whether something moves, or has moved in the last half second.
  public var isMoving: Bool
  /// How many times as bright the scene has become, where a change of the light as a whole has just
  /// come to its end; such a change is no motion.
  public var light: Double?
  /// When the scene was still for the last time, on the camera's clock; at most 250 ms before.
  public var stillUntil: Instant
  /// Where the changes are.
  public var map: MotionMap
}

/// Where a picture has changed.
public struct MotionMap: Hashable, Sendable {
  /// Cells across; each is as wide and as high as the picture divided by their number.
  public let columns: Int
  /// Cells down.
  public let rows: Int
  /// Whether each cell has changed, row by row.
  let changed: [UInt8]
  /// Whether each cell is looked at, row by row.
  let counted: [UInt8]

  /// Whether the cell in this column and row has changed.
  public func hasChanged(column: Int, row: Int) -> Bool { changed[row * columns + column] != 0 }

  /// Whether the cell in this column and row is looked at.
  public func isLookedAt(column: Int, row: Int) -> Bool { counted[row * columns + column] != 0 }

  /// The columns and rows that hold all changes; `nil` where there are none.
  public var bounds: (columns: Range<Int>, rows: Range<Int>)? {
    var (left, right, top, bottom) = (columns, 0, rows, 0)
    for row in 0..<rows {
      for column in 0..<columns where changed[row * columns + column] != 0 {
        (left, right) = (min(left, column), max(right, column + 1))
        (top, bottom) = (min(top, row), max(bottom, row + 1))
      }
    }
    return left < right ? (left..<right, top..<bottom) : nil
  }
}

/// Looks for motion in frames, one after another. Use from one thread at a time.
struct MotionDetector: ~Copyable {
  private let settings: MotionSettings
  private var reader = LumaReader(lookingFor: "Motion")
  private var analysis: MotionAnalysis?
  private var field: MotionField?
  /// What the field is for; the session may change its mode.
  private var format: FrameFormat?
  /// The picture's size that region and mask are given for: that of the first frame.
  private var firstSize: (width: Int, height: Int)?

  init(_ settings: MotionSettings) { self.settings = settings }

  /// Looks at `frame`; `nil` where there is nothing yet to compare it with.
  ///
  /// - Throws: `OvercrankError` where its format cannot be looked at, or the frame is damaged.
  mutating func look(at frame: CapturedFrame) throws(OvercrankError) -> MotionLook? {
    let next = frame.configuration.frameFormat
    if format != next { try begin(next) }
    guard let grid = try reader.grid(of: frame), let field,
      let reading = analysis?.look(grid, at: frame.timestamp)
    else { return nil }
    return MotionLook(
      sequence: frame.sequence, timestamp: frame.timestamp, score: reading.score,
      isOnset: reading.isOnset, isMoving: reading.isMoving, light: reading.light,
      stillUntil: reading.stillUntil,
      map: MotionMap(
        columns: field.columns, rows: field.rows, changed: reading.changed, counted: field.counted))
  }

  private mutating func begin(_ next: FrameFormat) throws(OvercrankError) {
    format = next
    field = nil
    analysis = nil
    let first = firstSize ?? (next.width, next.height)
    firstSize = first
    // In another mode, region and mask lie where they did in the first one.
    let field = try MotionField(settings, width: first.width, height: first.height)
    let size = MotionField.size(width: next.width, height: next.height)
    let fitted =
      size == (field.columns, field.rows) ? field : field.resized(columns: size.columns, rows: size.rows)
    self.field = fitted
    analysis = MotionAnalysis(fitted, settings)
  }
}
