/// A coder for rows of a 4:2:2 JPEG with flat grey blocks.
///
/// Such a block consists of the difference between its DC coefficient and the preceding block's, and an end
/// of block (ITU-T T.81, F.1.2). These are few enough to precompute every code.
struct FlatBlockCoder {
  private static let largestDifference = 2047
  /// The maximum number of bytes in a block: a 16-bit code with 11 more bits, a 16-bit end of block, and a
  /// stuffed zero after every byte.
  private static let largestBlock = 12

  /// The complete code of a luma block, by its difference from the preceding one.
  private let lumaCodes: [HuffmanTable.Code]
  /// The complete code of a grey chroma block after another.
  private let greyCode: HuffmanTable.Code
  /// The quantized DC coefficient of a block, by its luma.
  private let means: [Int]

  /// Creates a coder with the tables of `jpeg`; `nil` if they are not those of a colour JPEG.
  init?(_ jpeg: BaselineJPEG) {
    guard let lumaMean = jpeg.huffmanTable(class: 0, number: 0),
      let lumaRest = jpeg.huffmanTable(class: 1, number: 0),
      let chromaMean = jpeg.huffmanTable(class: 0, number: 1),
      let chromaRest = jpeg.huffmanTable(class: 1, number: 1),
      let quantizer = jpeg.meanQuantizer(table: 0), quantizer > 0
    else { return nil }
    let endOfBlock: UInt8 = 0
    lumaCodes = (-Self.largestDifference...Self.largestDifference).map { difference in
      let size = Int.bitWidth - difference.magnitude.leadingZeroBitCount
      // A negative difference is coded as its ones' complement.
      let bits = UInt64(difference < 0 ? difference + (1 << size) - 1 : difference)
      let end = lumaRest[endOfBlock]
      return lumaMean[UInt8(size)].followed(by: bits, count: size).followed(by: end.bits, count: end.count)
    }
    let end = chromaRest[endOfBlock]
    greyCode = chromaMean[0].followed(by: end.bits, count: end.count)
    means = (0...255).map { level in Int(clamping: (Double(level - 128) * 8 / Double(quantizer)).rounded()) }
  }

  /// Returns the maximum number of bytes in a row of `blocks` luma blocks.
  static func capacity(blocks: Int) -> Int { (blocks + 1) / 2 * 4 * largestBlock }

  /// Writes a row of blocks with the luma `levels` to `target` and returns the address after it.
  ///
  /// Repeats the last block if the row ends in half a unit of 16 pixels.
  func write(
    _ levels: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var writer = BitWriter(next: target)
    var last = 0
    for unit in 0..<(count + 1) / 2 {
      for block in 0..<2 {
        let mean = means[Int(levels[min(unit * 2 + block, count - 1)])]
        writer.write(lumaCodes[mean - last + Self.largestDifference])
        last = mean
      }
      writer.write(greyCode)
      writer.write(greyCode)
    }
    return writer.finish()
  }
}
