import Platform

/// The tags of an FLV file, each of which leads to the next: Adobe's Video File Format Specification 10.1, E.
struct FLVTags {
  /// The damaged bytes in front of other tags. libav skips some without a word, and takes others for the end.
  private(set) var gaps: [Range<Int64>] = []
  /// The end of the last tag by its own length, or that of the file by its metadata; it may be beyond the actual end.
  private(set) var end: Int64

  /// Follows the tags of `file`; `nil` if it is not an FLV.
  init?(_ file: InputFile) throws(OvercrankError) {
    let head = try file.bytes(at: 0, count: 600)
    guard head.starts(with: "FLV".utf8) else { return nil }
    end = Int64(clamping: head.bigEndian(at: 5, count: 4)) + 4
    var tag = try Tag(in: file, at: end)
    let streamID = tag?.streamID ?? 0
    for _ in 0..<DeclaredSize.mostParts where end < file.size {
      let next = if let tag { try Tag(in: file, at: tag.end) } else { nil as Tag? }
      if let tag, tag.isFollowed(by: next, streamID), tag.end <= file.size {
        end = tag.end
      } else if let found = try Self.tag(after: end, in: file, streamID) {
        gaps.append(end..<found)
        end = found
        tag = try Tag(in: file, at: end)
        continue
      } else {
        // Foreign data at the end are no tag.
        guard let type = try file.bytes(at: end, count: 1).first, Tag.isKnown(type) else { break }
        end = tag?.end ?? end + 11
      }
      tag = next
    }
    // With damage in the middle, bytes may be missing there.
    if gaps.isEmpty { end = max(end, Self.statedSize(head)) }
  }

  /// Returns the size of the file by its metadata, whose beginning is in `head`; 0 if it is not stated.
  private static func statedSize(_ head: [UInt8]) -> Int64 {
    let name = [0, 8] + Array("filesize".utf8) + [0]
    guard let place = head.indices.first(where: { head[$0...].starts(with: name) }) else { return 0 }
    let bits = head.bigEndian(at: place + name.count, count: 8)
    return Int64(exactly: Double(bitPattern: bits).rounded()) ?? 0
  }

  /// Returns the offset of the first tag after `offset` that ends with its own length; `nil` if there is none.
  private static func tag(
    after offset: Int64, in file: InputFile, _ streamID: UInt64
  ) throws(OvercrankError) -> Int64? {
    let last = min(file.size, offset.adding(clamping: DeclaredSize.longestGap))
    var start = offset + 1
    while start < last {
      let window = try file.bytes(at: start, count: 1 << 16)
      for place in window.indices
      where Tag.isKnown(window[place]) && window[place...].bigEndian(at: 8, count: 3) == streamID {
        if let tag = try Tag(in: file, at: start + Int64(place)), try tag.isClosed(file) {
          return start + Int64(place)
        }
      }
      // A head may lie across the end of the window.
      start += Int64(max(1, window.count - 10))
    }
    return nil
  }
}

/// The head of a tag.
private struct Tag {
  /// The length of the tag before it.
  let formerLength: UInt64
  let type: UInt8
  let size: UInt64
  let streamID: UInt64
  /// The end of the tag and of its length, which follows it once more.
  let end: Int64

  /// Reads the head at `offset`; `nil` if the file ends within it.
  init?(in file: InputFile, at offset: Int64) throws(OvercrankError) {
    let bytes = try file.bytes(at: offset - 4, count: 15)
    guard bytes.count == 15 else { return nil }
    formerLength = bytes.bigEndian(at: 0, count: 4)
    type = bytes[4]
    size = bytes.bigEndian(at: 5, count: 3)
    streamID = bytes.bigEndian(at: 12, count: 3)
    end = offset + 15 + Int64(size)
  }

  /// Whether a tag of this type has audio, video or script data, encrypted or not.
  static func isKnown(_ type: UInt8) -> Bool { [8, 9, 18].contains(type & 0xdf) }

  /// Whether it is a tag of the stream, behind which `next` begins; some writers state another length between them.
  ///
  /// - Parameter next: the tag behind it; `nil` if the file ends there.
  func isFollowed(by next: Tag?, _ streamID: UInt64) -> Bool {
    guard Self.isKnown(type), self.streamID == streamID else { return false }
    guard let next else { return true }
    return next.formerLength == size + 11 || Self.isKnown(next.type) && next.streamID == streamID
  }

  /// Whether its length follows it.
  func isClosed(_ file: InputFile) throws(OvercrankError) -> Bool {
    guard end <= file.size else { return false }
    return try file.bytes(at: end - 4, count: 4).bigEndian(at: 0, count: 4) == size + 11
  }
}
