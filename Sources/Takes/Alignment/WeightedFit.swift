/// A least-squares fit of a few unknowns to equations with errors.
struct WeightedFit {
  /// An equation: the sum of the unknowns times `terms` is `value`, but for the error.
  struct Equation {
    var terms: [Double]
    var value: Double
    /// The standard deviation of the error; above 0.
    var error: Double
  }

  /// The unknowns.
  let values: [Double]
  private let equations: [Equation]
  /// The inverse of the normal equations' matrix.
  private let inverse: [[Double]]

  /// Fits the unknowns to `equations`, all of as many terms.
  ///
  /// - Returns: `nil` if the equations do not determine them.
  init?(_ equations: [Equation]) {
    guard let count = equations.first?.terms.count, count > 0 else { return nil }
    var matrix = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
    var right = [Double](repeating: 0, count: count)
    for equation in equations {
      let weight = 1 / (equation.error * equation.error)
      for row in 0..<count {
        right[row] += weight * equation.terms[row] * equation.value
        for column in 0..<count {
          matrix[row][column] += weight * equation.terms[row] * equation.terms[column]
        }
      }
    }
    guard let inverse = Self.inverse(of: matrix) else { return nil }
    values = inverse.map { zip($0, right).reduce(0) { $0 + $1.0 * $1.1 } }
    guard values.allSatisfy(\.isFinite) else { return nil }
    self.equations = equations
    self.inverse = inverse
  }

  /// Returns how much the unknown at `place` follows the value of each equation.
  func gains(of place: Int) -> [Double] {
    equations.map { equation in
      zip(inverse[place], equation.terms).reduce(0) { $0 + $1.0 * $1.1 } / (equation.error * equation.error)
    }
  }

  /// Returns the standard deviation of the unknown at `place` by the errors of the first equations.
  ///
  /// - Parameters:
  ///   - place: the place of the unknown.
  ///   - errors: the errors of each source of these equations. Those of one source may be alike, and a mean of many is
  ///     then no better than one.
  func error(of place: Int, byAlike errors: [[Double]]) -> Double {
    let gains = gains(of: place)
    var (apart, alike) = (0.0, 0.0)
    for source in errors {
      var sum = 0.0
      for (gain, error) in zip(gains, source) {
        apart += gain * gain * error * error
        sum += gain * error
      }
      alike += sum * sum
    }
    return max(apart, alike).squareRoot()
  }

  /// The differences of the equations' values from those of the fit.
  var residuals: [Double] {
    equations.map { equation in equation.value - zip(equation.terms, values).reduce(0) { $0 + $1.0 * $1.1 } }
  }

  /// Returns the inverse of `matrix`, by elimination; `nil` if there is none.
  private static func inverse(of matrix: [[Double]]) -> [[Double]]? {
    let count = matrix.count
    // Unknowns of different units would make small pivots look like none.
    let scales = (0..<count).map { matrix[$0][$0].squareRoot() }
    guard scales.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
    var rows = (0..<count).map { row -> [Double] in
      let scaled = (0..<count).map { matrix[row][$0] / scales[row] / scales[$0] }
      return scaled + (0..<count).map { $0 == row ? 1.0 : 0.0 }
    }
    for column in 0..<count {
      guard let pivot = (column..<count).max(by: { rows[$0][column].magnitude < rows[$1][column].magnitude }),
        rows[pivot][column].magnitude > 1e-14
      else { return nil }
      rows.swapAt(column, pivot)
      let factor = rows[column][column]
      rows[column] = rows[column].map { $0 / factor }
      for row in 0..<count where row != column {
        let part = rows[row][column]
        rows[row] = zip(rows[row], rows[column]).map { $0 - part * $1 }
      }
    }
    return (0..<count).map { row in
      (0..<count).map { rows[row][count + $0] / scales[row] / scales[$0] }
    }
  }
}
