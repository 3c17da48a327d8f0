extension ColorDescription {
  /// The colours of pictures whose source does not state them.
  ///
  /// JPEGs are what JFIF says. All else is taken for BT.709 from 720 rows on and for BT.601 below, as players take it;
  /// red, green and blue for sRGB. Raw frames that a camera of ours sent are tagged: see ``ofCamera(_:)``.
  static func assumed(for codec: VideoCodec, layout: PixelLayout, height: Int) -> ColorDescription {
    guard codec != .mjpeg else { return .jpeg }
    let usual = usual(height: height)
    guard layout.isRGB || layout.isGray else { return usual }
    return ColorDescription(
      primaries: .bt709, transfer: .srgb, matrix: layout.isRGB ? .rgb : usual.matrix, range: .full)
  }

  /// The colours of raw frames whose camera does not state them: V4L2's defaults, which are sRGB and the BT.601 matrix at
  /// any size. Nothing is stated of a sensor's own numbers, which are developed for that reason.
  package static func ofCamera(_ codec: VideoCodec) -> ColorDescription {
    guard let layout = codec.layout, !layout.isRaw else { return .unspecified }
    return ColorDescription(
      primaries: .bt709, transfer: .srgb, matrix: layout.isRGB ? .rgb : .bt601,
      range: layout.isRGB ? .full : .limited)
  }

  /// The colours that players expect of video with so many rows.
  static func usual(height: Int) -> ColorDescription { height >= 720 ? .bt709 : .bt601 }

  /// These colours, and `other`'s wherever nobody said.
  package func completed(by other: ColorDescription) -> ColorDescription {
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
    if matrix == .rgb || matrix == .unspecified {
      color.matrix = ColorDescription.usual(height: height).matrix
    }
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
