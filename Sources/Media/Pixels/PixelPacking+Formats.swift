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
    return all + PixelFields.byName.map { PixelPacking($0, .fields($1), $1.isRGB ? .rgb24 : .yuv444p) }
  }()
}
