import ArgumentParser

/// A purpose of a clip, which stands for options.
enum ClipPurpose: String, CaseIterable, ExpressibleByArgument {
  /// A message, for which many services take 10 MB.
  case chat
  /// A page that many people load.
  case web
  /// A phone held upright.
  case phone
  /// A program for editing.
  case edit

  /// The options for which it stands; those of the command line come first.
  var words: [String] {
    switch self {
    case .chat: ["--under", "10MB"]
    case .web: ["--preset", "slow", "--crf", "23"]
    case .phone: ["--crop", "9:16"]
    case .edit: ["--codec", "prores"]
    }
  }

  /// The options as values.
  var options: ClipArguments {
    get throws { try ClipArguments.parse(words) }
  }

  /// A line that explains it.
  var explanation: String { "--for \(rawValue) stands for \(words.joined(separator: " "))." }
}
