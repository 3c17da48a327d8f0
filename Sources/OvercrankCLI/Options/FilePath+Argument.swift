public import ArgumentParser
public import Overcrank

extension FilePath: @retroactive ExpressibleByArgument {
  /// Creates the path as it was given, and takes a trailing slash into account.
  public init?(argument: String) { self.init(given: argument) }
}

/// A file, or a standard stream, named by a hyphen.
enum FileArgument: ExpressibleByArgument, Equatable, CustomStringConvertible {
  case standardStream
  case file(FilePath)

  init?(argument: String) {
    self = argument == "-" ? .standardStream : .file(FilePath(given: argument))
  }

  var description: String {
    switch self {
    case .standardStream: "-"
    case .file(let path): path.string
    }
  }
}
