/// Entropy-codes rows of a 4:2:2 JPEG whose blocks are flat and grey.
///
/// Such a block is the difference of its mean from the last block's and an end of block (ITU-T T.81, F.1.2):
/// few enough to have every code ready.
struct FlatBlockCoder {
  private static let largestDifference = 2047
  /// The most bytes that a block takes: a code of 16 bits with 11 more, an end of block of 16, every byte stuffed.
  private static let largestBlock = 12

  /// The whole code of a luma block by its difference from the last.
  private let lumaCodes: [HuffmanTable.Code]
  /// The whole code of a chroma block that has no colour, after another.
  private let greyCode: HuffmanTable.Code
  /// A block's quantized mean by its luma.
  private let means: [Int]

  /// A coder with the tables of `jpeg`; `nil` where it has not those that colour JPEGs have.
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
      // A negative difference is sent as its ones' complement.
      let bits = UInt64(difference < 0 ? difference + (1 << size) - 1 : difference)
      let end = lumaRest[endOfBlock]
      return lumaMean[UInt8(size)].followed(by: bits, count: size).followed(by: end.bits, count: end.count)
    }
    let end = chromaRest[endOfBlock]
    greyCode = chromaMean[0].followed(by: end.bits, count: end.count)
    means = (0...255).map { level in Int(clamping: (Double(level - 128) * 8 / Double(quantizer)).rounded()) }
  }

  /// The most bytes that a row of this many luma blocks takes.
  static func capacity(blocks: Int) -> Int { (blocks + 1) / 2 * 4 * largestBlock }

  /// Writes the row whose blocks have the luma `levels` to `target` and gives the byte behind it.
  ///
  /// The last block is repeated where the row ends in half a unit of 16 pixels.
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
