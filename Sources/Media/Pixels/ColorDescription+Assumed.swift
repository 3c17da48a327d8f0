extension ColorDescription {
  /// Returns the colours of pictures whose source does not state them.
  ///
  /// JPEGs follow JFIF. Everything else is assumed to be BT.709 from 720 rows on and BT.601 below, as players
  /// do; red, green and blue are assumed to be sRGB. Raw frames in our masters are tagged: see
  /// ``ofCamera(_:)``.
  static func assumed(for codec: VideoCodec, layout: PixelLayout, height: Int) -> ColorDescription {
    guard codec != .mjpeg else { return .jpeg }
    let usual = usual(height: height)
    guard layout.isRGB || layout.lacksChroma else { return usual }
    return ColorDescription(
      primaries: .bt709, transfer: .srgb, matrix: layout.isRGB ? .rgb : usual.matrix, range: .full)
  }

  /// Returns the colours of raw frames whose camera does not state them: V4L2's defaults, which are sRGB and
  /// the BT.601 matrix at any size. A sensor's raw values have no defined colours, which is why they are
  /// developed.
  package static func ofCamera(_ codec: VideoCodec) -> ColorDescription {
    guard let layout = codec.layout, !layout.isRaw else { return .unspecified }
    return ColorDescription(
      primaries: .bt709, transfer: .srgb, matrix: layout.isRGB ? .rgb : .bt601,
      range: layout.isRGB ? .full : .limited)
  }

  /// Returns the colours that players expect of video with this number of rows.
  static func usual(height: Int) -> ColorDescription { height >= 720 ? .bt709 : .bt601 }

  /// Returns these colours, with unspecified parts replaced by those of `other`.
  package func completed(by other: ColorDescription) -> ColorDescription {
    ColorDescription(
      primaries: primaries == .unspecified ? other.primaries : primaries,
      transfer: transfer == .unspecified ? other.transfer : transfer,
      matrix: matrix == .unspecified ? other.matrix : matrix,
      range: range == .unspecified ? other.range : range)
  }

  /// Returns the colours of a clip made of such pictures: luma and chroma keep their matrix, which requires
  /// no lossy conversion, and red, green and blue get that of their primaries, or the one that players expect
  /// at that height.
  public func inClip(height: Int) -> ColorDescription {
    var color = self
    if matrix == .rgb || matrix == .unspecified {
      color.matrix = primaries == .bt2020 ? .bt2020 : ColorDescription.usual(height: height).matrix
    }
    color.range = .limited
    return color
  }
}

extension VideoTrack {
  /// The colours of the decoded pictures: those that the file states, completed by the usual ones.
  public var pictureColor: ColorDescription {
    let layout = codec.layout ?? PixelLayout(code: parameters?.values.format ?? -1)
    return color.completed(by: .assumed(for: codec, layout: layout, height: height))
  }
}
