import Overcrank

/// A setup in the form that `--json` prints.
struct SetupReport: Encodable {
  var name: String
  var file: String
  var options: [String: [String]]

  init(_ setup: Setup) {
    name = setup.name
    file = setup.file.string
    options = Dictionary(setup.entries.map { ($0.key, $0.values) }) { first, _ in first }
  }
}
