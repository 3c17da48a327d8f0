public import Foundation

/// What exiftool says of a picture: the outside judge of its tags.
public struct ExifTool {
  private let tags: [String: Any]

  /// Reads the tags of `file`, as numbers where they are such.
  public init(_ file: String) throws {
    let told = try Program.run("exiftool", ["-json", "-n", "-validate", "-warning", "-error", "-all", file])
    let all = try JSONSerialization.jsonObject(with: told.output) as? [[String: Any]]
    tags = all?.first ?? [:]
  }

  /// A tag's words.
  public func text(_ tag: String) -> String? { tags[tag].map { "\($0)" } }

  /// A tag's number.
  public func number(_ tag: String) -> Double? { (tags[tag] as? NSNumber)?.doubleValue }

  /// The bytes of a tag that is data, such as `ThumbnailImage`.
  public static func data(_ tag: String, of file: String) throws -> Data {
    try Program.run("exiftool", ["-b", "-\(tag)", file]).output
  }

  /// All that `file` says by a tag that may be there several times, such as `DirectoryItemLength`.
  public static func values(_ tag: String, of file: String) throws -> [String] {
    let told = try Program.run("exiftool", ["-n", "-a", "-s3", "-\(tag)", file]).output
    return String(decoding: told, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// What is wrong with the file; empty where nothing is.
  public var complaints: [String] {
    // The counts of errors, warnings, and minor ones of those: the first of them is all that is told in words.
    let counts = text("Validate") == "0 0 0" ? nil : tags["Validate"]
    return [tags["Warning"], tags["Error"], counts].compactMap { $0.map { "\($0)" } }
  }
}
