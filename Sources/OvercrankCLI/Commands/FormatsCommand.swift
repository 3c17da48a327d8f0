import ArgumentParser
import Overcrank

struct FormatsCommand: ParsableCommand, RuledOptions {
  static let configuration = CommandConfiguration(
    commandName: "formats", abstract: "Lists every pixel format, frame size and rate that a camera claims.",
    discussion: """
      Prints one line for each format and size, with all rates. Fast modes come first: 240 fps and more, then 120, \
      60, 30 and below, the widest first in each group. "takes" marks the modes that --fps 240 and --fps 120 select.

      A terminal shows no empty columns, and a narrow one omits the least useful columns too. A pipe gets every \
      column, each value as one word, or "-" if unknown. --json and --csv have exact fractions.
      """)

  @Argument(
    help:
      ArgumentHelp(
        "The camera: /dev/videoN, N, front, back, external, part of its name, sim:, or exec:MODE:COMMAND. "
          + "(default: the first camera)"),
    completion: .camera)
  var camera: String?

  @OptionGroup var source: TableOptions

  @Flag(help: "Print comma-separated values, one record for each interval.")
  var csv = false

  @OptionGroup var output: OutputOptions

  var given: [String] { [String](given: ["--csv": csv]) + output.given }

  func validate() throws {
    try refuseConflicts()
    try source.validate(cameras: [camera].compactMap(\.self))
  }

  func run() throws {
    let table = try source.table(camera: camera, ProfileLibrary(for: output), output)
    if output.json { return try Console.sayJSON(table) }
    let sheet = ModeSheet(table, showsAll: csv || output.verbose)
    if csv { return Console.sayData(sheet.csv.joined(separator: "\n")) }
    let layout = ModeSheet.Layout(width: Console.width, hasColour: Console.hasColour)
    Console.say((sheet.text(layout) + table.graphLines).joined(separator: "\n"))
    for note in sheet.legend(layout) { output.remark(note.words) }
  }
}
