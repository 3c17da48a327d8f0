import V4L2

/// Reads a driver's lists, each to its end or to a bound, and remembers which had none.
struct ListReader {
  /// The most entries that are read of any one list: drivers exist that never end theirs.
  static let longestList: UInt32 = 1024
  /// The most entries that are read in all, as an endless list may lead to a thousand more.
  static let mostEntries = 65_536

  private var entryCount = 0
  private var endlessLists: [String] = []

  /// What is to be known of the lists, in sentences.
  var warnings: [String] {
    var warnings: [String] = []
    if let first = endlessLists.first {
      let others = endlessLists.count > 1 ? ", nor \(endlessLists.count - 1) others" : ""
      warnings.append(
        "The driver does not end its list of \(first)\(others): the first \(Self.longestList) entries are taken."
      )
    }
    if entryCount == Self.mostEntries {
      warnings.append("The driver's lists hold more than \(Self.mostEntries) entries: the rest are left out.")
    }
    return warnings
  }

  /// The entries of a list up to its end or the bound; where `isWhole` says so of an entry, it is the whole list,
  /// however often it is given.
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
