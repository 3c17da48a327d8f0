internal import CLibAV

/// Parts packed 4:2:2 of the full range into planes, for ``RangeSqueeze``: libswscale 6 makes 4:2:0 of YUYV and UYVY
/// without a look at their range, and leaves them washed out or crushed by up to 13 of 255.
enum PackedChroma {
  /// Where in four bytes the first luma, Cb and Cr lie; `nil` where `picture` is none of these.
  private static func places(in picture: Picture) -> (luma: Int, blue: Int, red: Int)? {
    guard picture.color.range == .full else { return nil }
    return switch picture.layout.format {
    case AV_PIX_FMT_YUYV422: (0, 1, 3)
    case AV_PIX_FMT_YVYU422: (0, 3, 1)
    case AV_PIX_FMT_UYVY422: (1, 0, 2)
    default: nil
    }
  }

  /// The picture in planes, from `pool`; the same one where it needs no parting.
  static func planar(_ picture: Picture, _ pool: inout PicturePool) throws(MediaError) -> Picture {
    guard let places = places(in: picture), let source = picture.planeBases[0] else { return picture }
    let target = try pool.picture(
      layout: .yuv422p, width: picture.width, height: picture.height, color: picture.color)
    guard let luma = target.planeBases[0], let blue = target.planeBases[1], let red = target.planeBases[2]
    else {
      return target
    }
    let strides = target.planeStrides.map { Int($0) }
    // An odd last pixel has no partner and is left out of 4:2:0 anyway.
    let pairs = picture.width / 2
    for row in 0..<picture.height {
      let line = source + row * Int(picture.planeStrides[0])
      let (lumaLine, blueLine, redLine) = (
        luma + row * strides[0], blue + row * strides[1], red + row * strides[2]
      )
      var pair = 0
      while pair < pairs {
        lumaLine[2 * pair] = line[4 * pair + places.luma]
        lumaLine[2 * pair + 1] = line[4 * pair + places.luma + 2]
        blueLine[pair] = line[4 * pair + places.blue]
        redLine[pair] = line[4 * pair + places.red]
        pair += 1
      }
    }
    return target
  }
}
