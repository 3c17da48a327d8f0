public import Media

/// Why a trigger could not be set up, or not be sent.
public struct TriggerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Code: Hashable, Sendable {
    /// A name or a place that cannot be used.
    case badName
    /// Another recording listens there.
    case taken
    /// No recording listens: by this name, or at all where none was given.
    case nobody(name: String?)
    /// Single keys are to be read, and standard input is no terminal.
    case noTerminal
    /// Standard input belongs to another program, as this one runs in the background.
    case noInput
    /// A setting does not fit the camera's picture.
    case badValue
    /// A file could not be read.
    case unreadable(MediaError.Code)
    /// What is to be still before motion counts does not come to rest.
    case restless
    /// The system refused.
    case failed
  }

  /// What kind of failure it is.
  public let code: Code
  /// What was tried, what came of it, and the remedy.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
