import CameraModel
import Simulator
import Synchronization

/// A simulated camera's picture in one mode, with each frame's number in its strip.
final class CapturedPicture: Sendable {
  private static let drawn = Mutex<[String: CapturedPicture]>([:])

  private let picture: Mutex<SimulatedPicture>

  private init(_ format: PixelFormat, _ size: CameraModel.Size) throws {
    picture = Mutex(
      try SimulatedPicture(format: format, width: Int(size.width), height: Int(size.height)))
  }

  /// The picture in this format and size. It is drawn once in a process, which takes seconds if unoptimized
  /// and in an emulated machine.
  static func drawn(_ format: PixelFormat, _ size: CameraModel.Size) throws -> CapturedPicture {
    try drawn.withLock { drawn in
      let name = "\(format) \(size.width)x\(size.height)"
      let picture = try drawn[name] ?? CapturedPicture(format, size)
      drawn[name] = picture
      return picture
    }
  }

  /// The bytes of frame `number`.
  func bytes(ofFrame number: UInt32) -> [UInt8] {
    picture.withLock { picture in
      var bytes: [UInt8] = []
      picture.compose(frame: number) { span in span.withUnsafeBytes { bytes = [UInt8]($0) } }
      return bytes
    }
  }
}
