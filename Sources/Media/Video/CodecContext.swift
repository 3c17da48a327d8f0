internal import CLibAV
import Platform

/// The owner of an `AVCodecContext`.
final class CodecContext {
  let pointer: UnsafeMutablePointer<AVCodecContext>

  /// A context for `codec`, to be filled and then opened.
  init(_ codec: UnsafePointer<AVCodec>) throws(MediaError) {
    guard let pointer = avcodec_alloc_context3(codec) else { throw MediaError.outOfMemory("a codec") }
    self.pointer = pointer
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecContext>? = pointer
    avcodec_free_context(&pointer)
  }

  /// Opens the codec called `name` in messages, with the codec's own options.
  func open(_ name: String, options: [String: String]) throws(MediaError) {
    var dictionary: OpaquePointer?
    defer { av_dict_free(&dictionary) }
    for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
    // Where it fails, libavcodec forgets them.
    let size = "\(pointer.pointee.width)x\(pointer.pointee.height)"
    let scheduling = ThreadScheduling()
    let result = avcodec_open2(pointer, nil, &dictionary)
    scheduling?.restore()
    guard result >= 0 else {
      throw MediaError.codec(
        result, ": setting up failed", of: "\(name) of \(size)", "Try another size or other settings.")
    }
  }
}
