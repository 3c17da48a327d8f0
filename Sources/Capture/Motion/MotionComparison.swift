import Glibc

/// The difference between a picture and one a moment before.
///
/// Flickering or switched light makes a whole picture brighter or darker by about the same factor, which
/// varies by row if a sensor reads its rows one after another. So a cell counts as changed only if its luma
/// differs both from its former value and from that value times the factor of its row.
struct MotionComparison {
  /// 1 for each counted cell that has changed, row by row.
  private(set) var changed: [UInt8]
  /// The number of changed cells.
  private(set) var changedCount = 0
  /// The logarithm of the factor by which the whole picture became brighter.
  private(set) var lightChange = 0.0
  /// The share of the picture that changed with the whole, from 0 to 1.
  private(set) var lightShare = 0.0

  /// The number of parts of a row; the row's factor is their median.
  private static let parts = 16
  /// The fixed-point value of a factor of one.
  private static let one: Int32 = 1024
  /// The range of factors that flickering lamps can cause.
  private static let plausibleFactors = one / 2...one * 2
  /// Luma below this says nothing about the light.
  private static let darkest: Int32 = 8
  /// The number of neighbouring rows on each side that a row's factor is smoothed over, by a median.
  private static let rowsAround = 2

  /// Compares `grid` with `reference`, which has the same size.
  ///
  /// - Parameters:
  ///   - field: The cells that count.
  ///   - threshold: The largest difference of luma that is not a change.
  init(_ grid: LumaGrid, with reference: LumaGrid, in field: MotionField, threshold: Int) {
    changed = [UInt8](repeating: 0, count: grid.values.count)
    let partWidth = max(1, (grid.columns + Self.parts - 1) / Self.parts)
    let parts = (grid.columns + partWidth - 1) / partWidth
    var sums = [Int32](repeating: 0, count: 2 * parts * grid.rows)
    Self.sum(grid, reference, partWidth: partWidth, parts: parts, into: &sums)
    let whole = Self.wholeFactor(sums, parts: parts, partWidth: partWidth, rows: grid.rows)
    lightChange = log(Double(whole.factor) / Double(Self.one))
    lightShare = whole.share
    let factors = Self.rowFactors(
      sums, parts: parts, partWidth: partWidth, rows: grid.rows,
      whole: min(max(whole.factor, Self.plausibleFactors.lowerBound), Self.plausibleFactors.upperBound))
    mark(grid, reference, field, factors, threshold: Int32(clamping: threshold))
  }

  /// Sums the luma of the parts of each row, for the picture and the reference.
  private static func sum(
    _ grid: LumaGrid, _ reference: LumaGrid, partWidth: Int, parts: Int, into sums: inout [Int32]
  ) {
    grid.values.withUnsafeBufferPointer { now in
      reference.values.withUnsafeBufferPointer { before in
        sums.withUnsafeMutableBufferPointer { sums in
          var place = 0
          for row in 0..<grid.rows {
            for part in 0..<parts {
              let end = row * grid.columns + min((part + 1) * partWidth, grid.columns)
              var (first, second) = (Int32(0), Int32(0))
              while place < end {
                first &+= Int32(now[place])
                second &+= Int32(before[place])
                place &+= 1
              }
              sums[2 * (row * parts + part)] = first
              sums[2 * (row * parts + part) + 1] = second
            }
          }
        }
      }
    }
  }

  /// Returns the factor between two sums of luma over `count` cells; `nil` if both are too dark.
  private static func factor(_ now: Int32, _ before: Int32, count: Int32) -> Int32? {
    guard now >= darkest &* count || before >= darkest &* count else { return nil }
    return Int32(clamping: (Int64(now) * Int64(one) + Int64(before) / 2) / Int64(max(1, before)))
  }

  /// Returns the median factor of the picture's blocks, and the share of blocks that changed in the same
  /// direction by at least half as much.
  private static func wholeFactor(
    _ sums: [Int32], parts: Int, partWidth: Int, rows: Int
  ) -> (factor: Int32, share: Double) {
    var factors: [Int32] = []
    for top in stride(from: 0, to: rows, by: partWidth) {
      let bottom = min(top + partWidth, rows)
      for part in 0..<parts {
        var (now, before) = (Int32(0), Int32(0))
        for row in top..<bottom {
          now &+= sums[2 * (row * parts + part)]
          before &+= sums[2 * (row * parts + part) + 1]
        }
        let count = Int32(clamping: (bottom - top) * partWidth)
        if let factor = factor(now, before, count: count) { factors.append(factor) }
      }
    }
    guard !factors.isEmpty else { return (one, 0) }
    factors.sort()
    let median = factors[factors.count / 2]
    let change = median - one
    let alike = factors.count { change >= 0 ? $0 - one >= change / 2 : $0 - one <= change / 2 }
    return (median, Double(alike) / Double(factors.count))
  }

  /// Returns the factor of each row.
  private static func rowFactors(
    _ sums: [Int32], parts: Int, partWidth: Int, rows: Int, whole: Int32
  ) -> [Int32] {
    var own = [Int32](repeating: whole, count: rows)
    var factors: [Int32] = []
    factors.reserveCapacity(parts)
    for row in 0..<rows {
      factors.removeAll(keepingCapacity: true)
      for part in 0..<parts {
        let place = 2 * (row * parts + part)
        if let factor = factor(sums[place], sums[place + 1], count: Int32(clamping: partWidth)) {
          factors.append(factor)
        }
      }
      // If only a few parts are lit, they may be the moving object.
      if 2 * factors.count >= parts, factors.count >= 4 {
        own[row] = min(
          max(median(&factors), plausibleFactors.lowerBound), plausibleFactors.upperBound)
      }
    }
    return (0..<rows).map { row in
      factors.removeAll(keepingCapacity: true)
      factors += own[max(0, row - rowsAround)...min(rows - 1, row + rowsAround)]
      return median(&factors)
    }
  }

  private static func median(_ values: inout [Int32]) -> Int32 {
    values.sort()
    return values[values.count / 2]
  }

  /// Marks the changed cells.
  private mutating func mark(
    _ grid: LumaGrid, _ reference: LumaGrid, _ field: MotionField, _ factors: [Int32], threshold: Int32
  ) {
    let columns = grid.columns
    var total = 0
    changed.withUnsafeMutableBufferPointer { changed in
      grid.values.withUnsafeBufferPointer { now in
        reference.values.withUnsafeBufferPointer { before in
          field.counted.withUnsafeBufferPointer { counted in
            for row in factors.indices {
              let factor = factors[row]
              var place = row &* columns
              let end = place &+ columns
              while place < end {
                let (first, second) = (Int32(now[place]), Int32(before[place]))
                let difference = first &- second
                let compensated = first &* Self.one &- second &* factor
                let isChanged =
                  (difference > threshold || difference < 0 &- threshold)
                  && (compensated > threshold &* Self.one || compensated < 0 &- threshold &* Self.one)
                if isChanged, counted[place] != 0 {
                  changed[place] = 1
                  total &+= 1
                }
                place &+= 1
              }
            }
          }
        }
      }
    }
    changedCount = total
  }
}
