import Platform
import SystemPackage
import Timebase

/// The times that the edit list of a track states: ISO/IEC 14496-12, 8.6.6.
struct MovieEdits: Hashable {
  /// Seconds before the first part that shows something.
  let lead: Fraction
  /// Seconds from there to the end of the last part.
  let length: Fraction

  /// Reads the edit list of the track with this ID in the MOV or MP4 at `path`; `nil` if there is none, or it cannot be
  /// read.
  init?(ofTrack id: Int, in path: FilePath) {
    guard let found = try? Self.list(ofTrack: id, in: InputFile(path)), found.timescale > 0 else {
      return nil
    }
    let isLong = found.bytes.first == 1
    let (size, width) = isLong ? (20, 8) : (12, 4)
    let count = Int(found.bytes.bigEndian(at: 4, count: 4))
    let entries = found.bytes.dropFirst(8)
    guard count > 0, entries.count / size >= count else { return nil }
    var (lead, length, isLeading) = (Int64(0), Int64(0), true)
    for index in 0..<count {
      let entry = entries.dropFirst(index * size)
      let duration = Int64(clamping: entry.bigEndian(at: 0, count: width))
      // A time of -1: nothing is shown.
      isLeading = isLeading && entry.dropFirst(width).prefix(width).allSatisfy { $0 == 0xff }
      if isLeading {
        lead = lead.adding(clamping: duration)
      } else {
        length = length.adding(clamping: duration)
      }
    }
    self.lead = Fraction(lead, found.timescale)
    self.length = Fraction(length, found.timescale)
  }

  /// The largest list to read, in bytes.
  private static let largestList = 1 << 24

  /// Returns the content of the track's `elst` box, and the ticks of the movie in a second.
  private static func list(
    ofTrack id: Int, in file: InputFile
  ) throws(OvercrankError) -> (bytes: [UInt8], timescale: Int64)? {
    func first(_ type: String, of boxes: [MovieBox]) -> Range<Int>? {
      boxes.first { $0.type == type }?.content
    }
    /// Returns the number of 4 bytes after a version, flags, and two times, which version 1 has in 8 bytes each.
    func number(in content: Range<Int>) throws(OvercrankError) -> Int64 {
      let head = try file.bytes(at: Int64(content.lowerBound), count: min(24, content.count))
      return Int64(head.bigEndian(at: head.first == 1 ? 20 : 12, count: 4))
    }
    guard let movie = first("moov", of: try MovieBox.boxes(in: 0..<Int(file.size), of: file)) else {
      return nil
    }
    let inMovie = try MovieBox.boxes(in: movie, of: file)
    guard let header = first("mvhd", of: inMovie) else { return nil }
    for track in inMovie where track.type == "trak" {
      let inTrack = try MovieBox.boxes(in: track.content, of: file)
      guard let head = first("tkhd", of: inTrack), try number(in: head) == Int64(id) else { continue }
      guard let edits = first("edts", of: inTrack),
        let list = first("elst", of: try MovieBox.boxes(in: edits, of: file)),
        list.count <= largestList
      else { return nil }
      return (try file.bytes(at: Int64(list.lowerBound), count: list.count), try number(in: header))
    }
    return nil
  }
}
