import ArgumentParser
import Overcrank

struct TakesSheetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sheet", abstract: "Writes a contact sheet: frames of a take with their capture times.",
    discussion: "The frames are evenly spaced. The trigger's frame is added, framed and marked.")

  @OptionGroup var argument: TakeArgument

  @Option(help: ArgumentHelp("How many frames, 1 to 400, in addition to the trigger's.", valueName: "number"))
  var frames = 12

  @Option(
    help: ArgumentHelp(
      "How many frames in a row. (default: a number that makes the sheet about 16:10)", valueName: "number"))
  var columns: Int?

  @Option(help: ArgumentHelp("The longer side of each frame, 64 to 1024 pixels.", valueName: "pixels"))
  var size = 320

  @OptionGroup var output: PictureOptions
  @OptionGroup var words: OutputOptions

  func validate() throws {
    guard ContactSheet.counts.contains(frames) else {
      throw ValidationError("--frames \(frames) is out of range; give a number from 1 to 400.")
    }
    guard ContactSheet.sides.contains(size) else {
      throw ValidationError("--size \(size) is out of range; give a number from 64 to 1024.")
    }
    if let columns, !ContactSheet.counts.contains(columns) {
      throw ValidationError("--columns \(columns) is out of range; give a number from 1 to 400.")
    }
  }

  func run() async throws {
    let entry = try await argument.entry()
    Interruption.shared.hold()
    let file = try output.file(usually: "\(entry.name)-sheet.jpg", of: entry)
    var pictures = try TakePictures(entry, allowingClip: true)
    let sheet = ContactSheet(count: frames, columns: columns, side: size)
    let bytes = try sheet.file(of: &pictures, as: output.format ?? .jpeg)
    try file.write(picture: bytes, words)
  }
}
