public import AudioModel

/// What a take's audio is recorded from.
public struct AudioInput: Hashable, Sendable, Codable {
  /// The microphone's name, such as `hw:1,0`.
  public var device: String
  /// What it delivers, and what the master holds.
  public var format: AudioFormat

  /// The microphone `device`, which delivers `format`.
  public init(device: String, format: AudioFormat) {
    self.device = device
    self.format = format
  }
}
