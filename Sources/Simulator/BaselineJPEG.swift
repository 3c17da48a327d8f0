import Media

/// A baseline JPEG, split into its marker segments and its entropy-coded data.
struct BaselineJPEG {
  /// A marker and its payload after the length field.
  struct Segment {
    var marker: JPEGMarkers.Marker
    var payload: [UInt8]

    /// The segment as it is written in a file.
    var bytes: [UInt8] {
      let length = payload.count + 2
      return [0xff, marker.rawValue, UInt8(length >> 8), UInt8(length & 0xff)] + payload
    }
  }

  /// The segments up to and including the start of scan.
  var segments: [Segment]
  /// The data between the scan's header and the end of the image.
  let scan: ArraySlice<UInt8>

  /// Splits `jpeg`; `nil` if it is not a JPEG with a single scan.
  init?(_ jpeg: [UInt8]) {
    let header = JPEGMarkers.header(of: jpeg)
    guard let last = header.last, last.marker == .startOfScan, last.range.upperBound <= jpeg.count - 2
    else { return nil }
    segments = header.map { Segment(marker: $0.marker, payload: Array(jpeg[$0.payload])) }
    scan = jpeg[last.range.upperBound..<jpeg.count - 2]
  }

  /// Returns the Huffman table of a class (0 for DC, 1 for AC) and number; `nil` if there is none.
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

  /// Returns the divisor of a block's DC coefficient in the 8-bit quantization table `number`; `nil` if there
  /// is none.
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
