import Platform
import CameraModel
import Cameras
import Media

/// Reads the luma of frames on a coarse grid, in any mode. Use from one thread at a time.
struct LumaReader: ~Copyable {
  /// The subject of the search in error messages.
  private let purpose: String
  private var decoder: ReducedDecoder?
  /// The decoder's frame format; the session may change its mode.
  private var format: FrameFormat?

  init(lookingFor purpose: String) { self.purpose = purpose }

  /// Returns the luma of `frame`, on a grid of ``MotionField/size(width:height:)``; `nil` if an earlier call
  /// has thrown for the same format.
  ///
  /// - Throws: `OvercrankError` if the format is not supported or the frame is damaged.
  mutating func grid(of frame: CapturedFrame) throws(OvercrankError) -> LumaGrid? {
    let next = frame.configuration.frameFormat
    if format != next { try begin(next) }
    do throws(OvercrankError) {
      guard let picture = try decoder?.decode(frame.bytes.span) else { return nil }
      return LumaGrid(picture)
    } catch {
      throw OvercrankError(.failed, "\(purpose) cannot be detected in a frame: \(error)")
    }
  }

  private mutating func begin(_ next: FrameFormat) throws(OvercrankError) {
    format = next
    decoder = nil
    guard let codec = next.pixelFormat.codec else {
      throw OvercrankError(
        .badValue, "\(purpose) cannot be detected in \(next.pixelFormat) frames. Choose another format.",
        remedy: .watchMotion)
    }
    let size = MotionField.size(width: next.width, height: next.height)
    do throws(OvercrankError) {
      decoder = .some(
        try ReducedDecoder(
          lumaOf: codec, width: next.width, height: next.height,
          color: ColorDescription(next.colorimetry, of: codec),
          size: Dimensions(width: UInt32(size.columns), height: UInt32(size.rows))))
    } catch {
      throw OvercrankError(
        .badValue, "\(purpose) cannot be detected: \(error) Choose another format.",
        remedy: .watchMotion)
    }
  }
}
