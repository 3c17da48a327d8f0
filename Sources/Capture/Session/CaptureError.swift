import Cameras
import Media
import Microphones
public import Platform
import Timebase

/// Why a recording could not be made, or ended before its time.
public enum CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The camera failed.
  case camera(OvercrankError)
  /// The master could not be made or written.
  case master(OvercrankError)
  /// What looks for triggers failed.
  case trigger(OvercrankError)
  /// The microphone failed.
  case microphone(OvercrankError)
  /// There is no memory for the ring of this many bytes; with the kernel's answer.
  case ring(byteCount: Int, answer: String)
  /// No frame came for this long.
  case silence(Duration)
  /// Frames came, but for this long none that was whole.
  case damage(Duration)
  /// Fewer takes were made than asked for, and nothing is left that could begin one.
  case outOfTriggers
  /// The session is interrupted or reviews what it captured: no frame can be had now.
  case noStream
  /// The camera is set to another mode for a still.
  case stillUnderWay
  /// The stream ended before a single frame was written.
  case empty

  /// What was tried, what came of it, and the remedy.
  public var description: String {
    switch self {
    case .camera(let error): error.description
    case .master(let error): error.description
    case .trigger(let error): error.description
    case .microphone(let error): error.description
    case .ring(let byteCount, let answer):
      "There is no memory for a ring of \(byteCount >> 20) MiB: \(answer). "
        + (SystemMemory.limitRemedy.map { "\($0) " } ?? "")
        + "Close other programs, film a smaller mode, or ask for a smaller ring or a shorter pre-roll."
    case .silence(let duration):
      "The camera sent no frame for \(duration.inSeconds.decimal(places: 3)) s. "
        + "Is it in use elsewhere, waiting for a trigger, or without a signal?"
    case .damage(let duration):
      "Every frame that the camera sent for \(duration.inSeconds.decimal(places: 3)) s was damaged, "
        + "so none could be used. Try another cable, port or mode; \"dmesg\" may say more."
    case .outOfTriggers:
      "No trigger is left: inputs have ended and times have passed, so no take can begin any more."
    case .noStream:
      "The camera is not capturing now, so no frame can be kept. Try again when it is."
    case .stillUnderWay:
      "A still is being taken in a mode of its own. Ask again once frames come as before."
    case .empty:
      "The camera sent no usable frame before the recording ended, so there is no take."
    }
  }
}

extension OvercrankError {
  /// The same error as the rooms above the session have it.
  public init(_ error: CaptureError) {
    switch error {
    case .camera(let error), .master(let error), .trigger(let error), .microphone(let error): self = error
    case .ring: self.init(.inputOutput, error.description, remedy: .needLessMemory)
    case .silence, .damage, .noStream: self.init(.failed, error.description)
    case .outOfTriggers: self.init(.noInput, error.description)
    case .stillUnderWay: self.init(.busy, error.description)
    case .empty: self.init(.noFrames, error.description)
    }
  }
}
