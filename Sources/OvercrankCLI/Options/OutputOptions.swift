import ArgumentParser

/// The options for the amount and the form of output.
struct OutputOptions: RuledOptions {
  @Flag(help: "Print facts as JSON.")
  var json = false

  @Flag(name: [.short, .long], help: ArgumentHelp("Print only facts and errors.", visibility: .rare))
  var quiet = false

  @Flag(name: [.short, .long], help: ArgumentHelp("Print more details.", visibility: .rare))
  var verbose = false

  var given: [String] { [String](given: ["--json": json, "--quiet": quiet, "--verbose": verbose]) }

  /// Prints a remark, unless --quiet is given.
  func remark(_ text: String) {
    if !quiet { Console.remark(text) }
  }

  /// Prints a remark if --verbose is given.
  func detail(_ text: String) {
    if verbose { Console.remark(text) }
  }
}
