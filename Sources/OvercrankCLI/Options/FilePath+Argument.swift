public import ArgumentParser
public import Overcrank

extension FilePath: @retroactive ExpressibleByArgument {
  /// Creates the path as it was given, and takes a trailing slash into account; `nil` for an empty text, as a shell makes
  /// of a variable that is not set.
  public init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self.init(given: argument)
  }
}

/// A file, or a standard stream, named by a hyphen.
enum FileArgument: ExpressibleByArgument, Equatable, CustomStringConvertible {
  case standardStream
  case file(FilePath)

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self = argument == "-" ? .standardStream : .file(FilePath(given: argument))
  }

  var description: String {
    switch self {
    case .standardStream: "-"
    case .file(let path): path.string
    }
  }
}
