import ArgumentParser
import Overcrank

/// A verdict on a file that users write.
protocol FileVerdict: Encodable {
  var file: String { get }
  /// The fault of the file; `nil` if it is valid.
  var error: ProfileError? { get }
}

extension OutputOptions {
  /// Prints verdicts on files of one kind, such as `profile`, and ends with an error if a file has a fault.
  func report(_ verdicts: [some FileVerdict], of kind: String) throws {
    if json {
      try Console.sayJSON(verdicts)
    } else {
      for verdict in verdicts where verdict.error == nil { detail("\(verdict.file): valid.") }
      for error in verdicts.compactMap(\.error) { Console.complain("\(error)") }
      let good = verdicts.count { $0.error == nil }
      let verb = good == 1 || verdicts.count == 1 ? "is" : "are"
      remark("\(good) of \(verdicts.count) \(kind)\(verdicts.count == 1 ? "" : "s") \(verb) valid.")
    }
    if verdicts.contains(where: { $0.error != nil }) { throw ExitCode(ExitStatus.badData) }
  }
}
