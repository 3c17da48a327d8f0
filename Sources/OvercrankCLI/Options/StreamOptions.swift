import ArgumentParser
import Overcrank

/// The options for the camera's stream.
struct StreamOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The size of the ring between camera and disk: 4s, 960f or 512MiB. (default: chosen for the mode)",
      valueName: "size", visibility: .rare),
    transform: { try RingSize(text: $0) })
  var ring: RingSize?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End the recording when the camera sends nothing for this long. (default: 10s)", valueName: "time",
      visibility: .rare),
    transform: { try Duration(text: $0) })
  var timeout: Duration?

  func validate() throws {
    if let timeout, timeout < .milliseconds(1) {
      throw ValidationError(
        "--timeout 0 ends the recording before its first frame; give a longer time, such as 10s.")
    }
  }

  /// Returns the settings for capturing the stream.
  func settings(_ scheduling: CaptureScheduling) -> CaptureSettings {
    var settings = CaptureSettings(ring: ring, scheduling: scheduling)
    if let timeout { settings.silenceLimit = timeout }
    return settings
  }
}
