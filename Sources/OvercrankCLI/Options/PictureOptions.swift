import ArgumentParser
import Overcrank

/// The options for a picture of a take.
struct PictureOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "The picture's file: .jpg, .png or .tif. (default: named after the take, beside it)",
      valueName: "file"),
    completion: .file(extensions: ["jpg", "png", "tif"]))
  var path: FilePath?

  @Flag(help: "Replace an existing file.")
  var force = false

  func validate() throws { _ = try format }

  /// The format that the file's name selects; `nil` if no name was given.
  var format: StillFormat? {
    get throws { try path.map { try Self.format(of: $0) } }
  }

  /// Creates the file for a picture of `entry`, named `name` beside it if no name was given.
  func file(usually name: String, of entry: LibraryEntry) throws -> OutputFile {
    let path = path ?? entry.path.removingLastComponent().appending(name)
    try FileLock.check(path, isNoneOf: entry.files)
    return try OutputFile(path, replacing: force)
  }

  static func format(of path: FilePath) throws -> StillFormat {
    guard let format = path.extension.flatMap(StillFormat.init(fileExtension:)) else {
      throw ValidationError("\"\(path)\" is not a valid picture name: it must end in .jpg, .png or .tif.")
    }
    return format
  }
}

extension OutputFile {
  /// Writes a picture, moves the file to its final name, and reports it.
  ///
  /// - Throws: ``Failure`` if a signal arrived after the file was opened; the caller must hold signals.
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
