import Platform

/// A journal as it was found beside a part. Its entries are read piece by piece, as they may be millions.
struct Journal {
  /// What stands in one place of it.
  enum Line: Hashable {
    case entry(JournalEntry)
    /// The place is damaged: what it said is not known.
    case damaged
    /// The place holds zeros: the file grew, and nothing of this entry came to the disk.
    case blank
  }

  let header: JournalHeader
  /// How many places it has. An entry that is cut off at the end was never finished and has none.
  let count: Int
  private let start: Int64
  private let file: InputFile

  /// Places that are read at once.
  private static let piece = 4096

  /// Opens `file`; `nil` where not even the header is sound.
  init?(_ file: InputFile) throws(OvercrankError) {
    let head = try file.bytes(at: 0, count: JournalHeader.largest)
    guard let (header, start) = JournalHeader.read(head) else { return nil }
    self.header = header
    self.start = Int64(start)
    self.file = file
    count = Int((file.size - self.start) / Int64(JournalEntry.size))
  }

  /// What stands in each place, in order.
  func forEach(_ body: (Line) throws(OvercrankError) -> Void) throws(OvercrankError) {
    for first in stride(from: 0, to: count, by: Self.piece) {
      let bytes = try file.bytes(
        at: start + Int64(first * JournalEntry.size),
        count: min(Self.piece, count - first) * JournalEntry.size)
      for place in stride(from: 0, to: bytes.count, by: JournalEntry.size) {
        let piece = bytes[place..<min(bytes.count, place + JournalEntry.size)]
        let index = UInt32(truncatingIfNeeded: first + place / JournalEntry.size)
        if let entry = JournalEntry(piece, at: index) {
          try body(.entry(entry))
        } else {
          try body(piece.allSatisfy { $0 == 0 } ? .blank : .damaged)
        }
      }
    }
  }
}
