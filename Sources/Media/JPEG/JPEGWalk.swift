package import Platform

/// The result of following a JPEG's markers (ITU T.81, annex B) to its end among other bytes: neither a
/// thumbnail in its header nor anything in the picture's data can be mistaken for the end.
package enum JPEGWalk: Hashable, Sendable {
  /// The JPEG is complete.
  case whole(byteCount: Int, width: Int, height: Int)
  /// The bytes end before the JPEG does.
  case unfinished
  /// The bytes do not begin with a JPEG, or it is damaged.
  case none

  /// Follows the JPEG that starts with the first of `bytes`.
  package init(_ bytes: Span<UInt8>) {
    guard bytes.count >= 2 else {
      self = .unfinished
      return
    }
    guard var markers = JPEGMarkers(bytes) else {
      self = .none
      return
    }
    self = Self.walk(&markers, in: bytes)
  }

  private static func walk(_ markers: inout JPEGMarkers, in bytes: Span<UInt8>) -> JPEGWalk {
    var size: (width: Int, height: Int)?
    while true {
      switch markers.next(in: bytes) {
      case .unfinished: return .unfinished
      case .damaged: return .none
      case .segment(let segment) where segment.marker == .endOfImage:
        guard let size else { return .none }
        return .whole(byteCount: markers.place, width: size.width, height: size.height)
      case .segment(let segment) where segment.marker.isFrame:
        // The size follows the sample precision.
        let place = segment.range.lowerBound + 5
        guard let height = JPEGMarkers.word(in: bytes, at: place),
          let width = JPEGMarkers.word(in: bytes, at: place + 2)
        else { return .unfinished }
        size = (width, height)
      case .segment(let segment) where segment.marker == .startOfScan:
        guard markers.skipScan(in: bytes) else { return .unfinished }
      case .segment: break
      }
    }
  }
}

/// The Huffman tables that many webcams omit from their JPEGs, as AVI's Motion JPEG allows: the standard's
/// own (ITU-T T.81, K.3), without which few viewers open a JPEG.
package enum JPEGHuffmanTables {
  /// Returns `jpeg` with the standard's tables before its scan if it has none; otherwise, or if it is not a
  /// JPEG, unchanged.
  ///
  /// - Throws: `unsupported` if TurboJPEG cannot be set up.
  package static func added(to jpeg: [UInt8]) throws(OvercrankError) -> [UInt8] {
    let segments = JPEGMarkers.header(of: jpeg)
    guard let scan = segments.last, scan.marker == .startOfScan,
      !segments.contains(where: { $0.marker == .huffmanTables })
    else { return jpeg }
    // TurboJPEG writes the standard's tables, so a small picture that it encodes contains them.
    let gray = [UInt8](repeating: 128, count: 16 * 16)
    let sample = try JPEGEncoder(quality: 50).encode(
      luma: gray.span, blue: gray.span, red: gray.span, width: 16, height: 16)
    let tables = JPEGMarkers.header(of: sample).filter { $0.marker == .huffmanTables }
      .flatMap { sample[$0.range] }
    var whole = jpeg
    whole.insert(contentsOf: tables, at: scan.range.lowerBound)
    return whole
  }
}
