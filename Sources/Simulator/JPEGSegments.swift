/// A baseline JPEG taken apart into its marker segments and its entropy-coded data.
struct JPEGSegments {
  /// The second byte of a marker.
  enum Marker {
    static let startOfImage: UInt8 = 0xd8
    static let endOfImage: UInt8 = 0xd9
    static let restart: UInt8 = 0xd0
    static let frame: UInt8 = 0xc0
    static let huffmanTables: UInt8 = 0xc4
    static let quantizationTables: UInt8 = 0xdb
    static let restartInterval: UInt8 = 0xdd
    static let scan: UInt8 = 0xda
  }

  /// A marker and what follows its length.
  struct Segment {
    var marker: UInt8
    var payload: [UInt8]

    /// The segment as it stands in a file.
    var bytes: [UInt8] {
      let length = payload.count + 2
      return [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + payload
    }
  }

  /// Every segment up to the scan's own.
  var segments: [Segment]
  /// What stands between the scan's header and the end of the image.
  let scan: ArraySlice<UInt8>

  /// Takes `jpeg` apart; `nil` where it is no JPEG of one scan.
  init?(_ jpeg: [UInt8]) {
    var segments: [Segment] = []
    var position = 2
    while position + 4 <= jpeg.count, jpeg[position] == 0xff {
      let length = Int(jpeg[position + 2]) << 8 | Int(jpeg[position + 3])
      let end = position + 2 + length
      guard length >= 2, end <= jpeg.count - 2 else { return nil }
      let segment = Segment(marker: jpeg[position + 1], payload: Array(jpeg[position + 4..<end]))
      segments.append(segment)
      position = end
      if segment.marker == Marker.scan {
        self.segments = segments
        self.scan = jpeg[position..<jpeg.count - 2]
        return
      }
    }
    return nil
  }

  /// The Huffman table of a class (0 for DC, 1 for AC) and number, if there is one.
  func huffmanTable(class tableClass: UInt8, number: UInt8) -> HuffmanTable? {
    for segment in segments where segment.marker == Marker.huffmanTables {
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
    for segment in segments where segment.marker == Marker.quantizationTables {
      for start in stride(from: 0, to: segment.payload.count - 64, by: 65)
      where segment.payload[start] == number {
        return Int(segment.payload[start + 1])
      }
    }
    return nil
  }
}
