import Foundation
import Overcrank
import Synchronization

/// The display of motion detection: JSON lines, a picture that is redrawn on a terminal, or a line for each
/// onset.
final class MotionDisplay: Sendable {
  private struct State {
    var first: Instant?
    var lastDrawn: Instant?
    var highest = 0.0
    var onsets = 0
    var isOver = false
    /// The number of lines of the picture on the terminal; 0 if there is none.
    var drawn = 0
    /// The strongest analysis since the last picture, so that brief motion is not missed.
    var peak: FrameMotion?
  }

  private let settings: MotionSettings
  private let isJSON: Bool
  private let isQuiet: Bool
  private let duration: Duration?
  private let stop: @Sendable () -> Void
  private let state = Mutex(State())
  private let isTerminal = isatty(STDOUT_FILENO) == 1

  /// The shortest time between two pictures.
  private static let drawInterval = Duration.milliseconds(100)

  init(
    _ settings: MotionSettings, isJSON: Bool, isQuiet: Bool, until duration: Duration?,
    stop: @escaping @Sendable () -> Void
  ) {
    self.settings = settings
    self.isJSON = isJSON
    self.isQuiet = isQuiet
    self.duration = duration
    self.stop = stop
  }

  /// Shows an analysis of a frame in `mode`. Called on the thread that analyses.
  func show(_ look: FrameMotion, in mode: Mode) {
    let isOver = state.withLock { state in
      let first = state.first ?? look.timestamp
      state.first = first
      if let duration, look.timestamp - first >= duration {
        state.isOver = true
        return true
      }
      guard !state.isOver else { return false }
      state.highest = max(state.highest, look.score)
      if look.isOnset { state.onsets += 1 }
      if isJSON {
        Console.sayData(Self.json(MotionReport(look, settings, in: mode)))
      } else if isTerminal {
        draw(look, &state)
      } else if look.isOnset {
        Console.say("Frame \(look.sequence): motion, \(MotionText.percent(look.score)) of the region.")
      }
      if let factor = look.light, !isJSON, !isQuiet {
        Console.remark(
          "Frame \(look.sequence): the light has changed and is \(MotionText.times(factor)) as bright.")
      }
      return false
    }
    if isOver { stop() }
  }

  /// Prints a summary.
  func finish() {
    let (highest, onsets) = state.withLock { ($0.highest, $0.onsets) }
    guard !isJSON else { return }
    Console.say(
      "Highest score: \(MotionText.percent(highest)); \(MotionText.percent(settings.area)) triggers. "
        + (onsets == 1 ? "Motion began once." : "Motion began \(onsets) times."))
  }

  private func draw(_ look: FrameMotion, _ state: inout State) {
    if state.peak.map({ $0.score <= look.score || look.isOnset }) ?? true { state.peak = look }
    guard state.lastDrawn.map({ look.timestamp - $0 >= Self.drawInterval }) ?? true, let peak = state.peak
    else { return }
    state.lastDrawn = look.timestamp
    state.peak = nil
    let picture = MotionText.picture(peak.map, columns: min(64, (Console.width ?? 80) - 2))
    let lines = picture + [MotionText.line(peak, settings)]
    // Move up to the first line of the last picture, and replace each line.
    let up = state.drawn > 0 ? "\u{1b}[\(state.drawn)A" : ""
    state.drawn = lines.count
    Console.sayData(up + lines.map { "\u{1b}[2K\($0)" }.joined(separator: "\n"))
  }

  private static func json(_ report: MotionReport) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return (try? encoder.encode(report)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

/// An analysis of motion in the form that `--json` prints.
struct MotionReport: Encodable {
  var sequence: UInt32
  var time: Instant
  var score: Double
  var area: Double
  var threshold: Int
  var isMoving: Bool
  var isOnset: Bool
  @Nullable var light: Double?
  @Nullable var bounds: Bounds?

  /// The rectangle in pixels that contains all changes.
  struct Bounds: Encodable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  enum CodingKeys: String, CodingKey {
    case sequence, score, area, threshold, light, bounds
    case time = "timestamp_ns"
    case isMoving = "moving"
    case isOnset = "onset"
  }

  init(_ look: FrameMotion, _ settings: MotionSettings, in mode: Mode) {
    sequence = look.sequence
    time = look.timestamp
    score = look.score
    area = settings.area
    threshold = settings.threshold
    isMoving = look.isMoving
    isOnset = look.isOnset
    light = look.light
    let (width, height) = (Int(mode.width), Int(mode.height))
    bounds = look.map.bounds.map { bounds in
      let (left, top) = (
        bounds.columns.lowerBound * width / look.map.columns, bounds.rows.lowerBound * height / look.map.rows
      )
      return Bounds(
        x: left, y: top, width: bounds.columns.upperBound * width / look.map.columns - left,
        height: bounds.rows.upperBound * height / look.map.rows - top)
    }
  }
}

/// Motion as text and character graphics.
enum MotionText {
  /// Returns a text such as `2.5 %`.
  static func percent(_ part: Double) -> String { String(format: "%.1f %%", part * 100) }

  /// Returns a text such as `1.5 times`.
  static func times(_ factor: Double) -> String { String(format: "%.2g times", factor) }

  /// Returns a small picture of the changed places: two rows per line, with dots for places that are ignored.
  static func picture(_ map: MotionMap, columns: Int) -> [String] {
    let columns = max(1, min(columns, map.columns))
    let rows = max(2, map.rows * columns / map.columns)
    func cell(_ column: Int, _ row: Int) -> (isLookedAt: Bool, hasChanged: Bool) {
      let across = column * map.columns / columns..<max((column + 1) * map.columns / columns, 1)
      let down = row * map.rows / rows..<max((row + 1) * map.rows / rows, row * map.rows / rows + 1)
      var (isLookedAt, changed) = (false, 0)
      for y in down where y < map.rows {
        for x in across where x < map.columns {
          isLookedAt = isLookedAt || map.isLookedAt(column: x, row: y)
          if map.hasChanged(column: x, row: y) { changed += 1 }
        }
      }
      return (isLookedAt, changed * 3 >= across.count * down.count && changed > 0)
    }
    return stride(from: 0, to: rows, by: 2).map { row in
      String(
        (0..<columns).map { column -> Character in
          let upper = cell(column, row)
          let lower = row + 1 < rows ? cell(column, row + 1) : (isLookedAt: false, hasChanged: false)
          switch (upper.hasChanged, lower.hasChanged) {
          case (true, true): return "\u{2588}"
          case (true, false): return "\u{2580}"
          case (false, true): return "\u{2584}"
          case (false, false): return upper.isLookedAt || lower.isLookedAt ? " " : "\u{b7}"
          }
        })
    }
  }

  /// Returns a line with the score, the area, and whether there is motion.
  static func line(_ look: FrameMotion, _ settings: MotionSettings) -> String {
    let state = look.light != nil ? "the light has changed" : look.isMoving ? "motion" : "still"
    return
      "score \(percent(look.score)), area \(percent(settings.area)), threshold \(settings.threshold): \(state)"
  }
}
