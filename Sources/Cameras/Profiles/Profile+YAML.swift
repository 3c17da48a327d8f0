import Timebase
import Yams

extension Profile {
  /// Reads a profile.
  ///
  /// - Parameters:
  ///   - yaml: the profile's text.
  ///   - file: the file's name, for the message.
  /// - Throws: ``ProfileError``, which names the line and the key.
  public init(yaml: String, named file: String) throws(ProfileError) {
    let root = try Self.compose(yaml, named: file)
    do {
      self = try YAMLDecoder().decode(Profile.self, from: root)
    } catch {
      throw ProfileError(error, in: root, of: file)
    }
  }

  /// Parses `yaml`.
  static func compose(_ yaml: String, named file: String) throws(ProfileError) -> Node {
    guard YAMLSize.count(yaml, limit: YAMLSize.limit(bytes: yaml.utf8.count)) != nil else {
      throw ProfileError(
        file: file, line: nil, key: nil,
        problem: "its aliases (*) expand to more values than a file may hold; write the values out")
    }
    do {
      guard let node = try Yams.compose(yaml: yaml) else {
        throw ProfileError(file: file, line: nil, key: nil, problem: "the file is empty")
      }
      return node
    } catch let error as ProfileError {
      throw error
    } catch {
      // An error at the end of the text has a line number beyond the last line.
      let lastLine = yaml.dropLast().count { $0.isNewline } + 1
      let line = error.place.map { min($0.line, lastLine) }
      throw ProfileError(file: file, line: line, key: nil, problem: error.problem)
    }
  }
}

extension ProfileError {
  /// Finds the line that `error` is about, which decoding alone does not know.
  fileprivate init(_ error: any Error, in root: Node, of file: String) {
    guard let error = error as? DecodingError else {
      self.init(file: file, line: nil, key: nil, problem: "\(error)")
      return
    }
    let (path, problem) = error.details
    self.init(file: file, line: root.line(of: path), key: path.isEmpty ? nil : path.place, problem: problem)
  }
}

extension DecodingError {
  fileprivate var details: (path: [any CodingKey], problem: String) {
    switch self {
    case .keyNotFound(let key, let context): (context.codingPath + [key], "this key is missing")
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      (context.codingPath, "expected \(Self.words(for: type))")
    case .dataCorrupted(let context): (context.codingPath, context.debugDescription)
    @unknown default: ([], "\(self)")
    }
  }

  private static func words(for type: Any.Type) -> String {
    switch type {
    case is Bool.Type: "true or false"
    case is String.Type: "text"
    case is any BinaryInteger.Type: "a whole number"
    case is Node.Scalar.Type: "a single value"
    case is Node.Sequence.Type: "a list"
    case is Node.Mapping.Type: "keys with values"
    default: "another kind of value"
    }
  }
}

extension Node {
  /// Returns the line of the deepest part of `path` that exists.
  fileprivate func line(of path: [any CodingKey]) -> Int? {
    var node = self
    var line = mark?.line
    for step in path {
      switch node {
      case .mapping(let pairs):
        guard let pair = pairs.first(where: { $0.key.string == step.stringValue }) else { return line }
        (node, line) = (pair.value, pair.key.mark?.line ?? line)
      case .sequence(let items):
        guard let index = step.intValue, items.indices.contains(index) else { return line }
        (node, line) = (items[index], items[index].mark?.line ?? line)
      default: return line
      }
    }
    return line
  }
}

extension Error {
  /// The place in the file at which Yams stopped.
  fileprivate var place: Mark? {
    switch self as? YamlError {
    case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): mark
    case .duplicatedKeysInMapping(_, let context): context.mark
    default: nil
    }
  }

  /// The message of Yams without the excerpt.
  fileprivate var problem: String {
    switch self as? YamlError {
    case .scanner(_, let problem, _, _), .parser(_, let problem, _, _), .composer(_, let problem, _, _),
      .reader(let problem, _, _, _):
      "this is not YAML: \(problem)"
        + (problem.contains("mapping values")
          ? "; put text that contains a colon in quotes, as in 'sim:'" : "")
    case .duplicatedKeysInMapping(let names, _): "duplicate key: \(names.joined(separator: ", "))"
    default: "this is not YAML: \(self)"
    }
  }
}
