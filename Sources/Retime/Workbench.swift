import Media
import Synchronization

/// The tools that turn one frame of a film into a picture of the clip, for one frame at a time.
final class Workbench: Sendable {
  private struct Tools: ~Copyable {
    var decoder: JPEGDecoder
    var converter: PictureConverter
  }

  private let tools: Mutex<Tools>

  /// A bench for frames of a film in `color` and a clip of `width` x `height` in `clipColor`.
  init(color: ColorDescription, width: Int, height: Int, clipColor: ColorDescription) throws(MediaError) {
    let decoder = try JPEGDecoder(color: color)
    let converter = PictureConverter(width: width, height: height, color: clipColor)
    tools = Mutex(Tools(decoder: decoder, converter: converter))
  }

  /// The picture, ready for the encoder.
  func develop(_ content: FrameFeed.Content) -> Result<Picture, MediaError> {
    tools.withLock { tools in
      Result { () throws(MediaError) in
        switch content {
        case .jpeg(let packet):
          let picture = try packet.withBytes { bytes throws(MediaError) in try tools.decoder.decode(bytes) }
          return try tools.converter.convert(picture)
        case .picture(let picture):
          return try tools.converter.convert(picture)
        }
      }
    }
  }
}
