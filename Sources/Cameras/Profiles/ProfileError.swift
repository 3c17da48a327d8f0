/// What is wrong with a profile or another file of the user's, and where.
public struct ProfileError: Error, Hashable, Sendable, Encodable, CustomStringConvertible {
  /// The file.
  public let file: String
  /// The line, counted from 1; `nil` where the whole file is meant.
  public let line: Int?
  /// The key, as in `modes[2].sizes`; `nil` where the file is no YAML.
  public let key: String?
  /// What is wrong there.
  public let problem: String

  package init(file: String, line: Int?, key: String?, problem: String) {
    self.file = file
    self.line = line
    self.key = key
    self.problem = problem
  }

  enum CodingKeys: CodingKey { case file, line, key, problem }

  /// Writes the error; what is not known is `null`.
  public func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(file, forKey: .file)
    try keys.encode(line, forKey: .line)
    try keys.encode(key, forKey: .key)
    try keys.encode(problem, forKey: .problem)
  }

  /// `FILE:LINE: KEY: PROBLEM`.
  public var description: String {
    "\(file):" + (line.map { "\($0):" } ?? "") + (key.map { " \($0):" } ?? "") + " \(problem)."
  }
}
