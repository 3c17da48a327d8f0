import Media
import Synchronization

/// The tools that turn one frame of a film into a picture of the clip, for one frame at a time.
final class Workbench: Sendable {
  private struct Tools: ~Copyable {
    var decoder: JPEGDecoder
    var converter: PictureConverter
    let geometry: ClipGeometry
  }

  private let tools: Mutex<Tools>

  /// A bench for frames of a film in `color` and a clip in `clipColor`.
  init(
    color: ColorDescription, _ geometry: ClipGeometry, layout: PixelLayout, clipColor: ColorDescription
  ) throws(MediaError) {
    let decoder = try JPEGDecoder(color: color, reduction: geometry.reduction)
    let converter = PictureConverter(
      width: geometry.width, height: geometry.height, color: clipColor, layout: layout)
    tools = Mutex(Tools(decoder: decoder, converter: converter, geometry: geometry))
  }

  /// The picture, ready for the encoder.
  func develop(_ content: FrameFeed.Content) -> Result<Picture, MediaError> {
    tools.withLock { tools in
      Result { () throws(MediaError) in
        switch content {
        case .jpeg(let packet):
          let picture = try packet.withBytes { bytes throws(MediaError) in try tools.decoder.decode(bytes) }
          return try tools.converter.convert(try tools.geometry.reducedCrop.map(picture.cropped) ?? picture)
        case .picture(let picture):
          return try tools.converter.convert(try tools.geometry.crop.map(picture.cropped) ?? picture)
        }
      }
    }
  }
}
