internal import CLibAV

/// Pixels whose three components are bits of one number each: red, green and blue, or Y, Cb and Cr.
struct PixelFields: Hashable, Sendable {
  /// The place of a component in the number.
  struct Field: Hashable, Sendable {
    /// The bits below it.
    let shift: UInt32
    /// Its bits, at most 8.
    let bits: UInt32
  }

  /// The bytes of a pixel, at most 4.
  let byteCount: Int
  /// Whether the first byte is the highest of the number.
  let isBigEndian: Bool
  /// Whether the components are red, green and blue; otherwise they are Y, Cb and Cr.
  let isRGB: Bool
  /// The components.
  let fields: [Field]

  /// Creates the pixels of a description: a letter for each bit of the number, from the highest, such as
  /// `xxxxyyyyuuuuvvvv`; letters other than those of components stand for bits without meaning.
  init(_ bits: String, isBigEndian: Bool = false) {
    let letters = Array(bits)
    byteCount = letters.count / 8
    self.isBigEndian = isBigEndian
    isRGB = letters.contains("r")
    fields = (isRGB ? "rgb" : "yuv").map { name in
      Field(
        shift: UInt32(letters.count - 1 - (letters.lastIndex(of: name) ?? 0)),
        bits: UInt32(letters.count { $0 == name }))
    }
  }

  /// The values of 8 bits that stand for those of a component.
  ///
  /// The highest value of a colour is the brightest. Luma and chroma keep their numbers, so that grey stays
  /// grey: chroma's zero is a power of two.
  private func values(of field: Field) -> [UInt8] {
    let bits = Int(field.bits)
    let top = 1 << bits - 1
    return (0...top).map { value in
      let scaled = isRGB ? (value * 255 + top / 2) / top : value << (8 - bits)
      return UInt8(scaled)
    }
  }

  /// Unpacks red, green and blue to bytes of ``PixelLayout/rgb24``.
  ///
  /// - Parameters:
  ///   - source: the first row.
  ///   - stride: the bytes from a row to the next.
  ///   - picture: a picture in that layout, of the same size.
  func unpack(_ source: UnsafePointer<UInt8>, stride: Int, toRGB picture: Picture) {
    guard let first = picture.planeBases[0] else { return }
    let targetStride = Int(picture.planeStrides[0])
    unpack(source, stride: stride, width: picture.width, rows: picture.height) { row, column, values in
      let pixel = first + row * targetStride + 3 * column
      (pixel[0], pixel[1], pixel[2]) = values
    }
  }

  /// Unpacks `rows` rows of `width` pixels to bytes.
  ///
  /// - Parameters:
  ///   - source: the first row.
  ///   - stride: the bytes from a row to the next.
  ///   - write: takes a row, a column, and the three components.
  func unpack(
    _ source: UnsafePointer<UInt8>, stride: Int, width: Int, rows: Int,
    write: (_ row: Int, _ column: Int, _ values: (UInt8, UInt8, UInt8)) -> Void
  ) {
    let tables = fields.map { values(of: $0) }
    let (first, second, third) = (fields[0], fields[1], fields[2])
    func value(_ number: UInt32, _ field: Field, _ table: [UInt8]) -> UInt8 {
      table[Int(number >> field.shift & (1 << field.bits - 1))]
    }
    for row in 0..<rows {
      for column in 0..<width {
        let pixel = source + row * stride + column * byteCount
        var number: UInt32 = 0
        for place in 0..<byteCount {
          number |= UInt32(pixel[place]) << UInt32(8 * (isBigEndian ? byteCount - 1 - place : place))
        }
        write(
          row, column,
          (
            value(number, first, tables[0]), value(number, second, tables[1]), value(number, third, tables[2])
          ))
      }
    }
  }

  /// libav's layouts of few bits per colour. libswscale fills the missing low bits with zeros, so that white becomes
  /// grey: 240 of 255 for four bits.
  static let byLayout: [PixelLayout: PixelFields] = {
    let layouts: [(little: AVPixelFormat, big: AVPixelFormat, bits: String)] = [
      (AV_PIX_FMT_RGB444LE, AV_PIX_FMT_RGB444BE, "xxxxrrrrggggbbbb"),
      (AV_PIX_FMT_BGR444LE, AV_PIX_FMT_BGR444BE, "xxxxbbbbggggrrrr"),
      (AV_PIX_FMT_RGB555LE, AV_PIX_FMT_RGB555BE, "xrrrrrgggggbbbbb"),
      (AV_PIX_FMT_BGR555LE, AV_PIX_FMT_BGR555BE, "xbbbbbgggggrrrrr"),
      (AV_PIX_FMT_RGB565LE, AV_PIX_FMT_RGB565BE, "rrrrrggggggbbbbb"),
      (AV_PIX_FMT_BGR565LE, AV_PIX_FMT_BGR565BE, "bbbbbggggggrrrrr"),
    ]
    var fields: [PixelLayout: PixelFields] = [:]
    for layout in layouts {
      fields[PixelLayout(layout.little)] = PixelFields(layout.bits)
      fields[PixelLayout(layout.big)] = PixelFields(layout.bits, isBigEndian: true)
    }
    return fields
  }()

  /// V4L2's codes: the "Packed YUV formats" and "RGB formats" of the kernel's manual.
  static let byName: [String: PixelFields] = [
    "RA12": PixelFields("rrrrggggbbbbaaaa"), "RX12": PixelFields("rrrrggggbbbbxxxx"),
    "GA12": PixelFields("bbbbggggrrrraaaa"), "BX12": PixelFields("bbbbggggrrrrxxxx"),
    "RA15": PixelFields("rrrrrgggggbbbbba"), "RX15": PixelFields("rrrrrgggggbbbbbx"),
    "BA15": PixelFields("bbbbbgggggrrrrra"), "BX15": PixelFields("bbbbbgggggrrrrrx"),
    "BGRH": PixelFields("bbbbbbggggggrrrrrrxxxxxxxxxxxxxx", isBigEndian: true),
    "Y444": PixelFields("xxxxyyyyuuuuvvvv"), "YUVO": PixelFields("xyyyyyuuuuuvvvvv"),
    "YUVP": PixelFields("yyyyyuuuuuuvvvvv"),
    "YUV3": PixelFields("yyyyyyyyuuuuuuuuvvvvvvvv", isBigEndian: true),
    "YUV4": PixelFields("xxxxxxxxyyyyyyyyuuuuuuuuvvvvvvvv", isBigEndian: true),
    "AYUV": PixelFields("aaaaaaaayyyyyyyyuuuuuuuuvvvvvvvv", isBigEndian: true),
    "XYUV": PixelFields("xxxxxxxxyyyyyyyyuuuuuuuuvvvvvvvv", isBigEndian: true),
    "VUYA": PixelFields("vvvvvvvvuuuuuuuuyyyyyyyyaaaaaaaa", isBigEndian: true),
    "VUYX": PixelFields("vvvvvvvvuuuuuuuuyyyyyyyyxxxxxxxx", isBigEndian: true),
    "YUVA": PixelFields("yyyyyyyyuuuuuuuuvvvvvvvvaaaaaaaa", isBigEndian: true),
    "YUVX": PixelFields("yyyyyyyyuuuuuuuuvvvvvvvvxxxxxxxx", isBigEndian: true),
  ]
}
