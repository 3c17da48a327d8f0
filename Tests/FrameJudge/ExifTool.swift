public import Foundation

/// A picture's tags as exiftool reads them: an independent check.
public struct ExifTool {
  private let tags: [String: Any]

  /// Reads the tags of `file`, with numeric values as numbers.
  public init(_ file: String) throws {
    let told = try Program.run("exiftool", ["-json", "-n", "-validate", "-warning", "-error", "-all", file])
    let all = try JSONSerialization.jsonObject(with: told.output) as? [[String: Any]]
    tags = all?.first ?? [:]
  }

  /// Returns a tag's text.
  public func text(_ tag: String) -> String? { tags[tag].map { "\($0)" } }

  /// Returns a tag's number.
  public func number(_ tag: String) -> Double? { (tags[tag] as? NSNumber)?.doubleValue }

  /// Returns the bytes of a binary tag, such as `ThumbnailImage`.
  public static func data(_ tag: String, of file: String) throws -> Data {
    try Program.run("exiftool", ["-b", "-\(tag)", file]).output
  }

  /// Returns all values of tags that may occur several times in `file`, such as `DirectoryItemLength`.
  public static func values(_ tags: [String], of file: String) throws -> [String: [String]] {
    let told = try Program.run("exiftool", ["-n", "-a", "-s2"] + tags.map { "-\($0)" } + [file]).output
    let lines = String(decoding: told, as: UTF8.self).matches(of: /(?m)^(\w+): (.*)$/)
    return Dictionary(grouping: lines) { String($0.1) }.mapValues { $0.map { String($0.2) } }
  }

  /// The problems that exiftool finds in the file; empty if there are none.
  public var complaints: [String] {
    // Validate has the counts of errors, warnings, and minor warnings; only the first of each has a text.
    let counts = text("Validate") == "0 0 0" ? nil : tags["Validate"]
    return [tags["Warning"], tags["Error"], counts].compactMap { $0.map { "\($0)" } }
  }
}
