import ArgumentParser
import Cameras

struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats", abstract: "Lists every pixel format, frame size and rate that a camera claims.",
    discussion: """
      A line is a format at a size with all its rates. The fast and wide are on top: 240 fps and more, then 120, \
      60, 30 and below, and in each the widest first. "takes" marks what --fps 240 and --fps 120 would take.

      On a terminal, columns of which nothing is known are left out, and of a narrow one those of least use. A pipe \
      gets all columns, a word each, "-" for what is unknown. Exact fractions are in --json and --csv.
      """)

  @Argument(help: "The camera: /dev/videoN, N, a part of its name, or sim:. Without it, the first there is.")
  var camera: String?

  @OptionGroup var source: TableOptions

  @Flag(help: "Print the table as comma-separated values, a record for each interval.")
  var csv = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if csv, output.json {
      throw ValidationError("--csv and --json are two forms of the same; give one of them.")
    }
    try source.validate(camera: camera)
  }

  func run() throws {
    let table = try source.table(camera: camera, output)
    if output.json { return try Console.sayJSON(table) }
    let sheet = ModeSheet(table, showsAll: csv || output.verbose)
    if csv { return Console.say(sheet.csv.joined(separator: "\n")) }
    let layout = ModeSheet.Layout(width: Console.width, hasColour: Console.hasColour)
    Console.say((sheet.text(layout) + table.graphLines).joined(separator: "\n"))
    for note in sheet.legend(layout) { output.remark(note.words) }
  }
}
