import FoundationEssentials
import Platform

/// A journal found beside a part. Its entries are read in pieces, as there may be millions.
struct Journal {
  /// The content of one place in it.
  enum Line: Hashable {
    case entry(JournalEntry)
    /// The place is damaged, and its content is lost.
    case damaged
    /// The place holds zeros: the file grew, but nothing of this entry reached the disk.
    case blank
  }

  let header: JournalHeader
  /// The facts about the take, with its date if the first entry tells that: the header has the date at which the session
  /// was armed. `nil` if none were given.
  let metadata: TakeMetadata?
  /// The number of places. An entry that is cut off at the end was never finished and does not count.
  let count: Int
  private let start: Int64
  private let file: InputFile

  /// The number of places that are read at once.
  private static let piece = 4096

  /// Opens `file`; `nil` if even the header is damaged.
  init?(_ file: InputFile) throws(OvercrankError) {
    let head = try file.bytes(at: 0, count: JournalHeader.largest)
    guard let (header, start) = JournalHeader.read(head) else { return nil }
    self.header = header
    var metadata = header.metadata
    if let date = JournalEntry(head.dropFirst(start).prefix(JournalEntry.size), at: 0)?.start {
      metadata?.startedAt = date.formatted(.iso8601)
    }
    self.metadata = metadata
    self.start = Int64(start)
    self.file = file
    count = Int((file.size - self.start) / Int64(JournalEntry.size))
  }

  /// Calls `body` with the content of each place, in order.
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
