import Glibc

/// How a picture differs from one a moment before.
///
/// Light that swings or is switched makes all of a picture brighter or darker by about the same
/// factor, row by row where a sensor reads its rows one after another. So a cell has changed where
/// its luma differs both from what it was, and from what it was times the factor of its row.
struct MotionComparison {
  /// 1 for each cell that counts and has changed, row by row.
  private(set) var changed: [UInt8]
  /// How many these are.
  private(set) var changedCount = 0
  /// By which factor the picture as a whole is brighter, as a logarithm.
  private(set) var lightChange = 0.0
  /// Which part of the picture has become brighter or darker as the whole has, from 0 to 1.
  private(set) var lightShare = 0.0

  /// Parts of a row that its factor is the median of.
  private static let parts = 16
  /// A factor of one; factors are whole numbers of these.
  private static let one: Int32 = 1024
  /// Lamps at their worst: what goes beyond is no flicker.
  private static let plausibleFactors = one / 2...one * 2
  /// What is darker than that says nothing of the light.
  private static let darkest: Int32 = 8
  /// How many rows share their factors: so many medians take a median.
  private static let rowsAround = 2

  /// Compares `grid` with `reference`, which has the same size.
  ///
  /// - Parameters:
  ///   - field: the cells that count.
  ///   - threshold: from how many steps on a difference is a change.
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

  /// The sums of the parts of each row: of the picture, and of the reference.
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

  /// The factor between two sums of luma of `count` cells; `nil` where both are too dark to tell.
  private static func factor(_ now: Int32, _ before: Int32, count: Int32) -> Int32? {
    guard now >= darkest &* count || before >= darkest &* count else { return nil }
    return Int32(clamping: (Int64(now) * Int64(one) + Int64(before) / 2) / Int64(max(1, before)))
  }

  /// The median factor of blocks of the picture, and which share of them changed the same way by at
  /// least half of it.
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

  /// The factor of each row.
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
      // Few parts with light in them may be what moves.
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

  /// Marks the cells that have changed.
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
