public import ArgumentParser
public import Overcrank

extension FilePath: @retroactive ExpressibleByArgument {
  /// The path as it was given; a slash at its end is heeded.
  public init?(argument: String) { self.init(given: argument) }
}

/// A file, or a standard stream, which is named by a hyphen.
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
