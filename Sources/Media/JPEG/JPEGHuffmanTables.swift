/// The Huffman tables that many webcams leave out of their JPEGs, as AVI's Motion JPEG allows: the standard's own
/// (ITU-T T.81, K.3), without which few viewers open one.
public enum JPEGHuffmanTables {
  private static let startOfScan: UInt8 = 0xda
  private static let defineHuffmanTables: UInt8 = 0xc4

  /// `jpeg`, with the standard's tables before its scan where it has none; as it is where it has, or is no JPEG.
  ///
  /// - Throws: ``MediaError/Code/unsupported`` where TurboJPEG cannot be set up.
  public static func added(to jpeg: [UInt8]) throws(MediaError) -> [UInt8] {
    let segments = segments(of: jpeg)
    guard let scan = segments.last, scan.marker == startOfScan,
      !segments.contains(where: { $0.marker == defineHuffmanTables })
    else { return jpeg }
    // TurboJPEG writes the standard's tables, so a small picture of its making has them.
    let gray = [UInt8](repeating: 128, count: 16 * 16)
    let sample = try JPEGEncoder(quality: 50).encode(
      luma: gray.span, blue: gray.span, red: gray.span, width: 16, height: 16)
    let tables = Self.segments(of: sample).filter { $0.marker == defineHuffmanTables }
      .flatMap { sample[$0.range] }
    return jpeg[..<scan.range.lowerBound] + tables + jpeg[scan.range.lowerBound...]
  }

  /// The marker segments of `jpeg` up to its first scan, each from its 0xff on; none where it is no JPEG.
  private static func segments(of jpeg: [UInt8]) -> [(marker: UInt8, range: Range<Int>)] {
    guard jpeg.starts(with: [0xff, 0xd8]) else { return [] }
    var found: [(UInt8, Range<Int>)] = []
    var start = 2
    while start + 4 <= jpeg.count, jpeg[start] == 0xff {
      // Any number of fill bytes may stand before a marker.
      guard jpeg[start + 1] != 0xff else {
        start += 1
        continue
      }
      let end = start + 2 + (Int(jpeg[start + 2]) << 8 | Int(jpeg[start + 3]))
      guard end >= start + 4, end <= jpeg.count else { break }
      found.append((jpeg[start + 1], start..<end))
      if jpeg[start + 1] == startOfScan { break }
      start = end
    }
    return found
  }
}
