package import Platform

/// The Huffman tables that many webcams leave out of their JPEGs, as AVI's Motion JPEG allows: the standard's own
/// (ITU-T T.81, K.3), without which few viewers open one.
package enum JPEGHuffmanTables {
  /// `jpeg`, with the standard's tables before its scan where it has none; as it is where it has, or is no JPEG.
  ///
  /// - Throws: `unsupported` where TurboJPEG cannot be set up.
  package static func added(to jpeg: [UInt8]) throws(OvercrankError) -> [UInt8] {
    let segments = JPEGMarkers.header(of: jpeg)
    guard let scan = segments.last, scan.marker == .startOfScan,
      !segments.contains(where: { $0.marker == .huffmanTables })
    else { return jpeg }
    // TurboJPEG writes the standard's tables, so a small picture of its making has them.
    let gray = [UInt8](repeating: 128, count: 16 * 16)
    let sample = try JPEGEncoder(quality: 50).encode(
      luma: gray.span, blue: gray.span, red: gray.span, width: 16, height: 16)
    let tables = JPEGMarkers.header(of: sample).filter { $0.marker == .huffmanTables }
      .flatMap { sample[$0.range] }
    return jpeg[..<scan.range.lowerBound] + tables + jpeg[scan.range.lowerBound...]
  }
}
