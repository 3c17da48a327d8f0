import Media

/// A baseline JPEG taken apart into its marker segments and its entropy-coded data.
struct BaselineJPEG {
  /// A marker and what follows its length.
  struct Segment {
    var marker: JPEGMarkers.Marker
    var payload: [UInt8]

    /// The segment as it stands in a file.
    var bytes: [UInt8] {
      let length = payload.count + 2
      return [0xff, marker.rawValue, UInt8(length >> 8), UInt8(length & 0xff)] + payload
    }
  }

  /// Every segment up to the scan's own.
  var segments: [Segment]
  /// What stands between the scan's header and the end of the image.
  let scan: ArraySlice<UInt8>

  /// Takes `jpeg` apart; `nil` where it is no JPEG of one scan.
  init?(_ jpeg: [UInt8]) {
    let header = JPEGMarkers.header(of: jpeg)
    guard let last = header.last, last.marker == .startOfScan, last.range.upperBound <= jpeg.count - 2
    else { return nil }
    segments = header.map { Segment(marker: $0.marker, payload: Array(jpeg[$0.payload])) }
    scan = jpeg[last.range.upperBound..<jpeg.count - 2]
  }

  /// The Huffman table of a class (0 for DC, 1 for AC) and number, if there is one.
  func huffmanTable(class tableClass: UInt8, number: UInt8) -> HuffmanTable? {
    for segment in segments where segment.marker == .huffmanTables {
      var rest = segment.payload[...]
      while let kind = rest.popFirst(), rest.count >= 16 {
        let counts = Array(rest.prefix(16))
        let symbols = rest.dropFirst(16).prefix(counts.reduce(0) { $0 + Int($1) })
        if kind == tableClass << 4 | number { return HuffmanTable(counts: counts, symbols: Array(symbols)) }
        rest = rest.dropFirst(16 + symbols.count)
      }
    }
    return nil
  }

  /// What the mean of a block is divided by in the 8-bit quantization table of a number, if there is one.
  func meanQuantizer(table number: UInt8) -> Int? {
    for segment in segments where segment.marker == .quantizationTables {
      for start in stride(from: 0, to: segment.payload.count - 64, by: 65)
      where segment.payload[start] == number {
        return Int(segment.payload[start + 1])
      }
    }
    return nil
  }
}
