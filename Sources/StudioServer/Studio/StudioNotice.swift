/// An event in a studio, to be shown to the user once.
package struct StudioNotice: Hashable, Sendable, Encodable {
  /// The kind of event.
  package enum Kind: String, Sendable, Encodable {
    /// A take that was saved completely.
    case takeSaved = "take_saved"
    /// A take that could not be written, or ended early.
    case takeFailed = "take_failed"
    /// A clip that was saved completely.
    case clipReady = "clip_ready"
    /// A clip that could not be made.
    case clipFailed = "clip_failed"
    /// A photo that was saved completely.
    case photoWritten = "photo_written"
    /// A photo that could not be taken.
    case photoFailed = "photo_failed"
    /// A mode that the camera refused; it continues in the former one.
    case modeRefused = "mode_refused"
    /// The end of one of several cameras; the others go on.
    case cameraFailed = "camera_failed"
    /// An interruption: no frames arrive.
    case interrupted
    /// The end of an interruption: frames are arriving again.
    case interruptionEnded = "interruption_ended"
    /// A change of the overall light.
    case lightChanged = "light_changed"
    /// A pre-roll that is shorter than requested.
    case preRollShort = "pre_roll_short"
    /// Another failure, after which the studio continues.
    case error
  }

  /// The kind of event.
  package var kind: Kind
  /// The message, as a sentence.
  package var message: String
  /// The id of the take concerned; `nil` if there is none.
  package var id: String?
  /// The id of the group concerned; `nil` if there is none.
  package var group: String?
  /// The name of the file concerned; `nil` if there is none.
  package var file: String?
}
