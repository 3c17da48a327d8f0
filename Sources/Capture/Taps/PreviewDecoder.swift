public import Platform
public import CameraModel
import Cameras
import Media

/// The decoder on a preview's thread, from frames of a tap to pictures.
struct PreviewDecoder: ~Copyable {
  private let size: Dimensions
  private var decoder: ReducedDecoder?
  /// The decoder's frame format; the session may change its mode.
  private var format: FrameFormat?

  /// Decodes the frames of a tap until it is closed.
  static func run(_ frames: FrameTap, fitting size: Dimensions, into store: PreviewStore) {
    var work = PreviewDecoder(fitting: size)
    while let frame = frames.next() {
      do throws(OvercrankError) {
        let picture = try work.decode(frame)
        store.leave(
          PreviewPicture(
            sequence: frame.sequence, timestamp: frame.timestamp, picture: picture))
      } catch {
        store.leave(error)
      }
      frames.recycle(frame)
    }
    store.close()
  }

  init(fitting size: Dimensions) { self.size = size }

  /// Returns the picture of `frame`.
  mutating func decode(_ frame: CapturedFrame) throws(OvercrankError) -> Picture {
    let newFormat = frame.configuration.frameFormat
    if format != newFormat {
      decoder = nil
      guard let codec = newFormat.pixelFormat.codec else {
        throw OvercrankError(.unsupported, "Frames in \(newFormat.pixelFormat) cannot be previewed yet.")
      }
      decoder = .some(
        try ReducedDecoder(
          codec, width: newFormat.width, height: newFormat.height,
          color: ColorDescription(newFormat.colorimetry, of: codec), fitting: size))
      format = newFormat
    }
    guard let picture = try decoder?.decode(frame.bytes.span) else {
      throw OvercrankError(.unsupported, "Frames in \(newFormat.pixelFormat) cannot be previewed yet.")
    }
    return picture
  }
}

extension CapturedFrame {
  /// Returns a small picture of the frame, for display.
  ///
  /// - Parameter size: The maximum number of columns and rows; the picture keeps its proportions and is never
  ///   enlarged.
  /// - Throws: `OvercrankError` if the frame is damaged, or frames of this format have no preview.
  public func preview(fitting size: Dimensions) throws(OvercrankError) -> PreviewPicture {
    var decoder = PreviewDecoder(fitting: size)
    return PreviewPicture(sequence: sequence, timestamp: timestamp, picture: try decoder.decode(self))
  }
}
