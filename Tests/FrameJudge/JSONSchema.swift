public import Foundation
import Testing

/// A JSON Schema, checked by Debian's python3-jsonschema.
public struct JSONSchema: Sendable {
  private let url: URL

  /// Creates a schema from the file at `url`.
  public init(_ url: URL) { self.url = url }

  /// Returns the problems of each of `lines`, which are JSON values; an empty list for a valid one.
  public func complaints(of lines: [String]) throws -> [[String]] {
    let folder = try TemporaryFolder()
    let values = folder.url.appending(path: "values.ndjson")
    try Data(lines.joined(separator: "\n").utf8).write(to: values)
    // Only the system's Python has the system's packages.
    let run = try Program.run("/usr/bin/python3", ["-c", Self.validator, url.path, values.path])
    let complaints = try JSONDecoder().decode([[String]].self, from: run.output)
    try #require(complaints.count == lines.count)
    return complaints
  }

  private static let validator = """
    import json, sys
    from jsonschema import Draft202012Validator

    with open(sys.argv[1]) as schema, open(sys.argv[2]) as values:
        schema = json.load(schema)
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        print(json.dumps([[error.message for error in validator.iter_errors(json.loads(line))] for line in values]))
    """
}
