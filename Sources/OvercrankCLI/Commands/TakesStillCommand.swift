public import ArgumentParser
public import Overcrank

struct TakesStillCommand: AsyncParsableCommand, RuledOptions {
  static let configuration = CommandConfiguration(
    commandName: "still", abstract: "Writes one frame of a take's master as a picture.",
    discussion: """
      If the camera sends JPEGs, a JPEG is the frame as captured, with EXIF tags that state when it was captured, and \
      with which camera. PNG and TIFF are lossless, and have 16 bits for cameras with more than 8. Without --at and \
      --frame, it is the trigger's frame, or else the middle one.
      """)

  @OptionGroup var argument: TakeArgument

  @OptionGroup var place: FramePlaceOptions

  @Option(
    name: .customLong("as"),
    help: "The file's format. (default: that of -o's name, else jpeg)")
  var format: StillFormat?

  @OptionGroup var output: PictureOptions
  @OptionGroup var words: OutputOptions

  var given: [String] { place.given }

  func validate() throws {
    try refuseConflicts()
    if let format, let named = try output.format, format != named {
      throw ValidationError(
        "-o \"\(output.path ?? "")\" does not name a \(format.rawValue) file; change it or --as.")
    }
  }

  func run() async throws {
    let entry = try await argument.entry()
    var pictures = try TakePictures(entry)
    let index = try place.index(in: pictures)
    let format = try format ?? output.format ?? .jpeg
    let name = "\(entry.name)-frame-\(index).\(format.fileExtension)"
    Interruption.shared.hold()
    let file = try output.file(usually: name, of: entry)
    let bytes = try pictures.still(index, as: format, isTagged: true)
    try file.write(picture: bytes, words)
  }
}

extension StillFormat: ExpressibleByArgument {
  /// Reads a format by any of its usual names, in any case.
  public init?(argument: String) { self.init(fileExtension: argument) }
}
