/// A journal as it was found beside a part.
struct Journal {
  /// What stands in one place of it.
  enum Line: Hashable {
    case entry(JournalEntry)
    /// The place is damaged: what it said is not known.
    case damaged
  }

  let header: JournalHeader
  let lines: [Line]

  /// Reads `bytes`; `nil` where not even the header is sound.
  ///
  /// An entry that is cut off at the end was never finished and is left out; a damaged one in the middle is told.
  init?(_ bytes: [UInt8]) {
    guard let (header, start) = JournalHeader.read(bytes) else { return nil }
    self.header = header
    let count = (bytes.count - start) / JournalEntry.size
    var lines = (0..<count).map { index in
      let place = start + index * JournalEntry.size
      let entry = JournalEntry(
        bytes[place..<place + JournalEntry.size], at: UInt32(truncatingIfNeeded: index))
      return entry.map(Line.entry) ?? .damaged
    }
    // Behind the last sound entry there may have been none.
    while lines.last == .damaged { lines.removeLast() }
    self.lines = lines
  }
}
