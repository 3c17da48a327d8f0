import ALSA

/// Why a microphone could not be found, set up or heard.
public struct MicrophoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Code: Hashable, Sendable {
    /// There is no such microphone.
    case noMicrophone
    /// This user may not open it.
    case noPermission
    /// Another program has it.
    case busy
    /// It does not do what was asked.
    case unsupported
    /// It went away while it was in use.
    case disconnected
    /// What was given cannot name a microphone.
    case badName
    /// The device or its driver failed.
    case failed
  }

  /// What the caller can do about it, for a program to say how in its own words.
  public enum Action: Hashable, Sendable {
    /// See which microphones there are.
    case listMicrophones
  }

  /// What kind of failure it is.
  public let code: Code
  /// What was tried on which microphone, what came of it, and the remedy.
  public let description: String
  /// What the caller can do about it; `nil` where the description says all.
  public let action: Action?

  /// An error with a whole message.
  public init(_ code: Code, _ description: String, action: Action? = nil) {
    self.code = code
    self.description = description
    self.action = action
  }

  /// What `error` is to a recording.
  init(_ error: ALSAError) {
    switch error.code {
    case .noDevice: self.init(.noMicrophone, error.description, action: .listMicrophones)
    case .badName: self.init(.badName, error.description)
    case .noPermission: self.init(.noPermission, error.description)
    case .busy: self.init(.busy, error.description)
    case .unsupported: self.init(.unsupported, error.description)
    case .disconnected: self.init(.disconnected, error.description)
    case .failed: self.init(.failed, error.description)
    }
  }
}
