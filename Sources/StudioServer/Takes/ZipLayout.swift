import Glibc
import Overcrank

/// The layout of a ZIP archive of files that are stored as they are, known before the first byte of it is sent.
///
/// The format is that of PKWARE's APPNOTE.TXT, 6.3.10. The checksum of a file follows its content (a data descriptor), so
/// that each file is read only once. Archives and files from 4 GiB on, and more than 65534 files, have the fields of ZIP64.
struct ZipLayout: Sendable {
  /// A file of the archive.
  struct Entry: Hashable, Sendable {
    var name: String
    var size: Int64
    /// The time of its last change, in seconds since 1970.
    var changed: Int
  }

  /// The entries, in order.
  let entries: [Entry]
  /// The place of each entry's header.
  private let places: [Int64]
  /// The place of the directory, after the last entry.
  private let directoryPlace: Int64
  /// The size of the archive in bytes.
  let length: Int64

  /// The largest number of four bytes stands for a number in the fields of ZIP64.
  private static let limit = Int64(UInt32.max)

  /// - Returns: `nil` if no file can be as large.
  init?(_ entries: [Entry]) {
    var places: [Int64] = []
    var place: Int64 = 0
    for entry in entries {
      places.append(place)
      place = place.adding(clamping: Int64(Self.header(of: entry).count)).adding(clamping: max(0, entry.size))
      place = place.adding(clamping: Int64(Self.descriptor(of: entry, 0).count))
    }
    guard place < 1 << 62 else { return nil }
    (self.entries, self.places, directoryPlace) = (entries, places, place)
    length =
      place + Int64(Self.directory(entries, places, place, Array(repeating: 0, count: entries.count)).count)
  }

  /// Returns the bytes before the content of entry `index`.
  func header(_ index: Int) -> [UInt8] { Self.header(of: entries[index]) }

  /// Returns the bytes after the content of entry `index`, which has this checksum.
  func descriptor(_ index: Int, _ checksum: UInt32) -> [UInt8] {
    Self.descriptor(of: entries[index], checksum)
  }

  /// Returns the bytes after the last entry.
  ///
  /// - Parameter checksums: those of all entries.
  func directory(_ checksums: [UInt32]) -> [UInt8] {
    Self.directory(entries, places, directoryPlace, checksums)
  }

  private static func header(of entry: Entry) -> [UInt8] {
    // The sizes are in the descriptor, and those of ZIP64 say by their presence how long its numbers are.
    let extra = entry.isLarge ? large([0, 0]) : []
    let size = entry.isLarge ? UInt32.max : 0
    return little(0x0403_4b50 as UInt32) + entry.kind + little(0 as UInt32) + little(size) + little(size)
      + little(UInt16(entry.bytes.count)) + little(UInt16(extra.count + entry.time.count)) + entry.bytes
      + extra
      + entry.time
  }

  private static func descriptor(of entry: Entry, _ checksum: UInt32) -> [UInt8] {
    let size = entry.isLarge ? little(entry.size) : little(UInt32(entry.size))
    return little(0x0807_4b50 as UInt32) + little(checksum) + size + size
  }

  private static func directory(
    _ entries: [Entry], _ places: [Int64], _ start: Int64, _ checksums: [UInt32]
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for (entry, (place, checksum)) in zip(entries, zip(places, checksums)) {
      bytes += record(of: entry, at: place, checksum)
    }
    let (count, size) = (Int64(entries.count), Int64(bytes.count))
    if count >= Int64(UInt16.max) || size >= limit || start >= limit {
      let end = start + size
      bytes += little(0x0606_4b50 as UInt32) + little(44 as Int64) + little(unix | 45) + little(45 as UInt16)
      bytes +=
        little(0 as UInt32) + little(0 as UInt32) + little(count) + little(count) + little(size)
        + little(start)
      bytes += little(0x0706_4b50 as UInt32) + little(0 as UInt32) + little(end) + little(1 as UInt32)
    }
    let shown = little(UInt16(clamping: count))
    bytes += little(0x0605_4b50 as UInt32) + little(0 as UInt32) + shown + shown
    return bytes + little(UInt32(clamping: size)) + little(UInt32(clamping: start)) + little(0 as UInt16)
  }

  private static func record(of entry: Entry, at place: Int64, _ checksum: UInt32) -> [UInt8] {
    let size = little(entry.isLarge ? UInt32.max : UInt32(entry.size))
    let numbers = (entry.isLarge ? [entry.size, entry.size] : []) + (place >= limit ? [place] : [])
    let extra = (numbers.isEmpty ? [] : large(numbers)) + entry.time
    let attributes = UInt32(0o100644) << 16
    return little(0x0201_4b50 as UInt32) + little(unix | 45) + entry.kind + little(checksum) + size + size
      + little(UInt16(entry.bytes.count)) + little(UInt16(extra.count)) + little(0 as UInt16)
      + little(0 as UInt32)
      + little(attributes) + little(UInt32(clamping: place)) + entry.bytes + extra
  }

  /// The system whose attributes the files have.
  private static let unix: UInt16 = 3 << 8

  /// Returns the field of ZIP64 with these numbers.
  private static func large(_ numbers: [Int64]) -> [UInt8] {
    little(1 as UInt16) + little(UInt16(8 * numbers.count)) + numbers.flatMap(little)
  }
}

extension ZipLayout.Entry {
  fileprivate var isLarge: Bool { size >= Int64(UInt32.max) }

  fileprivate var bytes: [UInt8] { Array(name.utf8) }

  /// The version that a reader needs, the flags (descriptor, UTF-8), the method (stored) and the local time.
  fileprivate var kind: [UInt8] {
    little(isLarge ? 45 : 20 as UInt16) + little(1 << 3 | 1 << 11 as UInt16) + little(0 as UInt16) + localTime
  }

  /// The extended timestamp, which has no time zone. Programs that do not know it use the local time.
  fileprivate var time: [UInt8] {
    little(0x5455 as UInt16) + little(5 as UInt16) + [1] + little(Int32(clamping: changed))
  }

  /// Time and date as MS-DOS has them, which begins in 1980.
  private var localTime: [UInt8] {
    var (seconds, parts) = (time_t(changed), tm())
    localtime_r(&seconds, &parts)
    guard (80...207).contains(parts.tm_year) else {
      return little(0 as UInt16) + little(1 << 5 | 1 as UInt16)
    }
    let time = parts.tm_hour << 11 | parts.tm_min << 5 | min(parts.tm_sec, 59) / 2
    let day = (parts.tm_year - 80) << 9 | (parts.tm_mon + 1) << 5 | parts.tm_mday
    return little(UInt16(clamping: time)) + little(UInt16(clamping: day))
  }
}

/// Returns the bytes of `number`, the lowest first.
private func little(_ number: some FixedWidthInteger) -> [UInt8] {
  (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
}
