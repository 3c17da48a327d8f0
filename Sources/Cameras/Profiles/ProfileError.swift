/// What is wrong with a profile, and where.
public struct ProfileError: Error, Hashable, Sendable, Encodable, CustomStringConvertible {
  /// The profile's file.
  public let file: String
  /// The line, counted from 1; `nil` where the whole file is meant.
  public let line: Int?
  /// The key, as in `modes[2].sizes`; `nil` where the file is no YAML.
  public let key: String?
  /// What is wrong there.
  public let problem: String

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
