public import Platform
public import Timebase

/// A mistake in a profile or another file of the user's, and its place.
public struct ProfileError: Error, Hashable, Sendable, Encodable, CustomStringConvertible {
  /// The name of the file.
  public var file: String
  /// The line, counted from 1; `nil` for the whole file.
  @Nullable public var line: Int?
  /// The key, as in `modes[2].sizes`; `nil` if the file is not YAML.
  @Nullable public var key: String?
  /// The mistake, in words.
  public var problem: String

  package init(file: String, line: Int?, key: String?, problem: String) {
    self.file = file
    self.line = line
    self.key = key
    self.problem = problem
  }

  /// `FILE:LINE: KEY: PROBLEM`.
  public var description: String {
    "\(file):" + (line.map { "\($0):" } ?? "") + (key.map { " \($0):" } ?? "") + " \(problem)."
  }
}

extension OvercrankError {
  /// Creates the error of any file with invalid content.
  public init(_ error: ProfileError) { self.init(.badData, error.description, subject: error.file) }
}
