extension [String] {
  /// Returns the names most similar to `name`, best first: those that contain it or that it contains, and
  /// misspellings of it.
  package func near(_ name: String) -> [String] {
    let limit = Swift.max(2, name.count / 3)
    return map { (name: $0, distance: $0.editDistance(to: name)) }
      .filter { $0.name.contains(name) || name.contains($0.name) || $0.distance <= limit }
      .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
      .map(\.name)
  }
}

extension String {
  /// Returns the number of characters to change, add or drop to turn this into `other`: Levenshtein's
  /// distance.
  fileprivate func editDistance(to other: String) -> Int {
    let other = Array(other)
    var row = Array(0...other.count)
    for (line, character) in enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in other.indices {
        let replaced = diagonal + (character == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[other.count]
  }
}
