import Timebase

/// The flashes that a simulated sensor sees, and the rows that it exposes meanwhile.
///
/// Every row is exposed from its start to its start in the next frame, so each flash is seen once in each row.
/// Row `r` starts `r` line times after the frame.
struct SensorFlash: Sendable {
  /// The true times of the flashes, in nanoseconds.
  private let instants: [Int64]
  /// The time from the start of a row to that of the next, in nanoseconds; 0 for a global shutter.
  private let line: Int64

  init(epoch: Int64, faults: SimulatedFaults) {
    instants = faults.flashes.map { epoch.adding(clamping: $0.wholeNanoseconds) }.sorted()
    line = faults.lineTime.wholeNanoseconds
  }

  /// Whether no flash ever comes.
  var isEmpty: Bool { instants.isEmpty }

  /// Returns the rows that flashes whiten in a frame whose first row is exposed during `exposure`.
  func rows(exposed exposure: Range<Int64>, height: Int) -> [Range<Int>] {
    var rows: [Range<Int>] = []
    for instant in instants {
      let sinceStart = instant.subtracting(clamping: exposure.lowerBound)
      guard sinceStart >= 0 else { continue }
      let sinceEnd = instant.subtracting(clamping: exposure.upperBound)
      guard line > 0 else {
        if sinceEnd < 0 { rows.append(0..<height) }
        continue
      }
      // The rows that have started, without those whose next exposure has.
      let first = sinceEnd < 0 ? 0 : Int(clamping: sinceEnd / line + 1)
      let end = Int(clamping: sinceStart / line + 1)
      let lit = min(first, height)..<min(end, height)
      if !lit.isEmpty { rows.append(lit) }
    }
    return rows
  }
}
