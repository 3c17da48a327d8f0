import ArgumentParser
import Overcrank

/// The options for Motion Photos.
struct MotionPhotoOptions: ParsableArguments {
  @Flag(
    name: .customLong("motion-photo"),
    help: ArgumentHelp(
      "Wait for Enter, then keep a still and 1.5 s of video before and after it.",
      discussion: """
        One file, NAME.MP.jpg, which Google Photos and others play: a JPEG followed by an MP4. The video is \
        in real time, at 60 frames per second at most. Without --fps, it is recorded in the widest mode with \
        at least 60 fps.
        """.rare))
  var motionPhoto = false

  @Flag(
    name: .customLong("live-photo"),
    help: ArgumentHelp(
      "The same as a pair of files for Apple's Photos: NAME.jpg and NAME.mov.",
      discussion: "Both have the same identifier. The import into Photos is untested.".rare))
  var livePhoto = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "What triggers a photo: enter, \(TriggerOptions.otherKinds); may be repeated. (default: enter)",
      valueName: "kind"),
    completion: .trigger,
    transform: { try TriggerSources.source($0) })
  var trigger: [any TriggerSource] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many Motion Photos to take: NAME-1.MP.jpg and so on; 0 continues until Ctrl-C. (default: 1)",
      valueName: "number", visibility: .rare))
  var shots: Int?

  @OptionGroup var audio: AudioOptions
  @OptionGroup var events: EventOptions

  func validate() throws {
    if let shots, shots < 0 {
      throw ValidationError("--shots \(shots) is negative; 0 continues until Ctrl-C.")
    }
    if trigger.count(where: \.readsInput) > 1 {
      throw ValidationError("--trigger enter, key and stdin all read standard input; give one of them.")
    }
  }

  /// The options that were given.
  var given: [String] {
    [String](given: [
      "--motion-photo": motionPhoto, "--live-photo": livePhoto, "--trigger": !trigger.isEmpty,
      "--shots": shots != nil,
    ]) + audio.given + events.given
  }

  /// Whether a still with a video is requested.
  var isWanted: Bool { motionPhoto || livePhoto }

  /// The form of the photo: one file, or a pair.
  var kind: MotionPhoto.Kind { livePhoto ? .livePhoto : .motionPhoto }

  /// Returns the sources that trigger a photo.
  func sources() throws -> [any TriggerSource] {
    trigger.isEmpty ? [try TriggerSources.source("enter")] : trigger
  }

  /// The number of photos; `nil` for no limit.
  var count: Int? { shots == 0 ? nil : shots ?? 1 }
}
