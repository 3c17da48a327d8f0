internal import CLibAV
public import Timebase

/// The codec of a track's frames.
public enum VideoCodec: Hashable, Sendable, CustomStringConvertible {
  /// A JPEG per frame.
  case mjpeg
  /// Uncompressed pixels.
  case raw(PixelLayout)
  /// Uncompressed pixels in a layout that libav does not read.
  case packed(PixelPacking)
  /// H.264.
  case h264
  /// Any other codec in libav, by libav's name, such as `hevc`.
  case other(String)

  /// libav's name, with the layout of raw pixels: `mjpeg`, `rawvideo yuyv422`.
  public var description: String {
    switch self {
    case .mjpeg: "mjpeg"
    case .raw(let layout): "rawvideo \(layout)"
    case .packed(let packing): "raw \(packing)"
    case .h264: "h264"
    case .other(let name): name
    }
  }
}

/// The properties of a video track: codec, size and colours.
///
/// Create one for frames from a camera, or get one from a ``Demuxer`` or an encoder.
public struct VideoTrack: Sendable {
  /// The codec of its frames.
  public let codec: VideoCodec
  /// The pixels per row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The colours of its values.
  public var color: ColorDescription
  /// The width of a pixel divided by its height; `nil` if unknown.
  public var pixelAspectRatio: Fraction?
  /// The clockwise rotation by a player, in degrees; 0 for upright.
  public var rotation: Double { displayMatrix.map { -$0.rotation } ?? 0 }

  /// The same between 0 and 360 if it is not a multiple of 90, so that ``orientation`` is only the nearest one; otherwise
  /// `nil`.
  public var obliqueRotation: Double? {
    let angle = rotation.truncatingRemainder(dividingBy: 360)
    // A degree is not seen.
    guard (angle - (angle / 90).rounded() * 90).magnitude > 1 else { return nil }
    return angle < 0 ? angle + 360 : angle
  }

  /// The rotation in quarter turns, and the mirroring.
  public var orientation: Orientation { displayMatrix.map(Orientation.init) ?? .upright }

  /// The codec's header for a decoder, which replaces that of ``parameters``; empty for none.
  package var header: [UInt8] = []
  /// The codec's own parameters, such as profiles and parameter sets; `nil` for a track created from its
  /// properties.
  var parameters: CodecParameters?
  var displayMatrix: DisplayMatrix?
  /// The first field as found by the decoder, if the file does not state it.
  var firstFieldOrder: FieldOrder?
  /// The grading of its HDR; `nil` if unknown.
  public internal(set) var light: LightMetadata?

  /// Creates a track of encoded or raw frames of this codec and size.
  ///
  /// Codecs whose containers need parameter sets, such as H.264 in MP4, come from a demuxer or an encoder instead.
  public init(codec: VideoCodec, width: Int, height: Int, color: ColorDescription = .unspecified) {
    self.codec = codec
    self.width = width
    self.height = height
    self.color = color
  }

  init(parameters: CodecParameters, codec: VideoCodec? = nil, displayMatrix: DisplayMatrix? = nil) {
    let values = parameters.values
    self.init(
      codec: codec ?? VideoCodec(values), width: Int(values.width), height: Int(values.height),
      color: ColorDescription(
        values.color_primaries, values.color_trc, values.color_space, values.color_range))
    self.parameters = parameters
    self.displayMatrix = displayMatrix
    let aspect = values.sample_aspect_ratio
    if aspect.num > 0, aspect.den > 0 {
      self.pixelAspectRatio = Fraction(Int64(aspect.num), Int64(aspect.den))
    }
  }

  /// Returns this track with the rotation of `other`.
  public func turned(like other: VideoTrack) -> VideoTrack {
    var track = self
    track.displayMatrix = other.displayMatrix
    return track
  }

  /// Returns this track with the rotation of `orientation`.
  public func shown(in orientation: Orientation) -> VideoTrack {
    var track = self
    track.displayMatrix = DisplayMatrix(orientation)
    return track
  }

  /// Whether the source states that a chroma sample for two pixels of a row lies on the first of them.
  public var hasChromaLeft: Bool { parameters?.values.chroma_location == AVCHROMA_LOC_LEFT }

  /// The number of frames that a decoder takes in before it returns the first; above 0 if frames are
  /// reordered.
  public var decodingDelay: Int { parameters.map { Int(max(0, $0.values.video_delay)) } ?? 0 }

  /// Fills `target` with this description. Returns a libav error code on failure.
  func fill(_ target: UnsafeMutablePointer<AVCodecParameters>) -> Int32 {
    if let parameters {
      let result = avcodec_parameters_copy(target, parameters.pointer)
      guard result >= 0 else { return result }
    } else {
      target.pointee.codec_type = AVMEDIA_TYPE_VIDEO
      target.pointee.codec_id = codec.id
      switch codec {
      case .raw(let layout): target.pointee.format = layout.code
      case .packed(let packing): target.pointee.format = packing.unpacked.code
      default: break
      }
    }
    if !header.isEmpty {
      av_freep(&target.pointee.extradata)
      target.pointee.extradata_size = 0
      guard let data = av_mallocz(header.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
        return clibav_error(ENOMEM)
      }
      UnsafeMutableRawBufferPointer(start: data, count: header.count).copyBytes(from: header)
      target.pointee.extradata = data.assumingMemoryBound(to: UInt8.self)
      target.pointee.extradata_size = Int32(clamping: header.count)
    }
    // NUT identifies the layout of raw frames by the tag.
    switch codec {
    case .raw where PixelPacking(tag: target.pointee.codec_tag) != nil: break
    case .raw(let layout): target.pointee.codec_tag = avcodec_pix_fmt_to_codec_tag(layout.format)
    case .packed(let packing): target.pointee.codec_tag = packing.tag
    default: break
    }
    target.pointee.width = Int32(width)
    target.pointee.height = Int32(height)
    target.pointee.color_primaries = color.libavPrimaries
    target.pointee.color_trc = color.libavTransfer
    target.pointee.color_space = color.libavMatrix
    target.pointee.color_range = color.libavRange
    if let aspect = pixelAspectRatio {
      target.pointee.sample_aspect_ratio = aspect.libav
    }
    return 0
  }
}

extension VideoCodec {
  init(_ parameters: AVCodecParameters) {
    if parameters.codec_id == AV_CODEC_ID_NONE, let packing = PixelPacking(tag: parameters.codec_tag) {
      self = .packed(packing)
      return
    }
    switch parameters.codec_id {
    case AV_CODEC_ID_MJPEG: self = .mjpeg
    case AV_CODEC_ID_H264: self = .h264
    case AV_CODEC_ID_RAWVIDEO: self = .raw(PixelLayout(code: parameters.format))
    case let id: self = .other(String(cString: avcodec_get_name(id)))
    }
  }

  var id: AVCodecID {
    switch self {
    case .mjpeg: AV_CODEC_ID_MJPEG
    case .raw: AV_CODEC_ID_RAWVIDEO
    case .packed(let packing): packing.isReadByLibAV ? AV_CODEC_ID_RAWVIDEO : AV_CODEC_ID_NONE
    case .h264: AV_CODEC_ID_H264
    case .other(let name): avcodec_descriptor_get_by_name(name)?.pointee.id ?? AV_CODEC_ID_NONE
    }
  }

  /// The layout of its pixels, after unpacking for ``packed(_:)``; `nil` if a decoder decides.
  public var layout: PixelLayout? {
    switch self {
    case .raw(let layout): layout
    case .packed(let packing): packing.unpacked
    default: nil
    }
  }

  /// Returns the planes of an uncompressed frame of this size without padding; `nil` for other codecs and
  /// impossible sizes.
  public func planes(width: Int, height: Int) -> [PixelLayout.Plane]? {
    switch self {
    case .raw(let layout): layout.planes(width: width, height: height)
    case .packed(let packing): packing.planes(width: width, height: height)
    default: nil
    }
  }

  /// Returns the size in bytes of an uncompressed frame of this size without padding; `nil` for other codecs
  /// and impossible sizes.
  public func byteCount(width: Int, height: Int) -> Int? {
    planes(width: width, height: height)?.last.map { $0.offset + $0.bytesPerRow * $0.rows }
  }

  /// Whether frames are compressed in a webcam's own way, and have no fixed size.
  var isWebcamCompression: Bool {
    if case .packed(let packing) = self { packing.isCompressed } else { false }
  }

  /// Whether every frame can be decoded without the others.
  public var isIntraOnly: Bool {
    if case .packed = self { return true }
    // The first frame may contain the palette for all, as in AVI.
    if layout?.hasPalette == true { return false }
    guard let descriptor = avcodec_descriptor_get(id) else { return false }
    return descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0
  }
}

extension Fraction {
  /// The nearest fraction of two `int`s.
  var libav: AVRational {
    var result = clibav_rational(0, 1)
    av_reduce(&result.num, &result.den, numerator, denominator, Int64(Int32.max))
    return result
  }
}
