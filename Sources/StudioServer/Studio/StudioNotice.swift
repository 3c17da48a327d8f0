/// What has happened in a studio, for a person to be told once.
package struct StudioNotice: Hashable, Sendable, Encodable {
  /// What happened.
  package enum Kind: String, Sendable, Encodable {
    /// A take is whole on the disk.
    case takeSaved = "take_saved"
    /// A take could not be written, or ended early.
    case takeFailed = "take_failed"
    /// A clip is whole on the disk.
    case clipReady = "clip_ready"
    /// A clip could not be made.
    case clipFailed = "clip_failed"
    /// A photo is whole on the disk.
    case photoWritten = "photo_written"
    /// A photo could not be taken.
    case photoFailed = "photo_failed"
    /// The camera refused a mode, and goes on in the former one.
    case modeRefused = "mode_refused"
    /// No frames come.
    case interrupted
    /// Frames come again.
    case interruptionEnded = "interruption_ended"
    /// The light as a whole has changed.
    case lightChanged = "light_changed"
    /// There was less in memory than the pre-roll that is set.
    case preRollShort = "pre_roll_short"
    /// Something else failed, and the studio goes on.
    case error
  }

  /// What happened.
  package var kind: Kind
  /// In a sentence.
  package var message: String
  /// The id of the take that it is about; `nil` where it is about none.
  package var id: String?
  /// The name of the file that it is about; `nil` where it is about none.
  package var file: String?
}
