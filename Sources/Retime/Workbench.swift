import Media
import Synchronization

/// The tools that turn one frame of a film into a picture of the clip, for one frame at a time.
final class Workbench: Sendable {
  private struct Tools: ~Copyable {
    var decoder: JPEGDecoder
    var unpacker: PixelUnpacker?
    var demosaicer = Demosaicer()
    var converter: PictureConverter

    mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(MediaError) -> Picture {
      if let picture = try unpacker?.unpack(bytes) { return picture }
      return try decoder.decode(bytes)
    }
  }

  private let tools: Mutex<Tools>

  /// A bench for frames of `film` and a clip of `width` x `height` in `clipColor`.
  init(film: VideoTrack, width: Int, height: Int, clipColor: ColorDescription) throws(MediaError) {
    let color = film.pictureColor
    let decoder = try JPEGDecoder(color: color)
    let unpacker: PixelUnpacker? =
      if case .packed(let packing) = film.codec {
        try PixelUnpacker(packing, width: film.width, height: film.height, color: color)
      } else { nil }
    let converter = PictureConverter(width: width, height: height, color: clipColor)
    tools = Mutex(Tools(decoder: decoder, unpacker: unpacker, converter: converter))
  }

  /// The picture, ready for the encoder.
  func develop(_ content: FrameFeed.Content) -> Result<Picture, MediaError> {
    tools.withLock { tools in
      Result { () throws(MediaError) in
        switch content {
        case .packet(let packet):
          let picture = try packet.withBytes { bytes throws(MediaError) in try tools.decode(bytes) }
          return try tools.converter.convert(try tools.demosaicer.develop(picture))
        case .picture(let picture):
          return try tools.converter.convert(try tools.demosaicer.develop(picture))
        }
      }
    }
  }
}
