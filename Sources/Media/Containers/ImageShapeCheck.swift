package import Platform
internal import CLibAV
package import SystemPackage

/// Finds out whether all images of a film have the size and the pixels of the first.
///
/// Where a decoder knows them from an image's head alone, it decodes no more. Use from one thread at a time.
package final class ImageShapeCheck {
  private struct Shape: Equatable {
    var width: Int32
    var height: Int32
    var format: Int32

    /// `1280x720 rgb24`.
    var words: String { "\(width)x\(height) \(PixelLayout(code: format))" }
  }

  private let images: ImageSequence
  private let context: CodecContext
  private let scratch: Picture
  private var first: Shape?

  /// - Parameters:
  ///   - path: the film.
  ///   - track: what its first image is.
  /// - Returns: `nil` where the film is not made of images.
  /// - Throws: `OvercrankError`.
  package init?(_ path: FilePath, _ track: VideoTrack) throws(OvercrankError) {
    guard ImageSequence.isNamed(by: path), let codec = avcodec_find_decoder(track.codec.id) else {
      return nil
    }
    let (images, context) = (try ImageSequence(path), try CodecContext(codec))
    if let parameters = track.parameters {
      avcodec_parameters_to_context(context.pointer, parameters.pointer)
    }
    // With several, what is known of an image is known images later.
    context.pointer.pointee.thread_count = 1
    context.pointer.pointee.max_pixels = Int64(VideoDecoder.mostPixels)
    context.pointer.pointee.skip_frame = AVDISCARD_ALL
    try context.open("decoder for \(track.codec)", options: [:])
    self.images = images
    self.context = context
    scratch = try Picture()
    first = nil
  }

  /// Looks at the next image.
  ///
  /// - Parameters:
  ///   - packet: the image.
  ///   - index: which it is, counted from 0.
  /// - Throws: `badData` where it is another than the first. One that is damaged passes.
  package func check(_ packet: Packet, index: Int) throws(OvercrankError) {
    let values = context.pointer
    _ = avcodec_send_packet(values, packet.pointer)
    while avcodec_receive_frame(values, scratch.frame) >= 0 {}
    let shape = Shape(
      width: values.pointee.width, height: values.pointee.height, format: values.pointee.pix_fmt.rawValue)
    guard shape.width > 0, shape.height > 0, values.pointee.pix_fmt != AV_PIX_FMT_NONE else { return }
    guard let first else {
      first = shape
      return
    }
    guard shape == first else {
      throw OvercrankError(
        .badData,
        "\(images.path(ofImage: index)): is \(shape.words), and the images before it are \(first.words). One film has "
          + "one size and one kind of pixels: convert it, or take it away.")
    }
  }
}
