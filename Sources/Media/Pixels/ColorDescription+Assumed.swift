extension ColorDescription {
  /// What pictures mean where nobody said.
  ///
  /// JPEGs and raw frames come from cameras, for which V4L2's defaults hold: sRGB, and the BT.601 matrix. Films are
  /// taken for BT.709 from 720 rows on and for BT.601 below, as players do.
  static func assumed(for codec: VideoCodec, layout: PixelLayout, height: Int) -> ColorDescription {
    var color: ColorDescription
    switch codec {
    case .mjpeg: color = .jpeg
    case .raw, .packed:
      color = ColorDescription(primaries: .bt709, transfer: .srgb, matrix: .bt601, range: .limited)
    default: color = height >= 720 ? .bt709 : .bt601
    }
    if layout.isRGB { color.matrix = .rgb }
    if layout.isRGB || layout.isGray { color.range = .full }
    return color
  }

  /// These colours, and `other`'s wherever nobody said.
  func completed(by other: ColorDescription) -> ColorDescription {
    ColorDescription(
      primaries: primaries == .unspecified ? other.primaries : primaries,
      transfer: transfer == .unspecified ? other.transfer : transfer,
      matrix: matrix == .unspecified ? other.matrix : matrix,
      range: range == .unspecified ? other.range : range)
  }

  /// The colours of a clip made of pictures of these colours: luma and chroma keep their matrix, which needs no
  /// arithmetic that could lose anything, and red, green and blue get the one that players expect at that height.
  public func inClip(height: Int) -> ColorDescription {
    var color = self
    if matrix == .rgb || matrix == .unspecified { color.matrix = height >= 720 ? .bt709 : .bt601 }
    color.range = .limited
    return color
  }
}

extension VideoTrack {
  /// What the decoded pictures mean as colours: what the file says, and what is usual where it says nothing.
  public var pictureColor: ColorDescription {
    let layout = codec.layout ?? PixelLayout(code: parameters?.values.format ?? -1)
    return color.completed(by: .assumed(for: codec, layout: layout, height: height))
  }
}
