import ArgumentParser
import Overcrank

/// Where a picture of a take goes.
struct PictureOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "The picture's file: .jpg, .png or .tif. (default: a name of its own beside the take)",
      valueName: "file"),
    completion: .file(extensions: ["jpg", "png", "tif"]))
  var path: FilePath?

  @Flag(help: "Replace an existing file.")
  var force = false

  func validate() throws { _ = try format }

  /// The format that the file's name asks for; `nil` where none was given.
  var format: StillFormat? {
    get throws { try path.map { try Self.format(of: $0) } }
  }

  /// The file, which is called `name` in `folder` where no name was given.
  func file(usually name: String, in folder: FilePath) throws -> OutputFile {
    try OutputFile(path ?? folder.appending(name), replacing: force)
  }

  static func format(of path: FilePath) throws -> StillFormat {
    guard let format = path.extension.flatMap(StillFormat.init(fileExtension:)) else {
      throw ValidationError("\"\(path)\" is no name for a picture: let it end in .jpg, .png or .tif.")
    }
    return format
  }
}

extension OutputFile {
  /// Writes a picture, gives it its name, and says so.
  ///
  /// - Throws: ``Failure`` where a signal came since the file was opened, for which signals are to be held.
  consuming func write(picture bytes: [UInt8], _ words: OutputOptions) throws {
    let path = path
    try Interruption.shared.check("\(path): stopped before the end; no picture was written.")
    try write(bytes)
    try commit()
    Interruption.shared.clear()
    if words.json {
      try Console.sayJSON([path.absolutePath])
    } else {
      Console.say("\(path): \(Int64(bytes.count).sizeWords)")
    }
  }
}
