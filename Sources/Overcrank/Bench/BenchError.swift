public import Cameras
public import Platform

/// Why what was measured could not be kept.
public enum BenchError: Error, Sendable, CustomStringConvertible {
  /// The file that it would go to is no profile of measurements.
  case profile(ProfileError)
  /// A file could not be made or written.
  case file(FileError)

  /// What was tried, what came of it, and the remedy.
  public var description: String {
    switch self {
    case .profile(let error): error.description
    case .file(let error): error.description
    }
  }
}
