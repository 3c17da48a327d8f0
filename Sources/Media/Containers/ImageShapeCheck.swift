package import Platform
internal import CLibAV
package import SystemPackage

/// A check that all images of a source have the size, the pixel format and the orientation of the first.
///
/// A decoder that finds these in an image's header decodes no more. Use from one thread at a time.
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
  /// The orientation of the first JPEG; `nil` for other images.
  private let orientation: Orientation?

  /// - Parameters:
  ///   - path: the source.
  ///   - track: the parameters of its first image.
  /// - Returns: `nil` if the source does not consist of images.
  /// - Throws: `OvercrankError`.
  package init?(_ path: FilePath, _ track: VideoTrack) throws(OvercrankError) {
    guard ImageSequence.isNamed(by: path), let codec = avcodec_find_decoder(track.codec.id) else {
      return nil
    }
    let (images, context) = (try ImageSequence(path), try CodecContext(codec))
    if let parameters = track.parameters {
      avcodec_parameters_to_context(context.pointer, parameters.pointer)
    }
    // With several threads, an image's properties become known only several images later.
    context.pointer.pointee.thread_count = 1
    context.pointer.pointee.max_pixels = Int64(VideoDecoder.mostPixels)
    context.pointer.pointee.skip_frame = AVDISCARD_ALL
    try context.open("decoder for \(track.codec)", options: [:])
    self.images = images
    self.context = context
    scratch = try Picture()
    first = nil
    orientation = track.codec == .mjpeg ? track.orientation : nil
  }

  /// Checks the next image.
  ///
  /// - Parameters:
  ///   - packet: the image.
  ///   - index: the index of the image, counted from 0.
  /// - Throws: `badData` if it differs from the first. A damaged image passes.
  package func check(_ packet: Packet, index: Int) throws(OvercrankError) {
    if let orientation, case let image = images.path(ofImage: index),
      Orientation(ofJPEG: image) != orientation
    {
      throw OvercrankError(
        .badData,
        "\(image): its orientation differs from that of the images before it. All images of a source must have the "
          + "same: change its EXIF data, or remove it.")
    }
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
        "\(images.path(ofImage: index)): is \(shape.words), but the images before it are \(first.words). All "
          + "images of a source must have the same size and pixel format: convert it, or remove it.")
    }
  }
}
