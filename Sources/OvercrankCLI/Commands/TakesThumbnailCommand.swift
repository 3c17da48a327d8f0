import ArgumentParser
import Overcrank

struct TakesThumbnailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbnail", abstract: "Writes the thumbnails that file managers show for a take's videos.",
    discussion: """
      They follow the standard of freedesktop.org, in all four sizes, and show the trigger's frame, or else the middle \
      one. A recording writes them anyway, unless --no-thumbnail is given.
      """)

  @OptionGroup var argument: TakeArgument
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let files = try await argument.entry().writeThumbnails()
    if output.json { return try Console.sayJSON(files.map(\.absolutePath)) }
    for file in files { Console.say("\(file)") }
  }
}
