import Platform

extension DeclaredSize {
  /// Checks Matroska and WebM (RFC 8794, RFC 9559). Live recordings have no total length, but most of their
  /// parts do.
  static func matroska(_ file: InputFile) throws(OvercrankError) -> String? {
    var offset: Int64 = 0
    for _ in 0..<mostParts where offset < file.size {
      let head = try file.bytes(at: offset, count: 12)
      guard let element = EBMLElement(head[...]) else {
        return head.count < 12 && head.first != 0 ? "its last part is incomplete" : nil
      }
      guard knownElements.contains(element.id) else { return nil }
      offset += Int64(element.headSize)
      guard let size = element.size else { continue }
      let end = offset.adding(clamping: size)
      guard end <= file.size else { return missing(end, file) }
      offset = end
    }
    return nil
  }

  /// Returns the offset at which the parts of a Matroska file of declared length no longer follow one another; `nil`
  /// if they all do. libav skips to the next cluster there, and if there is none, reports the end.
  static func damage(ofMatroska file: InputFile) throws(OvercrankError) -> Int64? {
    var (offset, declaredEnd): (Int64, Int64) = (0, 0)
    for _ in 0..<mostParts where offset < file.size {
      guard let element = EBMLElement(try file.bytes(at: offset, count: 12)[...]),
        knownElements.contains(element.id)
      else { return offset < declaredEnd ? offset : nil }
      let content = offset + Int64(element.headSize)
      let end = element.size.map { content.adding(clamping: $0) }
      guard parents.contains(element.id) else {
        offset = end ?? content
        continue
      }
      declaredEnd = max(declaredEnd, end ?? 0)
      offset = content
    }
    return nil
  }

  /// A segment and a cluster.
  private static let parents: Set<UInt64> = [0x1853_8067, 0x1f43_b675]

  /// The elements of a file, of a segment, and of a cluster without a length.
  private static let knownElements: Set<UInt64> = [
    0x1a45_dfa3, 0x1853_8067,
    0x114d_9b74, 0x1549_a966, 0x1654_ae6b, 0x1f43_b675, 0x1c53_bb6b, 0x1043_a770, 0x1254_c367, 0x1941_a469,
    0xec, 0xbf,
    0xe7, 0xa3, 0xa0, 0xa7, 0xab, 0x5854, 0xaf,
  ]
}

/// The head of a part of an EBML file.
private struct EBMLElement {
  let id: UInt64
  /// The size of the head in bytes.
  let headSize: Int
  /// The size of the content in bytes; `nil` if it is not given.
  let size: Int64?

  /// Parses the head of an element; `nil` if `bytes` do not contain all of it.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard let first = bytes.first, case let idLength = first.leadingZeroBitCount + 1, idLength <= 4 else {
      return nil
    }
    let rest = bytes.dropFirst(idLength)
    guard let next = rest.first, case let length = next.leadingZeroBitCount + 1, length <= 8,
      rest.count >= length
    else { return nil }
    id = bytes.bigEndian(at: 0, count: idLength)
    headSize = idLength + length
    let all: UInt64 = 1 << UInt64(7 * length) - 1
    let value = rest.bigEndian(at: 0, count: length) & all
    size = value == all ? nil : Int64(clamping: value)
  }
}
