internal import CLibAV

/// The owner of an `AVCodecParameters`.
///
/// Sendable because nothing writes to it after it was made.
final class CodecParameters: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<AVCodecParameters>

  var values: AVCodecParameters { pointer.pointee }

  /// Empty parameters for `fill` to fill; `nil` without memory, or where `fill` gives a libav error.
  init?(filledBy fill: (UnsafeMutablePointer<AVCodecParameters>) -> Int32) {
    guard let pointer = avcodec_parameters_alloc() else { return nil }
    self.pointer = pointer
    guard fill(pointer) >= 0 else { return nil }
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecParameters>? = pointer
    avcodec_parameters_free(&pointer)
  }
}

/// How a player is to turn and mirror the picture: a phone's upright film is a lying one with such a matrix.
struct DisplayMatrix: Sendable {
  let terms: [Int32]

  init(terms: [Int32]) { self.terms = terms }

  /// The matrix attached to `stream`, if any.
  init?(of stream: AVStream) {
    for index in 0..<Int(stream.nb_side_data) {
      let entry = stream.side_data[index]
      guard entry.type == AV_PKT_DATA_DISPLAYMATRIX, entry.size >= 9 * MemoryLayout<Int32>.size
      else { continue }
      self.terms = (0..<9).map {
        UnsafeRawPointer(entry.data).loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self)
      }
      return
    }
    return nil
  }

  /// Degrees counterclockwise that the matrix turns by, in libav's sense.
  var rotation: Double {
    let angle = av_display_rotation_get(terms)
    return angle.isNaN ? 0 : angle
  }

  /// Attaches the matrix to `stream`; `false` without memory.
  func attach(to stream: UnsafeMutablePointer<AVStream>) -> Bool {
    let size = terms.count * MemoryLayout<Int32>.size
    guard let data = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, size) else { return false }
    terms.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: data, count: size).copyMemory(from: $0) }
    return true
  }
}
