extension ModeRow {
  /// How the picture is read from the sensor, in words for people; empty where nothing is known.
  public var facts: [String] {
    Self.words(
      isBinned: isBinned, binning: binning, fieldOfView: fieldOfView, isScaled: isScaled, evidence: evidence)
  }

  /// The words of a row and of a mode are the same.
  static func words(
    isBinned: Bool?, binning: [Int]?, fieldOfView: [Double]?, isScaled: Bool?, evidence: String?
  ) -> [String] {
    var words: [String] = []
    if isBinned == true {
      words.append(binning.map { "binned \($0.map(String.init).joined(separator: "x"))" } ?? "binned")
    }
    if isScaled == true { words.append("scaled") }
    if let fieldOfView, fieldOfView.count == 2 {
      let isWhole = fieldOfView.allSatisfy { $0 >= 100 }
      words.append(isWhole ? "full view" : "sees \(fieldOfView[0]) % x \(fieldOfView[1]) %")
    }
    if evidence == Evidence.inferred, let last = words.popLast() { words.append("\(last) (a guess)") }
    return words
  }
}
