public import Platform

/// The reason why a recording failed or ended early.
public enum CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The camera failed.
  case camera(OvercrankError)
  /// The master could not be created or written.
  case master(OvercrankError)
  /// A trigger source failed.
  case trigger(OvercrankError)
  /// The microphone failed.
  case microphone(OvercrankError)
  /// There is no memory for a ring of this many bytes; `answer` is the system's reason.
  case ring(byteCount: Int, answer: String)
  /// No frame came for this time.
  case silence(Duration)
  /// All frames of this time were damaged.
  case damage(Duration)
  /// Fewer takes were recorded than requested, and no trigger is left.
  case outOfTriggers
  /// The session is interrupted or in review, so no frame is available.
  case noStream
  /// The camera is in another mode for a still.
  case stillUnderWay
  /// The stream ended before a frame was written.
  case empty
  /// The recording ended before the first key frame, after this many frames that depend on others.
  case noKeyframe(frames: Int64)

  /// The failure and its remedy.
  public var description: String {
    switch self {
    case .camera(let error): error.description
    case .master(let error): error.description
    case .trigger(let error): error.description
    case .microphone(let error): error.description
    case .ring(let byteCount, let answer):
      "There is no memory for a ring of \(byteCount >> 20) MiB: \(answer). "
        + (SystemMemory.limitRemedy.map { "\($0) " } ?? "")
        + "Close other programs, record a smaller mode, or choose a smaller ring or a shorter pre-roll."
    case .silence(let duration):
      "The camera sent no frame for \(duration.inSeconds.decimal(places: 3)) s. "
        + "Is it in use elsewhere, waiting for a trigger, or without a signal?"
    case .damage(let duration):
      "Every frame that the camera sent for \(duration.inSeconds.decimal(places: 3)) s was damaged, "
        + "so none could be used. Try another cable, port or mode; \"dmesg\" may say more."
    case .outOfTriggers:
      "No further trigger can come, so no further take can begin: inputs have ended and times have passed. "
        + "Record again, with triggers that are still to come."
    case .noStream:
      "The camera is not capturing now, so no frame can be kept. Try again when it is."
    case .stillUnderWay:
      "A still is being captured in another mode. Try again when the camera is back in its own mode."
    case .empty:
      "The camera sent no usable frame before the recording ended, so there is no take."
    case .noKeyframe(let frames):
      "The recording ended after \(frames == 1 ? "1 frame" : "\(frames) frames") without a key frame that has its parameter sets, so there is no take. "
        + "Record for longer, with a longer pre-roll, or choose another format."
    }
  }
}

extension OvercrankError {
  /// Creates the equivalent error for modules above the session.
  public init(_ error: CaptureError) {
    switch error {
    case .camera(let error), .master(let error), .trigger(let error), .microphone(let error): self = error
    case .ring: self.init(.inputOutput, error.description, remedy: .needLessMemory)
    case .silence, .damage, .noStream: self.init(.failed, error.description)
    case .outOfTriggers: self.init(.noInput, error.description)
    case .stillUnderWay: self.init(.busy, error.description)
    case .empty: self.init(.noFrames, error.description)
    case .noKeyframe: self.init(.noKeyframe, error.description)
    }
  }
}
