import V4L2

/// A reader of a driver's lists, each to its end or to a bound, that records which had no end.
struct ListReader {
  /// The most entries to read of any one list: some drivers never end theirs.
  static let longestList: UInt32 = 1024
  /// The most entries to read in total, as an endless list may lead to a thousand others.
  static let mostEntries = 65_536

  private var entryCount = 0
  private var endlessLists: [String] = []

  /// Warnings about the lists, as sentences.
  var warnings: [String] {
    var warnings: [String] = []
    if let first = endlessLists.first {
      let others = endlessLists.count > 1 ? " or of \(endlessLists.count - 1) others" : ""
      warnings.append(
        "The driver does not end its list of \(first)\(others): the first \(Self.longestList) entries are used."
      )
    }
    if entryCount == Self.mostEntries {
      warnings.append("The driver's lists hold more than \(Self.mostEntries) entries: the rest are skipped.")
    }
    return warnings
  }

  /// Reads a list's entries up to its end or the bound; an entry for which `isWhole` is true is the whole
  /// list, however often the driver repeats it.
  mutating func list<Entry>(
    _ name: @autoclosure () -> String, isWhole: (Entry) -> Bool = { _ in false },
    _ entry: (UInt32) throws(V4L2Error) -> Entry?
  ) throws(V4L2Error) -> [Entry] {
    var found: [Entry] = []
    for index in 0..<Self.longestList {
      guard entryCount < Self.mostEntries, let next = try entry(index) else { return found }
      entryCount += 1
      found.append(next)
      if isWhole(next) { return found }
    }
    endlessLists.append(name())
    return found
  }
}
