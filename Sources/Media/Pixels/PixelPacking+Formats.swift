internal import CLibAV

extension PixelPacking {
  /// All packings, by `videodev2.h` and the "Image Formats" part of the kernel's manual.
  static let all: [PixelPacking] = {
    var all = [
      PixelPacking("VYUY", .vyuy, .uyvy422), PixelPacking("Y41P", .y41p, PixelLayout(AV_PIX_FMT_YUV411P)),
      PixelPacking("M420", .m420, .nv12), PixelPacking("YV12", .redFirst, .yuv420p),
      PixelPacking("YVU9", .redFirst, PixelLayout(AV_PIX_FMT_YUV410P)),
      PixelPacking("YM61", .redFirst, .yuv422p), PixelPacking("YM42", .redFirst, .yuv444p),
      PixelPacking("NV24", .plain, PixelLayout(AV_PIX_FMT_NV24)),
      PixelPacking("NV42", .plain, PixelLayout(AV_PIX_FMT_NV42)),
      PixelPacking("P010", .plain, PixelLayout(AV_PIX_FMT_P010LE)),
      // libav 5.1 has no such layout of 12 bits; in one of 16, the zeros in the low bits do no harm.
      PixelPacking("P012", .plain, PixelLayout(AV_PIX_FMT_P016LE)),
      PixelPacking("Y212", .packedWords(isHalf: true), PixelLayout(AV_PIX_FMT_YUV422P16LE)),
      PixelPacking("Y216", .packedWords(isHalf: true), PixelLayout(AV_PIX_FMT_YUV422P16LE)),
      PixelPacking("Y312", .packedWords(isHalf: false), PixelLayout(AV_PIX_FMT_YUV444P16LE)),
      PixelPacking("NV16", .semiplanar422(isRedFirst: false), .yuv422p),
      PixelPacking("NV61", .semiplanar422(isRedFirst: true), .yuv422p),
    ]
    for (fourcc, bits) in [("Y10P", 10), ("Y12P", 12), ("Y14P", 14)] {
      all.append(PixelPacking(fourcc, .mipi(bits: bits), PixelLayout(AV_PIX_FMT_GRAY16LE)))
    }
    let bitPacked = SampleStream(bits: 10, isHighFirst: true, samplesPerGroup: 4, bytesPerGroup: 5)
    all.append(PixelPacking("Y10B", .stream(bitPacked), PixelLayout(AV_PIX_FMT_GRAY16LE)))
    let ipu3 = SampleStream(bits: 10, isHighFirst: false, samplesPerGroup: 25, bytesPerGroup: 32)
    all.append(PixelPacking("ip3y", .stream(ipu3), PixelLayout(AV_PIX_FMT_GRAY16LE)))
    // The order of colours by V4L2's codes: 10, 12 and 14 bits in words, then the same as packed by MIPI.
    let orders: [(PixelLayout, [String], [String])] = [
      (PixelLayout(AV_PIX_FMT_BAYER_BGGR16LE), ["BG10", "BG12", "BG14"], ["pBAA", "pBCC", "pBEE"]),
      (PixelLayout(AV_PIX_FMT_BAYER_GBRG16LE), ["GB10", "GB12", "GB14"], ["pGAA", "pGCC", "pGEE"]),
      (PixelLayout(AV_PIX_FMT_BAYER_GRBG16LE), ["BA10", "BA12", "GR14"], ["pgAA", "pgCC", "pgEE"]),
      (PixelLayout(AV_PIX_FMT_BAYER_RGGB16LE), ["RG10", "RG12", "RG14"], ["pRAA", "pRCC", "pREE"]),
    ]
    for ((layout, words, packed), code) in zip(orders, ["ip3b", "ip3g", "ip3G", "ip3r"]) {
      all.append(PixelPacking(code, .stream(ipu3), layout))
      for (index, bits) in [10, 12, 14].enumerated() {
        all.append(PixelPacking(words[index], .words(bits: bits), layout))
        all.append(PixelPacking(packed[index], .mipi(bits: bits), layout))
      }
    }
    return all + deepColours + unusual + webcams
      + PixelFields.byName.map { PixelPacking($0, .fields($1), $1.isRGB ? .rgb24 : .yuv444p) }
  }()

  /// Red, green and blue of more than 8 bits. Those of 12 are the high bits of words.
  private static let deepColours = [
    PixelPacking("RGB6", .plain, PixelLayout(AV_PIX_FMT_RGB48LE)),
    PixelPacking("BGR6", .plain, PixelLayout(AV_PIX_FMT_BGR48LE)),
    PixelPacking("B312", .plain, PixelLayout(AV_PIX_FMT_BGR48LE)),
    PixelPacking("B412", .plain, PixelLayout(AV_PIX_FMT_BGRA64LE)),
  ]

  /// Luma of few bits or beside another picture, chroma alone, numbered colours, and hue, saturation and value.
  private static let unusual: [PixelPacking] = {
    let deepGray = PixelLayout(AV_PIX_FMT_GRAY16LE)
    return [
      PixelPacking("Y04 ", .rows(.high(bits: 4)), .gray), PixelPacking("Y06 ", .rows(.high(bits: 6)), .gray),
      PixelPacking("CNF4", .rows(.nibbles), .gray), PixelPacking("PAL8", .plain, .gray),
      PixelPacking("Y8I ", .rows(.low(bits: 8, byteCount: 2)), deepGray),
      PixelPacking("Y12I", .rows(.low(bits: 12, byteCount: 3)), deepGray),
      PixelPacking("Y16I", .rows(.low(bits: 16, byteCount: 4)), deepGray),
      PixelPacking("INZI", .wordsAndDepth(bits: 10), deepGray),
      PixelPacking("UV8 ", .rows(.chroma), .yuv422p),
      PixelPacking("HSV3", .rows(.hsv(byteCount: 3)), .rgb24),
      PixelPacking("HSV4", .rows(.hsv(byteCount: 4)), .rgb24),
      PixelPacking("HI24", .rows(.cube), .rgb24),
    ]
  }()

  /// Webcams of the years before 2010: their own orders of bytes, and their own compression.
  private static let webcams: [PixelPacking] = {
    let layouts: [(String, WebcamLayout)] = [
      ("S501", .rows("YUYV", isSigned: true)), ("S505", .rows("YYUV", isSigned: true)),
      ("S508", .rows("YUVY", isSigned: true)), ("CITV", .rows("YP")), ("KONI", .pieces), ("S920", .blocks),
    ]
    return layouts.map { PixelPacking($0, .webcam($1), .yuv420p) }
      + [PixelPacking("S680", .webcam(.halves), PixelLayout(AV_PIX_FMT_BAYER_RGGB8))]
      + WebcamDecoder.codes.map { PixelPacking($0, .compressed, .rgb24) }
  }()
}
