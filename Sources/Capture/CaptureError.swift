public import Cameras
public import Media

/// Why a recording could not be made, or ended before its time.
public enum CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The camera failed.
  case camera(CameraError)
  /// The master could not be made or written.
  case master(MediaError)
  /// There is no memory for the ring of this many bytes; with the kernel's answer.
  case ring(byteCount: Int, answer: String)
  /// No frame came for this many seconds.
  case silence(seconds: Int)
  /// The stream ended before a single frame was written.
  case empty

  /// What was tried, what came of it, and the remedy.
  public var description: String {
    switch self {
    case .camera(let error): error.description
    case .master(let error): error.description
    case .ring(let byteCount, let answer):
      "There is no memory for a ring of \(byteCount >> 20) MiB: \(answer). Close other programs or film a smaller mode."
    case .silence(let seconds):
      "The camera sent no frame for \(seconds) s. Is it in use elsewhere, waiting for a trigger, or without a signal?"
    case .empty:
      "The camera sent no usable frame before the recording ended, so there is no take."
    }
  }
}
