import Platform
import Media
import Synchronization

/// The tools that turn a frame of a source into a picture of the clip, one frame at a time.
final class FrameProcessor: Sendable {
  private struct Tools: ~Copyable {
    var decoder: JPEGDecoder
    var unpacker: PixelUnpacker?
    var demosaicer: Demosaicer
    var converter: PictureConverter
    var turner: PictureTurner
    /// Converts turned pictures to the clip's layout, if that layout cannot be turned.
    var finisher: PictureConverter?
    let geometry: ClipGeometry

    /// Decodes a frame in the source's own coding, and returns the part to show.
    mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(OvercrankError) -> Picture {
      guard let picture = try unpacker?.unpack(bytes) else {
        let picture = try decoder.decode(bytes)
        return try geometry.reducedCrop.map(picture.cropped) ?? picture
      }
      return try shown(of: picture)
    }

    /// Returns `picture` in the clip's size and colours, turned.
    mutating func finish(_ picture: consuming Picture) throws(OvercrankError) -> Picture {
      let turned = try turner.turn(try converter.convert(picture))
      return try finisher?.convert(turned) ?? turned
    }

    /// Returns the part of `picture` to show. A mosaic is developed first because an odd crop would swap its
    /// colours.
    mutating func shown(of picture: Picture) throws(OvercrankError) -> Picture {
      let picture = try demosaicer.develop(picture)
      return try geometry.crop.map(picture.cropped) ?? picture
    }
  }

  private let tools: Mutex<Tools>
  /// The stages that then change the picture, in their order.
  private let changes: [any PreparedStage]
  private let sizes: SourceSizes?

  /// Creates a processor for frames of `video` and a clip in `clipColor`.
  ///
  /// - Parameter sizes: notes the sizes of the frames that libavcodec decodes.
  init(
    video: VideoTrack, _ geometry: ClipGeometry, development: RawDevelopment? = nil,
    orientation: Orientation = .upright, layout: PixelLayout, clipColor: ColorDescription,
    sizes: SourceSizes? = nil, changes: [any PreparedStage] = []
  ) throws(OvercrankError) {
    self.changes = changes
    self.sizes = sizes
    let color = video.pictureColor
    let decoder = try JPEGDecoder(color: color, reduction: geometry.reduction)
    let unpacker: PixelUnpacker? =
      if case .packed(let packing) = video.codec {
        try PixelUnpacker(packing, width: video.width, height: video.height, color: color)
      } else { nil }
    // When turned, a chroma sample shared by two pixels of a row would be shared by two rows.
    let turnable = orientation.isTurned ? layout.turnable : layout
    let converter = PictureConverter(
      width: geometry.width, height: geometry.height, color: clipColor, layout: turnable)
    let (width, height) = orientation.turned(width: geometry.width, height: geometry.height)
    let finisher: PictureConverter? =
      if turnable != layout {
        PictureConverter(width: width, height: height, color: clipColor, layout: layout)
      } else { nil }
    tools = Mutex(
      Tools(
        decoder: decoder, unpacker: unpacker,
        demosaicer: Demosaicer(development, isDeep: layout.bitsPerSample > 8), converter: converter,
        turner: PictureTurner(orientation),
        finisher: finisher, geometry: geometry))
  }

  /// Returns the frame as a picture, ready for the encoder.
  func process(_ frame: FrameReader.Frame) -> Result<Picture, OvercrankError> {
    if case .picture(let picture) = frame.content { sizes?.note(picture) }
    return tools.withLock { tools in
      Result { () throws(OvercrankError) in
        var picture =
          switch frame.content {
          case .packet(let packet):
            try tools.finish(
              try packet.withBytes { bytes throws(OvercrankError) in try tools.decode(bytes) })
          case .picture(let picture):
            try tools.finish(try tools.shown(of: picture))
          }
        for change in changes { picture = try change.process(picture, of: frame.index) }
        return picture
      }
    }
  }
}
