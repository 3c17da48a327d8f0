public import Platform
public import Timebase

/// What is wrong with a profile or another file of the user's, and where.
public struct ProfileError: Error, Hashable, Sendable, Encodable, CustomStringConvertible {
  /// The file.
  public var file: String
  /// The line, counted from 1; `nil` where the whole file is meant.
  @Nullable public var line: Int?
  /// The key, as in `modes[2].sizes`; `nil` where the file is no YAML.
  @Nullable public var key: String?
  /// What is wrong there.
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
  /// The same error as of any file that is not what it should be.
  public init(_ error: ProfileError) { self.init(.badData, error.description, subject: error.file) }
}
