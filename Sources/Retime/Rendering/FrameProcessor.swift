import Platform
import Media
import Synchronization

/// The tools that turn one frame of a film into a picture of the clip, for one frame at a time.
final class FrameProcessor: Sendable {
  private struct Tools: ~Copyable {
    var decoder: JPEGDecoder
    var unpacker: PixelUnpacker?
    var demosaicer: Demosaicer
    var converter: PictureConverter
    var turner: PictureTurner
    /// Makes turned pictures those of the clip, where they could not be turned as such.
    var finisher: PictureConverter?
    let geometry: ClipGeometry

    /// The part that is shown of a frame in the film's own coding.
    mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(OvercrankError) -> Picture {
      guard let picture = try unpacker?.unpack(bytes) else {
        let picture = try decoder.decode(bytes)
        return try geometry.reducedCrop.map(picture.cropped) ?? picture
      }
      return try shown(of: picture)
    }

    /// `picture` in the clip's size and colours, turned.
    mutating func finish(_ picture: consuming Picture) throws(OvercrankError) -> Picture {
      let turned = try turner.turn(try converter.convert(picture))
      return try finisher?.convert(turned) ?? turned
    }

    /// The part that is shown of `picture`; a mosaic is developed first, for an odd crop would swap its colours.
    mutating func shown(of picture: Picture) throws(OvercrankError) -> Picture {
      let picture = try demosaicer.develop(picture)
      return try geometry.crop.map(picture.cropped) ?? picture
    }
  }

  private let tools: Mutex<Tools>
  /// What changes its picture then, in this order.
  private let changes: [any PreparedStage]

  /// A processor for frames of `film` and a clip in `clipColor`.
  init(
    film: VideoTrack, _ geometry: ClipGeometry, development: RawDevelopment? = nil,
    orientation: Orientation = .upright, layout: PixelLayout, clipColor: ColorDescription,
    changes: [any PreparedStage] = []
  ) throws(OvercrankError) {
    self.changes = changes
    let color = film.pictureColor
    let decoder = try JPEGDecoder(color: color, reduction: geometry.reduction)
    let unpacker: PixelUnpacker? =
      if case .packed(let packing) = film.codec {
        try PixelUnpacker(packing, width: film.width, height: film.height, color: color)
      } else { nil }
    // Turned, a chroma sample for two pixels of a row would be one for two rows.
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

  /// The picture, ready for the encoder.
  func process(_ frame: FrameReader.Frame) -> Result<Picture, OvercrankError> {
    tools.withLock { tools in
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
