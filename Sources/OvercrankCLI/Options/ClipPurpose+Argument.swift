import ArgumentParser
import Overcrank

extension ClipPurpose: ExpressibleByArgument {
  /// All purposes, each with its options.
  static let listed = allCases.map { "\($0.rawValue) for \($0.words.joined(separator: " "))" }
    .joined(separator: ", ")

  /// The options for which it stands.
  var words: [String] { ClipArguments.words(for: ClipSpec(spec)) }

  /// A line that explains it.
  var explanation: String { "--for \(rawValue) stands for \(words.joined(separator: " "))." }
}
