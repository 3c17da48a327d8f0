internal import CLibAV
import Platform
import Synchronization

/// The owner of an `AVCodecContext`.
final class CodecContext {
  let pointer: UnsafeMutablePointer<AVCodecContext>
  /// Whether an encoder has received a picture.
  private(set) var hasBegun = false
  /// Whether the end of the pictures was signalled.
  private var hasFinished = false

  /// Creates a context for `codec`, to be configured and then opened.
  init(_ codec: UnsafePointer<AVCodec>) throws(OvercrankError) {
    guard let pointer = avcodec_alloc_context3(codec) else { throw OvercrankError.outOfMemory("a codec") }
    self.pointer = pointer
  }

  deinit {
    guard finishes() else { return }
    alone {
      var pointer: UnsafeMutablePointer<AVCodecContext>? = pointer
      avcodec_free_context(&pointer)
    }
  }

  /// A lock for libsvtav1 1.4, which sets up and frees data shared by all its encoders without one: two at
  /// once corrupt the heap.
  private static let sharedBySVT = Mutex(())

  private var isSVT: Bool {
    pointer.pointee.codec.map { String(cString: $0.pointee.name) == "libsvtav1" } ?? false
  }

  /// Calls `body`, serialized if the encoder cannot be set up or freed at the same time as another.
  private func alone<Result>(_ body: () -> Result) -> Result {
    isSVT ? Self.sharedBySVT.withLock { _ in body() } : body()
  }

  /// Opens the codec, called `name` in messages, with the codec's own options.
  func open(_ name: String, options: [String: String]) throws(OvercrankError) {
    var dictionary: OpaquePointer?
    defer { av_dict_free(&dictionary) }
    for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
    // libavcodec clears the size on failure.
    let size = "\(pointer.pointee.width)x\(pointer.pointee.height)"
    let scheduling = ThreadScheduling()
    let result = alone { avcodec_open2(pointer, nil, &dictionary) }
    scheduling?.restore()
    guard result >= 0 else {
      throw OvercrankError.codec(
        result, ": setting up failed", of: "\(name) of \(size)", "Try another size or other settings.")
    }
  }
  /// Sends an encoder the next picture; `nil` signals the end.
  ///
  /// - Returns: libavcodec's result.
  func send(_ frame: UnsafeMutablePointer<AVFrame>?) -> Int32 {
    let result = avcodec_send_frame(pointer, frame)
    if frame == nil { hasFinished = true } else if result >= 0 { hasBegun = true }
    return result
  }

  /// Completes an encoder that was abandoned before its end, so that it can be freed.
  ///
  /// libsvtav1 joins threads that wait for the end of the pictures; if it has received none, they do not
  /// receive the end either. All other encoders can be freed at any time.
  ///
  /// - Returns: whether it can be freed; if memory for that runs out, it never can.
  private func finishes() -> Bool {
    guard avcodec_is_open(pointer) != 0, isSVT else { return true }
    var packet = av_packet_alloc()
    defer { av_packet_free(&packet) }
    guard packet != nil, hasBegun || sendEmptyPicture() else { return false }
    if !hasFinished { _ = send(nil) }
    while avcodec_receive_packet(pointer, packet) == 0 { av_packet_unref(packet) }
    return true
  }

  /// Sends the encoder a picture that is never shown. Returns whether there was memory for it.
  private func sendEmptyPicture() -> Bool {
    var frame = av_frame_alloc()
    defer { av_frame_free(&frame) }
    guard let picture = frame else { return false }
    picture.pointee.width = pointer.pointee.width
    picture.pointee.height = pointer.pointee.height
    picture.pointee.format = pointer.pointee.pix_fmt.rawValue
    guard av_frame_get_buffer(picture, 0) >= 0 else { return false }
    return send(picture) >= 0
  }
}
