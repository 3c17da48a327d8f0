import Platform
import CameraModel
import Cameras
public import Timebase

/// The analysis of a frame for motion.
public struct FrameMotion: Hashable, Sendable {
  /// The camera's sequence number of the frame.
  public var sequence: UInt32
  /// The capture time, on the camera's clock.
  public var timestamp: Instant
  /// The share of the region that changed within a thirtieth of a second, from 0 to 1.
  public var score: Double
  /// Whether motion begins here: once, and again after stillness.
  public var isOnset: Bool
  /// Whether something moves, or did in the last half second.
  public var isMoving: Bool
  /// The factor by which the scene became brighter, if a change of the light as a whole has just ended; such
  /// a change is not motion.
  public var light: Double?
  /// The latest time at which the scene was still, on the camera's clock; at most 250 ms before.
  public var stillUntil: Instant
  /// The map of the changes.
  public var map: MotionMap
}

/// The changed cells of a picture.
public struct MotionMap: Hashable, Sendable {
  /// The number of columns; each cell spans the picture's width or height divided by the number of columns or
  /// rows.
  public let columns: Int
  /// The number of rows.
  public let rows: Int
  /// Whether each cell has changed, row by row.
  let changed: [UInt8]
  /// Whether each cell counts, row by row.
  let counted: [UInt8]

  /// Returns whether the cell in this column and row has changed.
  public func hasChanged(column: Int, row: Int) -> Bool { changed[row * columns + column] != 0 }

  /// Returns whether the cell in this column and row counts.
  public func isLookedAt(column: Int, row: Int) -> Bool { counted[row * columns + column] != 0 }

  /// The range of columns and rows that contains all changes; `nil` if there are none.
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

/// Looks for motion in consecutive frames. Use from one thread at a time.
struct MotionDetector: ~Copyable {
  private let settings: MotionSettings
  private var reader = LumaReader(lookingFor: "Motion")
  private var analysis: MotionAnalysis?
  private var field: MotionField?
  /// The field's frame format; the session may change its mode.
  private var format: FrameFormat?
  /// The first frame's size, which region and mask refer to.
  private var firstSize: (width: Int, height: Int)?

  init(_ settings: MotionSettings) { self.settings = settings }

  /// Analyses `frame`; `nil` if there is nothing to compare it with yet.
  ///
  /// - Throws: `OvercrankError` if the format is not supported or the frame is damaged.
  mutating func look(at frame: CapturedFrame) throws(OvercrankError) -> FrameMotion? {
    let next = frame.configuration.frameFormat
    if format != next { try begin(next) }
    guard let grid = try reader.grid(of: frame), let field,
      let reading = analysis?.look(grid, at: frame.timestamp)
    else { return nil }
    return FrameMotion(
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
    // After a change of mode, region and mask keep their places in the picture.
    let field = try MotionField(settings, width: first.width, height: first.height)
    let size = MotionField.size(width: next.width, height: next.height)
    let fitted =
      size == (field.columns, field.rows) ? field : field.resized(columns: size.columns, rows: size.rows)
    self.field = fitted
    analysis = MotionAnalysis(fitted, settings)
  }
}
