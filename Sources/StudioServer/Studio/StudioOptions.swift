package import Overcrank

/// The options with which a studio starts.
package struct StudioOptions: Sendable {
  /// The cameras to try, in order of preference; empty for this machine's first camera.
  package var cameras: [String]
  /// The cameras that record the same moments as the first one; empty for a lone camera.
  package var further: [Camera]
  /// The rate to capture at; `nil` for the default of a recording.
  package var rate: RequestedRate?
  /// Further criteria for the mode.
  package var criteria: ModeChoice.Criteria
  /// The preferred sizes, most wanted first.
  package var quality: [Quality]
  /// The policy for the camera's controls during capture.
  package var controls: ControlPolicy
  /// The microphones to try, in order of preference; empty to record no audio.
  package var microphones: [MicrophoneName]
  /// The folder for takes; `nil` for the library folder.
  package var folder: FilePath?
  /// The settings to start with; `nil` for those of ``memory``, or else the usual ones.
  package var settings: StudioSettings?
  /// The settings that the studio had last with each camera; `nil` to neither use nor keep any.
  package var memory: StudioMemory?
  /// The thumbnails of file managers; `nil` to write none.
  package var thumbnails: Thumbnails?

  /// Creates options; by default, the camera and mode are chosen as for a recording.
  package init(
    cameras: [String] = [], further: [Camera] = [], rate: RequestedRate? = nil,
    criteria: ModeChoice.Criteria = .init(),
    quality: [Quality] = [], controls: ControlPolicy = .init(), microphones: [MicrophoneName] = [],
    folder: FilePath? = nil, settings: StudioSettings? = nil, memory: StudioMemory? = nil,
    thumbnails: Thumbnails? = Thumbnails()
  ) {
    self.cameras = cameras
    self.further = further
    self.rate = rate
    self.criteria = criteria
    self.quality = quality
    self.controls = controls
    self.microphones = microphones
    self.folder = folder
    self.settings = settings
    self.memory = memory
    self.thumbnails = thumbnails
  }
  /// Whether they choose a mode of the camera.
  var choosesMode: Bool { rate != nil || !quality.isEmpty || criteria != ModeChoice.Criteria() }
}

extension StudioOptions {
  /// A camera, with the wishes for its mode.
  package struct Camera: Hashable, Sendable {
    /// The name by which it is opened.
    package var name: String
    /// The rate to capture at; `nil` for the default of a recording.
    package var rate: RequestedRate?
    /// Further criteria for the mode.
    package var criteria: ModeChoice.Criteria
    /// The preferred sizes, most wanted first.
    package var quality: [Quality]

    /// Creates a camera; by default, its mode is chosen as for a recording.
    package init(
      name: String, rate: RequestedRate? = nil, criteria: ModeChoice.Criteria = .init(),
      quality: [Quality] = []
    ) {
      self.name = name
      self.rate = rate
      self.criteria = criteria
      self.quality = quality
    }
  }
}
