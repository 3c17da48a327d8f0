extension String {
  /// How many characters must be changed, added or dropped to make `other` of it: Levenshtein's distance.
  func editDistance(to other: String) -> Int {
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
