internal import CLibAV

/// The owner of an `AVCodecParameters`.
///
/// Sendable because it is not modified after its initialization.
final class CodecParameters: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<AVCodecParameters>

  var values: AVCodecParameters { pointer.pointee }

  /// Creates empty parameters and lets `fill` fill them; `nil` if memory runs out, or `fill` returns a libav
  /// error.
  init?(filledBy fill: (UnsafeMutablePointer<AVCodecParameters>) -> Int32) {
    guard let pointer = avcodec_parameters_alloc() else { return nil }
    self.pointer = pointer
    guard fill(pointer) >= 0 else { return nil }
    // Not all versions of libav copy it; tracks keep what they need of it.
    clibav_remove_side_data(pointer)
  }

  /// Whether the header is that of H.264 whose parameter sets are among the frames, without start codes.
  var hasAVCHeaderWithoutSets: Bool {
    values.codec_id == AV_CODEC_ID_H264
      && UnsafeBufferPointer(start: values.extradata, count: Int(max(0, values.extradata_size)))
        .elementsEqual(AVCHeader.withoutSets)
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecParameters>? = pointer
    avcodec_parameters_free(&pointer)
  }
}

/// The rotation and mirroring of the picture for a player, which turn a phone's landscape video upright.
struct DisplayMatrix: Sendable {
  let terms: [Int32]

  init(terms: [Int32]) { self.terms = terms }

  /// Reads the matrix attached to `stream`, if any.
  init?(of stream: UnsafePointer<AVStream>) {
    let attached = clibav_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX)
    guard let data = attached.data, attached.size >= 9 * MemoryLayout<Int32>.size else { return nil }
    terms = (0..<9).map { UnsafeRawPointer(data).loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) }
  }

  /// The rotation in degrees counterclockwise, by libav's convention.
  var rotation: Double {
    let angle = av_display_rotation_get(terms)
    return angle.isNaN ? 0 : angle
  }

  /// Attaches the matrix to `stream`. Returns `false` if memory runs out.
  func attach(to stream: UnsafeMutablePointer<AVStream>) -> Bool {
    let size = terms.count * MemoryLayout<Int32>.size
    guard let data = clibav_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, size) else { return false }
    terms.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: data, count: size).copyMemory(from: $0) }
    return true
  }
}
