package import Overcrank

/// What a studio begins with.
package struct StudioOptions: Sendable {
  /// The cameras that are wanted, the first that is there; empty for the first of this machine.
  package var cameras: [String]
  /// The rate to capture at; `nil` as for a recording.
  package var rate: AskedRate?
  /// What else is asked of the mode.
  package var criteria: ModeChoice.Criteria
  /// The sizes that are wished for, the most wanted first.
  package var quality: [Quality]
  /// How the camera's controls are set while it captures.
  package var controls: ControlPolicy
  /// The microphones that are wanted, the best first; empty for pictures alone.
  package var microphones: [MicrophoneName]
  /// Where takes go; `nil` for the library folder.
  package var folder: FilePath?
  /// Where file managers look for pictures of films; `nil` to write none.
  package var thumbnails: Thumbnails?

  /// Options for a studio that takes the first camera as a recording does.
  package init(
    cameras: [String] = [], rate: AskedRate? = nil, criteria: ModeChoice.Criteria = .init(),
    quality: [Quality] = [], controls: ControlPolicy = .init(), microphones: [MicrophoneName] = [],
    folder: FilePath? = nil, thumbnails: Thumbnails? = Thumbnails()
  ) {
    self.cameras = cameras
    self.rate = rate
    self.criteria = criteria
    self.quality = quality
    self.controls = controls
    self.microphones = microphones
    self.folder = folder
    self.thumbnails = thumbnails
  }
}
