import ArgumentParser
import Overcrank

struct TakesOpenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Shows a take's clip, or a photo, with the desktop's program.")

  @OptionGroup var argument: TakeArgument

  @Flag(help: "Show the master instead.")
  var master = false

  func run() async throws {
    let entry = try await argument.entry()
    let videos = master ? [entry.master] : [entry.clips.first, entry.master, entry.photo?.path]
    guard let video = videos.compactMap(\.self).first else {
      throw Failure(
        "\(entry.path): has no \(master ? "master" : "clip or master") to show.", exitCode: ExitStatus.noInput
      )
    }
    try DesktopOpener.open(video)
  }
}
