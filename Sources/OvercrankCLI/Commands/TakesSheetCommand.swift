import ArgumentParser
import Media
import Overcrank
import Platform
import SystemPackage

struct TakesSheetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sheet", abstract: "Writes a contact sheet: frames of a take with their capture times.",
    discussion: "The frames are evenly spaced. The trigger's frame is there too, framed and marked.")

  @OptionGroup var argument: TakeArgument

  @Option(help: ArgumentHelp("How many frames, 1 to 400.", valueName: "number"))
  var frames = 12

  @Option(
    help: ArgumentHelp(
      "How many side by side. (default: what makes the sheet about 16:10)", valueName: "number"))
  var columns: Int?

  @Option(help: ArgumentHelp("The longest side of each, 64 to 1024 pixels.", valueName: "pixels"))
  var size = 320

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The sheet's file: .jpg, .png or .tif. (default: NAME-sheet.jpg beside the take)", valueName: "file"),
    completion: .file(extensions: ["jpg", "png", "tif"]))
  var output: FilePath?

  @Flag(help: "Replace an existing file.")
  var force = false

  @OptionGroup var words: OutputOptions

  func validate() throws {
    guard ContactSheet.counts.contains(frames) else {
      throw ValidationError("--frames \(frames) is not from 1 to 400.")
    }
    guard ContactSheet.sides.contains(size) else {
      throw ValidationError("--size \(size) is not from 64 to 1024.")
    }
    if let columns, !ContactSheet.counts.contains(columns) {
      throw ValidationError("--columns \(columns) is not from 1 to 400.")
    }
    if let output { _ = try StillName.format(of: output) }
  }

  func run() async throws {
    let entry = try await argument.entry()
    let path = output ?? entry.path.removingLastComponent().appending("\(entry.name)-sheet.jpg")
    Interruption.shared.hold()
    let file = try OutputFile(path, replacing: force)
    var pictures = try TakePictures(entry, allowingClip: true)
    let sheet = ContactSheet(count: frames, columns: columns, side: size)
    let bytes = try sheet.file(of: &pictures, as: try StillName.format(of: path))
    try StillName.write(bytes, to: file, words)
  }
}

/// Files of pictures, as options name them.
enum StillName {
  /// The format that a file's name asks for.
  static func format(of path: FilePath) throws -> StillFormat {
    guard let format = path.extension.flatMap(StillFormat.init(fileExtension:)) else {
      throw ValidationError("\"\(path)\" is no name for a picture: let it end in .jpg, .png or .tif.")
    }
    return format
  }

  /// Writes a picture, and says so.
  ///
  /// - Throws: ``Failure`` where a signal came since the file was opened, for which signals are to be held.
  static func write(_ bytes: [UInt8], to file: consuming OutputFile, _ words: OutputOptions) throws {
    let path = file.path
    try Interruption.shared.check("\(path): stopped before the end; no picture was written.")
    try file.write(bytes)
    try file.commit()
    Interruption.shared.clear()
    if words.json {
      try Console.sayJSON([path.absolutePath])
    } else {
      Console.say("\(path): \(Int64(bytes.count).sizeWords)")
    }
  }
}
