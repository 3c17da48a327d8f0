/// A least-squares problem of a few unknowns, accumulated sample by sample.
struct NormalEquations {
  private let count: Int
  /// The lower triangle, row by row.
  private var matrix: [Double]
  private var right: [Double]
  private var samples = 0

  /// Keeps terms apart that coincide at the sampled times, as sine and cosine do at half the frame rate: the
  /// part they share is split between them.
  private static let ridge = 1e-6

  init(count: Int) {
    self.count = count
    matrix = [Double](repeating: 0, count: count * count)
    right = [Double](repeating: 0, count: count)
  }

  /// Adds a sample: the terms should add up to `value`.
  mutating func add(_ terms: [Double], _ value: Double) {
    samples += 1
    for row in 0..<count {
      right[row] += terms[row] * value
      for column in 0...row { matrix[row * count + column] += terms[row] * terms[column] }
    }
  }

  /// Returns the coefficients, by Cholesky decomposition; `nil` if the system has no solution.
  func solution() -> [Double]? {
    var lower = matrix
    for row in 0..<count {
      lower[row * count + row] += Self.ridge * Double(samples)
      for column in 0...row {
        var sum = lower[row * count + column]
        for term in 0..<column { sum -= lower[row * count + term] * lower[column * count + term] }
        if row == column {
          guard sum > 0 else { return nil }
          lower[row * count + row] = sum.squareRoot()
        } else {
          lower[row * count + column] = sum / lower[column * count + column]
        }
      }
    }
    var factors = right
    for row in 0..<count {
      for term in 0..<row { factors[row] -= lower[row * count + term] * factors[term] }
      factors[row] /= lower[row * count + row]
    }
    for row in (0..<count).reversed() {
      for term in row + 1..<count { factors[row] -= lower[term * count + row] * factors[term] }
      factors[row] /= lower[row * count + row]
    }
    return factors.allSatisfy(\.isFinite) ? factors : nil
  }
}
